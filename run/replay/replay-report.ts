import type { Redact } from '../../service/redact.ts';
import { unbrandedReport } from '../../reports/model/brand-report.ts';
import { Brand } from '../../specs/brand.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';
import type { RunExitCode } from '../exit-code.ts';
import { isRedacted } from '../config/endpoint-flags.ts';
import { readReport } from '../input/read-report.ts';
import { replayChecks } from './replay-checks.ts';
import { replayChoice, surfaceOfExchange, type ReplayChoice } from './replay-choice.ts';
import { replayExchange } from './replay-exchange.ts';
import { replayExitCode, type Replayed } from './replay-result.ts';
import { withTunnel, withUsedTunnel } from '../execute/with-tunnel.ts';
import { withStartedEndpoint } from '../execute/with-started-endpoint.ts';
import { assertComplete } from '../plan/report-directory.ts';
import { tryServiceAddress } from '../plan/try-service-address.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { trustedTarget, type TrustedFlags } from '../config/trusted-target.ts';
import { version } from '../version.ts';
import { configKeyOf, isEndpointSurface, isSurface } from '../../specs/surfaces.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The outcomes of a replay, without secrets; none when nothing in the report failed or was blocked. */
export interface ReplayedReport {
  replayed: readonly Replayed[];
  exitCode: RunExitCode;
}

/**
 * Re-runs recorded failures.
 *
 * @param note receives notes on the progress
 * @throws HarnessFault for a report or id that cannot be used, and without a trusted endpoint
 */
export async function replayReport(
  place: string,
  id: string | undefined,
  options: TrustedFlags,
  note: (note: string) => void,
): Promise<ReplayedReport> {
  const report = unbrandedReport(await readReport(place));
  if (report.selection?.capture) {
    throw new HarnessFault('not-replayable:recorded');
  }
  assertComplete(report, place, 'replay');
  const choice = replayChoice(report, id);
  if (choice.checks.length === 0 && !choice.exchange) return { replayed: [], exitCode: 0 };
  const surfaces = surfacesOf(choice, report);
  const { config } = await trustedTarget(surfaces, options, process.env, report);
  const asked = withUsedTunnel(config.service, surfaces);
  if (!config.container && asked.tunnel === undefined) await tryServiceAddress(config, surfaces);
  const redact = configRedactor(config);
  const brand = Brand.named(config.brand);
  if (report.harness.version !== version()) {
    note(`Version ${report.harness.version} wrote the report; version ${version()} may generate different events.`);
  }
  const progress = { redact, report: note };
  const replayed = await withTunnel(asked, progress, async (service, assertOpen) =>
    withStartedEndpoint({ ...config, service }, progress, async (placed) => {
      note(brand.text(redact(`Replaying ${describeChoice(choice)} against ${formatAddresses(placed, surfaces)}`)));
      const [surface] = surfaces;
      const outcomes = choice.exchange
        ? [await replayExchange(choice.exchange, surface as DiagnosedSurface, report, placed)]
        : await replayChecks(choice.checks, report, placed);
      await assertOpen();
      return outcomes;
    }),
  );
  return {
    replayed: replayed.map((one) => brand.value(withoutSecrets(one, redact))),
    exitCode: replayExitCode(replayed),
  };
}

/** Redacts secrets. Ids and outcomes do not come from the endpoint and stay unchanged for tools. */
function withoutSecrets({ was, now, ...named }: Replayed, redact: Redact): Replayed {
  return { ...named, was: redact(was), now: redact(now) };
}

function surfacesOf({ checks, exchange }: ReplayChoice, report: Report): string[] {
  if (!exchange) return [...new Set(checks.map(({ surface }) => surface))];
  const surface = surfaceOfExchange(report, exchange);
  if (surface === undefined || !isEndpointSurface(surface)) {
    throw new HarnessFault('not-replayable:exchange', { id: exchange.id });
  }
  return [surface];
}

function describeChoice({ checks, exchange }: ReplayChoice): string {
  if (exchange) return `${exchange.id} (${exchange.label})`;
  return checks.length === 1 ? (checks[0]?.id ?? '') : `${checks.length} checks`;
}

function formatAddresses(config: ResolvedConfig, surfaces: readonly string[]): string {
  const addresses = surfaces.flatMap((surface) => {
    // A report may name any surface.
    const named = isSurface(surface) ? config[configKeyOf(surface)] : undefined;
    return named && 'url' in named && !isRedacted(named.url) ? [named.url] : [surface];
  });
  return addresses.join(', ');
}
