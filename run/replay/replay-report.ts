import type { Redact } from '../../service/redact.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { surfaceKeys } from '../../harness/config/resolve-config.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import type { DiagnosedSurface, Report } from '../../specs/generated/types.ts';
import type { RunExitCode } from '../exit-code.ts';
import { endpointFlags, isRedacted } from '../config/endpoint-flags.ts';
import { readReport } from '../input/read-report.ts';
import { replayChecks } from './replay-checks.ts';
import { replayChoice, surfaceOfExchange, type ReplayChoice } from './replay-choice.ts';
import { replayExchange } from './replay-exchange.ts';
import { replayExitCode, type Replayed } from './replay-result.ts';
import { renderReplays } from './replay-view.ts';
import { withContainer } from '../execute/run-container.ts';
import { wantsColour, write, writeNote } from '../output/terminal.ts';
import { tryServiceAddress } from '../plan/try-service-address.ts';
import { configRedactor } from '../run-context.ts';
import { trustedTarget, type TrustedFlags } from '../config/trusted-target.ts';
import { UsageError } from '../usage-error.ts';
import { version } from '../version.ts';

export type ReplayOptions = TrustedFlags & { json?: boolean };

/**
 * Re-runs recorded failures, prints the results, and returns the exit code.
 *
 * @throws UsageError for a report or id that cannot be used, and without a trusted endpoint
 */
export async function replayReport(
  place: string,
  id: string | undefined,
  options: ReplayOptions,
): Promise<RunExitCode> {
  const report = await readReport(place);
  if (report.selection?.capture) {
    throw new UsageError(
      'The report is about recorded traffic, and nothing was sent: judge the recording again with check --capture.',
    );
  }
  const choice = replayChoice(report, id);
  if (choice.checks.length === 0 && !choice.exchange) {
    await printResult([], options, 'Nothing failed or was blocked in this report, so there is nothing to replay.\n');
    return 0;
  }
  const surfaces = surfacesOf(choice, report);
  const { config } = await trustedTarget(surfaces, options, process.env, report);
  if (!config.container) await tryServiceAddress(config, surfaces);
  const redact = configRedactor(config);
  if (report.harness.version !== version()) {
    writeNote(
      `Version ${report.harness.version} wrote the report; version ${version()} may generate different events.`,
    );
  }
  const replayed = await withContainer(config, { redact, tell: writeNote }, async (placed) => {
    writeNote(redact(`Replaying ${describeChoice(choice)} against ${formatAddresses(placed, surfaces)}`));
    if (!choice.exchange) return await replayChecks(choice.checks, report, placed);
    const [surface] = surfaces;
    return [await replayExchange(choice.exchange, surface as DiagnosedSurface, report, placed)];
  });
  const shown = replayed.map((one) => withoutSecrets(one, redact));
  await printResult(
    shown,
    options,
    renderReplays(shown, { paint: createPaint(wantsColour(process.stdout)), width: width() }),
  );
  return replayExitCode(replayed);
}

/** Redacts secrets. Ids and outcomes do not come from the endpoint and stay unchanged for tools. */
function withoutSecrets({ was, now, ...named }: Replayed, redact: Redact): Replayed {
  return { ...named, was: redact(was), now: redact(now) };
}

async function printResult(replayed: readonly Replayed[], { json }: ReplayOptions, text: string): Promise<void> {
  if (json === true) await write(process.stdout, `${JSON.stringify({ replayed }, null, 2)}\n`, { notation: 'json' });
  else await write(process.stdout, text);
}

function width(): number {
  return Math.min(100, process.stdout.columns || 100);
}

function surfacesOf({ checks, exchange }: ReplayChoice, report: Report): string[] {
  if (!exchange) return [...new Set(checks.map(({ surface }) => surface))];
  const surface = surfaceOfExchange(report, exchange);
  if (surface === undefined || !isDiagnosed(surface)) {
    throw new UsageError(`${exchange.id}: this is not a delivery or call to an endpoint, so it cannot be sent again.`);
  }
  return [surface];
}

function isDiagnosed(surface: string): surface is DiagnosedSurface {
  return surface in endpointFlags;
}

function describeChoice({ checks, exchange }: ReplayChoice): string {
  if (exchange) return `${exchange.id} (${exchange.label})`;
  return checks.length === 1 ? (checks[0]?.id ?? '') : `${checks.length} checks`;
}

function formatAddresses(config: ResolvedConfig, surfaces: readonly string[]): string {
  const addresses = surfaces.flatMap((surface) => {
    const named = config[surfaceKeys[surface as keyof typeof surfaceKeys]];
    return named && 'url' in named && !isRedacted(named.url) ? [named.url] : [surface];
  });
  return addresses.join(', ');
}
