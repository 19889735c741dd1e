import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runSuites, type FinishedCheck } from '../harness/engine.ts';
import { HarnessFault } from '../harness/faults.ts';
import { onProgress } from '../harness/progress.ts';
import { watchGroups } from '../harness/process-group.ts';
import { redactor } from '../harness/redact.ts';
import { surfaceKeys } from '../harness/resolve-config.ts';
import { secretsOf, type ResolvedConfig, type RunSettings } from '../harness/settings.ts';
import { buildReport } from '../reports/build-report.ts';
import { renderHtml } from '../reports/render-html.ts';
import { renderJson } from '../reports/render-json.ts';
import { renderTerminal } from '../reports/render-terminal.ts';
import { exitCode } from '../reports/verdict.ts';
import { writeReport } from '../reports/write-report.ts';
import { protocolRevision } from '../specs/limits.ts';
import type { Report, Selection } from '../specs/types.ts';
import { collectRun } from './collect-run.ts';
import { repeatedFlags, type RunOptions } from './run-options.ts';
import { RunProgress } from './run-progress.ts';
import { runSettings } from './run-settings.ts';
import { selectChecks, type SelectedChecks } from './select-checks.ts';
import { shellCommand } from './shell-command.ts';
import { wantsColour, write, type Stream } from './terminal.ts';
import { tryOutFolder } from './try-out-folder.ts';
import { tryServiceAddress } from './try-service-address.ts';
import { version } from './version.ts';

/** What `check` and `demo` hand over. */
export interface Certification {
  config: ResolvedConfig;
  /** Verb and flags that name the same target again. */
  command: readonly string[];
  /** Told before the run. */
  notes: readonly string[];
  options: RunOptions;
}

/**
 * Megabytes of V8's young generation for the threads of a run. Exchanges are short-lived; with V8's default the space
 * for them grows to several times what a run needs, and no run is quicker for it.
 */
const youngMegabytes = 4;

/** Exit codes of a run that a signal ended, as shells count them. */
const signalCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** Runs the selected checks, writes the report, prints the verdict and sets the exit code. */
export async function certify({ config, command, notes, options }: Certification): Promise<void> {
  setFlagsFromString(`--max-semi-space-size=${youngMegabytes}`);
  const settings = runSettings(config, options);
  const selected = await selectChecks(config, options);
  await tryServiceAddress(config);
  await tryOutFolder(options.out);
  const redact = redactor(secretsOf(config));
  const again = [...command, ...repeatedFlags(options)].map(redact);
  await judge({
    settings,
    selected,
    notes,
    options,
    target: targetOf(config, selected, redact),
    reproduce: (check) => reproduce(again, check, settings.seed),
  });
}

/** A run whose selection is made. */
export interface JudgedRun {
  settings: RunSettings;
  selected: SelectedChecks;
  /** Told before the run. */
  notes: readonly string[];
  options: Pick<RunOptions, 'out' | 'json' | 'surface' | 'only'>;
  /** What is judged, as the report names it. */
  target: Report['target'];
  /** The command that repeats a check. */
  reproduce: (check: FinishedCheck) => string;
  /** Where the verdict is printed; default standard output. */
  printTo?: Stream;
}

/** Runs the checks, writes the report, prints the verdict and sets the exit code. */
export async function judge(judged: JudgedRun): Promise<void> {
  const { settings, selected, notes, options, target, reproduce, printTo = process.stdout } = judged;
  const startedAt = new Date();
  const from = performance.now();
  const finished = await run(settings, selected, notes);
  const report = buildReport({
    version: version(),
    protocol: protocolRevision,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(performance.now() - from),
    seed: settings.seed,
    target,
    selection: selectionOf(options, settings),
    configured: selected.configured,
    selected: selected.isSelected,
    ...collectRun(finished, reproduce),
  });
  await publish(report, options, printTo);
  process.exitCode = exitCode(report.verdict);
}

async function run(
  settings: RunSettings,
  selected: SelectedChecks,
  notes: readonly string[],
): Promise<FinishedCheck[]> {
  using progress = new RunProgress(process.stderr, selected.expected);
  using _told = onProgress(({ text }) => progress.waiting(text));
  using clients = watchGroups();
  using _signals = endOnSignals(progress, clients.killAll);
  for (const note of notes) progress.note(note);
  const finished = await runSuites({
    settings,
    surfaces: selected.surfaces,
    onCheck: (check) => progress.ended(check),
  });
  if (finished.length === 0) throw new HarnessFault('selection-empty', 'The selection leaves no check to run.');
  return finished;
}

/** Ends at once: what was not judged would look like a verdict in a report, so none is written. */
function endOnSignals(progress: RunProgress, before: () => void): Disposable {
  const listeners = Object.entries(signalCodes).map(([signal, code]) => {
    const listener = () => {
      before();
      progress.note('Stopped. No report was written.');
      process.exit(code);
    };
    process.on(signal, listener);
    return { signal, listener };
  });
  return {
    [Symbol.dispose]: () => {
      for (const { signal, listener } of listeners) process.off(signal, listener);
    },
  };
}

function targetOf(config: ResolvedConfig, { surfaces }: SelectedChecks, redact: (text: string) => string) {
  const target: Report['target'] = {};
  for (const surface of surfaces) {
    const named = config[surfaceKeys[surface]];
    if (!named) continue;
    if ('url' in named) target[surface] = { url: redact(named.url) };
    else target[surface] = 'command' in named ? { command: redact(named.command) } : { file: redact(named.file) };
  }
  return target;
}

function selectionOf({ surface, only }: JudgedRun['options'], settings: RunSettings): Selection | undefined {
  const selection: Selection = {
    ...(surface.length > 0 && { surfaces: surface }),
    ...(only.length > 0 && { only }),
    ...(settings.callbackWaitMs < settings.callbackLimitMs && { callbackWaitMs: settings.callbackWaitMs }),
  };
  return Object.keys(selection).length > 0 ? selection : undefined;
}

function reproduce(command: readonly string[], { id, finding }: FinishedCheck, seed: number): string {
  const example = finding?.counterexample;
  const words = ['npx', 'svc-conform', ...command, '--only', id, '--seed', String(example?.seed ?? seed)];
  return shellCommand(example && example.path !== '' ? [...words, '--path', example.path] : words);
}

/** The verdict is told even when the report cannot be written; that error comes after it. */
async function publish(report: Report, { out, json = false }: JudgedRun['options'], printTo: Stream): Promise<void> {
  const text = renderJson(report);
  const failure = await writeReport(out, { 'report.json': text, 'report.html': renderHtml(report) }).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  if (json) {
    await write(printTo, text);
  } else {
    const shown = renderTerminal(report, {
      colour: wantsColour(printTo),
      width: printTo.columns,
      place: failure === undefined ? join(out, 'report.html') : undefined,
    });
    await write(printTo, `\n${shown}`);
  }
  if (failure !== undefined) throw failure;
}
