import { randomInt } from 'node:crypto';
import { HarnessFault } from '../harness/checks/faults.ts';
import { configRedactor } from '../harness/config/config-redactor.ts';
import { configuredSurfaces } from '../harness/config/resolve-config.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { exitCode } from '../reports/model/verdict.ts';
import { formatJson } from '../reports/text/format-json.ts';
import { renderLoadHtml } from '../reports/write/load/render-load-html.ts';
import { loadStepHeading, loadStepLine, renderLoadTerminal } from '../reports/write/load/render-load-terminal.ts';
import { createPaint } from '../reports/write/terminal/terminal-paint.ts';
import { writeReport } from '../reports/write/write-report.ts';
import { readTarget, type TargetOptions } from '../run/config/read-target.ts';
import { withTunnel, withUsedTunnel } from '../run/execute/with-tunnel.ts';
import { outputWidth, wantsColour, write, writeNote } from '../run/output/terminal.ts';
import { tryServiceAddress } from '../run/plan/try-service-address.ts';
import { largestSeed } from '../run/run-input.ts';
import { version } from '../run/version.ts';
import {
  configKeyOf,
  endpointSurfaces,
  isEndpointSurface,
  surfaceTable,
  type EndpointSurface,
} from '../specs/surfaces.ts';
import { exportScript } from './artillery/export-script.ts';
import { assertConfirmed } from './assert-confirmed.ts';
import type { LoadPlan } from './load-plan.ts';
import { runLoad } from './run-load.ts';

/** The flags of `load`. */
export interface LoadFlags extends TargetOptions {
  surface: readonly string[];
  firstRate: number;
  maxRate: number;
  firstCalls: number;
  maxCalls: number;
  stepSeconds?: number;
  maxSeconds: number;
  seed?: number;
  yes?: boolean;
  out: string;
  json?: boolean;
  /** Writes a script instead. */
  export?: 'artillery';
}

/** Files of a load in its directory. */
export const loadFiles = { json: 'load.json', html: 'load.html' } as const;

/**
 * Runs a load, prints and writes its report, and returns the exit code. Throws {@link HarnessFault}.
 *
 * @param file of the script to write instead
 */
export async function loadCommand(file: string | undefined, flags: LoadFlags): Promise<number> {
  if (file !== undefined && flags.export === undefined) {
    throw new HarnessFault('flag-missing:export', { file });
  }
  const target = await readTarget(flags, process.env);
  const { config } = target;
  const surfaces = selectSurfaces(config, flags.surface);
  assertConfirmed(config, surfaces, () => flags.yes ?? false);
  const redact = configRedactor(config);
  const paint = createPaint(wantsColour(process.stderr));
  const width = outputWidth(process.stderr);
  const plan: LoadPlan = {
    surfaces,
    seed: flags.seed ?? randomInt(largestSeed),
    firstRate: flags.firstRate,
    mostRate: flags.maxRate,
    firstCalls: flags.firstCalls,
    mostCalls: flags.maxCalls,
    stepSeconds: flags.stepSeconds,
    mostSeconds: flags.maxSeconds,
  };
  if (flags.export !== undefined) return await exportScript(file, target, plan);
  const service = withUsedTunnel(config.service, surfaces);
  const report = await withTunnel(service, { redact, report: writeNote }, async (reached, assertOpen) => {
    const reachable = { ...config, service: reached };
    await tryServiceAddress(reachable, surfaces);
    const result = await runLoad(reachable, plan, {
      version: version(),
      redact,
      onSurface: ({ surface, unit }) => {
        writeNote(`${surface}: ${redact(reachable[configKeyOf(surface)]?.url ?? '')}`);
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
  return exitCode(report.verdict);
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
