import { randomInt } from 'node:crypto';
import { HarnessFault } from '../harness/checks/faults.ts';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { configuredSurfaces } from '../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { containerAddress } from '../harness/container/container-address.ts';
import { formatJson } from '../reports/text/format-json.ts';
import { renderLoadHtml } from '../reports/write/load/render-load-html.ts';
import { loadStepHeading, loadStepLine, renderLoadTerminal } from '../reports/write/load/render-load-terminal.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { writeReport } from '../reports/write/write-report.ts';
import { readTarget, type TargetOptions } from '../run/config/read-target.ts';
import { withTunnel, withUsedTunnel } from '../run/execute/with-tunnel.ts';
import { outputWidth, wantsColour, write, writeNote } from '../run/output/terminal.ts';
import { tryServiceAddress } from '../run/plan/try-service-address.ts';
import { version } from '../run/version.ts';
import type { LoadReport } from '../specs/generated/types.ts';
import { isLoopback } from '../specs/is-loopback.ts';
import {
  configKeyOf,
  endpointSurfaces,
  isEndpointSurface,
  surfaceTable,
  type EndpointSurface,
} from '../specs/surfaces.ts';
import type { LoadPlan } from './load-plan.ts';
import { runLoad } from './run-load.ts';

/** The flags of `load`. */
export interface LoadFlags extends TargetOptions {
  surface: readonly string[];
  firstRate: number;
  maxRate: number;
  maxCalls: number;
  stepSeconds?: number;
  maxSeconds: number;
  seed?: number;
  yes?: boolean;
  out: string;
  json?: boolean;
}

/** Files of a load in its directory. */
export const loadFiles = { json: 'load.json', html: 'load.html' } as const;

/** Exit codes by verdict; 2 is wrong usage. */
const exitCodes: Readonly<Record<LoadReport['verdict'], number>> = {
  conformant: 0,
  'conformant-with-warnings': 0,
  'non-conformant': 1,
  incomplete: 3,
};
/** Greatest seed that is chosen by itself. */
const largestSeed = 2 ** 31;

/** Runs a load, prints and writes its report, and returns the exit code. Throws {@link HarnessFault}. */
export async function loadCommand(flags: LoadFlags): Promise<number> {
  const { config } = await readTarget(flags, process.env);
  const surfaces = selectSurfaces(config, flags.surface);
  assertConfirmed(config, surfaces, flags.yes ?? false);
  const redact = configRedactor(config);
  const paint = createPaint(wantsColour(process.stderr));
  const width = outputWidth(process.stderr);
  const plan: LoadPlan = {
    surfaces,
    seed: flags.seed ?? randomInt(largestSeed),
    firstRate: flags.firstRate,
    mostRate: flags.maxRate,
    mostCalls: flags.maxCalls,
    stepSeconds: flags.stepSeconds,
    mostSeconds: flags.maxSeconds,
  };
  const service = withUsedTunnel(config.service, surfaces);
  const report = await withTunnel(service, { redact, report: writeNote }, async (reached, assertOpen) => {
    const target = { ...config, service: reached };
    await tryServiceAddress(target, surfaces);
    const result = await runLoad(target, plan, {
      version: version(),
      redact,
      onSurface: ({ surface, unit }) => {
        writeNote(`${surface}: ${redact(target[configKeyOf(surface)]?.url ?? '')}`);
        writeNote(loadStepHeading({ unit }));
      },
      onStep: (step) => writeNote(loadStepLine(step, { paint, width })),
    });
    await assertOpen();
    return result;
  });
  const json = formatJson(report, 2);
  const places = await writeReport(flags.out, { [loadFiles.json]: json, [loadFiles.html]: renderLoadHtml(report) });
  const shown = { paint: createPaint(wantsColour(process.stdout)), width: outputWidth(process.stdout) };
  await write(process.stdout, flags.json ? json : `\n${renderLoadTerminal(report, shown)}`, {
    notation: flags.json ? 'json' : 'plain',
  });
  for (const place of places) writeNote(place);
  return exitCodes[report.verdict];
}

/** The selected surfaces, or all that are configured. */
function selectSurfaces(config: ResolvedConfig, selected: readonly string[]): EndpointSurface[] {
  const known = endpointSurfaces;
  const unknown = selected.find((name) => !known.some((surface) => surface === name));
  if (unknown !== undefined) throw new HarnessFault('name-unknown:surface', { surface: unknown, known, near: '' });
  const configured = configuredSurfaces(config).filter(isEndpointSurface);
  const missing = known.find((surface) => selected.includes(surface) && !configured.includes(surface));
  if (missing) throw new HarnessFault('selection-empty:no-endpoint', { surface: missing });
  const chosen = known.filter(
    (surface) => configured.includes(surface) && (selected.length === 0 || selected.includes(surface)),
  );
  if (chosen.length === 0) {
    throw new HarnessFault('selection-empty:no-surface', {
      keys: known.map((surface) => surfaceTable[surface].configKey),
    });
  }
  return chosen;
}

/** A load may disturb others: an endpoint on another machine needs a confirmation. */
function assertConfirmed(config: ResolvedConfig, surfaces: readonly EndpointSurface[], isConfirmed: boolean): void {
  const inContainer = containerAddress(config);
  if (inContainer !== undefined) throw new HarnessFault('container-not-supported:load', { address: inContainer });
  const hosts = surfaces.map((surface) => new URL(config[configKeyOf(surface)]?.url ?? '').hostname);
  const remote = hosts.find((host) => !isLoopback(host));
  if (remote !== undefined && !isConfirmed) throw new HarnessFault('address-not-confirmed:load', { host: remote });
}
