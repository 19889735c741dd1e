import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { CliOptions, Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import type { Shard } from '../../specs/generated/types.ts';
import { boundedMessage } from '../wire/bounded-message.ts';
import type { CheckOutcome, CheckIdentity } from './check-outcome.ts';
import { isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import { HarnessFault } from './faults.ts';
import { configRedactor } from '../config/config-redactor.ts';
import type { RunSettings } from '../config/settings.ts';
import { releaseMemory } from './release-memory.ts';
import { observedNothing, observingSuites } from './observed-suites.ts';
import { shardOf } from './shard-suites.ts';
import { ownRoot, sourceEnding, suiteFiles } from './suite-files.ts';
import { vitestDataDirectory } from './vitest-data-directory.ts';
import type { ServiceDeviation } from '../capture/capture.ts';

export type FinishedCheck = CheckIdentity & CheckOutcome;

export interface EngineOptions {
  settings: RunSettings;
  /** Surfaces whose suites run. */
  surfaces: readonly string[];
  /** The shard to run; default: all suites. */
  shard?: Shard | undefined;
  onCheck?: (check: FinishedCheck) => void;
  /** Called when a check begins, or begins to wait for its turn. */
  onStart?: (check: CheckIdentity) => void;
  /** Receives the deviations of the service in a recording, before the first check ends. Called once, if at all. */
  onDeviations?: (deviations: readonly ServiceDeviation[]) => void;
  /** Directory that contains `suites`; default: ours. */
  root?: string;
}

/**
 * Our modules that suites import. Node loads them directly, as it does inside `node_modules`, which takes a fifth less
 * time per run than Vitest's own loader.
 */
const ownModules = new RegExp(
  `^(?:file://)?${ownRoot.replaceAll(/[^\w/-]/g, '\\$&')}(?:entry|generators|harness|service|specs|suites)/`,
);
/** Suites of the integrator import this copy, wherever they are and whichever version is installed there. */
const suiteEntry = { find: /^svc-conform\/suite$/, replacement: `${ownRoot}entry/suite.${sourceEnding}` };

/** The test file that registers our suites, with slashes. */
const builtInSuites = `${ownRoot}harness/checks/built-in-suites.${sourceEnding}`.replaceAll('\\', '/');

/**
 * Checks that run concurrently: all of a phase, since they mostly wait. The traffic gate limits what is in flight, and
 * gives each check that must be alone the endpoint to itself.
 */
export const maxConcurrency = 1_000;

/**
 * Vitest options for running or listing suites: one worker that shares everything, no files written.
 *
 * @param include patterns from `root`, or absolute ones
 */
export function engineOptions(root: string, include: string[], settings: RunSettings) {
  return {
    config: false,
    cache: false,
    fsModuleCache: false,
    root,
    include,
    exclude: [],
    alias: [suiteEntry],
    watch: false,
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    fileParallelism: false,
    provide: { settings },
    server: { deps: { external: [ownModules] } },
  } as const satisfies CliOptions;
}

/**
 * Runs the suites with Vitest and returns every check that ended. Throws {@link HarnessFault} `engine-failed` when one
 * of our suites could not be run, `suite-unusable` when one of the integrator's could not, `selection-empty` when there
 * are more shards than suites to distribute.
 */
export async function runSuites({
  settings,
  surfaces,
  shard,
  onCheck,
  onStart,
  onDeviations,
  root = ownRoot,
}: EngineOptions): Promise<FinishedCheck[]> {
  const files = suiteFiles(surfaces, root);
  const own = ownShare(settings.ownSuites ?? [], shard);
  const mine = shard ? shardOf(files, shard) : files;
  const observing = observingSuites(mine, settings, root);
  const ours = [...mine, ...observing];
  const include = [...(ours.length > 0 ? [builtInSuites] : []), ...own].map(asPattern);
  if (include.length === 0) return [];
  const { startVitest } = await import('vitest/node');
  const checks: FinishedCheck[] = [];
  const failures: string[] = [];
  const ownErrors: SuiteError[] = [];
  const failed = (file: string | undefined, message: string) => {
    if (file !== undefined && own.includes(file)) ownErrors.push({ file, message: boundedMessage(redact(message)) });
    else failures.push(file === undefined ? message : `${file}: ${message}`);
  };
  const fileOf = new Map<FinishedCheck, string>();
  // Errors of the integrator's suites contain arbitrary text.
  const { foreign: redact } = configRedactor(settings.config);
  let isOver = false;
  const unfinishedFiles = new Set<string>();
  const reporter: Reporter = {
    onTestRunStart(specifications) {
      for (const { moduleId } of specifications) unfinishedFiles.add(moduleId);
    },
    onTestCaseReady(test: TestCase) {
      const { check } = test.meta();
      if (check) onStart?.(check);
    },
    onTestCaseResult(test: TestCase) {
      const { check, outcome, deviations } = test.meta();
      if (deviations) onDeviations?.(deviations);
      if (!check) {
        for (const { message } of test.result().errors ?? []) failed(test.module.moduleId, message);
        return;
      }
      const ended: FinishedCheck = {
        ...check,
        ...(outcome ? withLateFailure(outcome, test, redact) : unfinished(test, redact)),
      };
      if (observing.length > 0 && observedNothing(ended)) return;
      checks.push(ended);
      fileOf.set(ended, test.module.moduleId);
      onCheck?.(ended);
    },
    onTestModuleEnd(module: TestModule) {
      unfinishedFiles.delete(module.moduleId);
      for (const { message } of module.errors()) failed(module.moduleId, message);
    },
    onTestRunEnd(_, errors) {
      isOver = true;
      for (const error of errors) {
        // Work that the budget or a limit cut off may end while no check waits for it.
        if (isCutOffCode(error['code'] as string | undefined)) continue;
        failed(error['VITEST_TEST_PATH'] as string | undefined, withCause(error));
      }
    },
  };
  const provided = { ...settings, surfaces, ...(observing.length > 0 && { observedOnly: true as const }) };
  // Vitest's own output is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options: CliOptions = {
    ...engineOptions(root, include, provided),
    provide: { settings: provided, suites: { root, files: ours } },
    maxConcurrency,
    sequence: { sequencer: OursFirst },
    reporters: [reporter],
    passWithNoTests: true,
    disableConsoleIntercept: true,
  };
  using _data = vitestDataDirectory();
  const vitest = await startVitest([], options, {}, { stdout: nowhere, stderr: nowhere });
  await vitest.close();
  releaseMemory();
  // Vitest only prints some errors; without this check, tests that it did not run would be missing from the report.
  if (failures.length === 0 && (!isOver || unfinishedFiles.size > 0)) {
    failures.push(`Vitest exited before ${[...unfinishedFiles].join(', ') || 'a suite'} had completed.`);
  }
  if (failures.length > 0) throw new HarnessFault('engine-failed:suites', { failures });
  for (const { file, message } of ownErrors) {
    if (![...fileOf.values()].includes(file)) throw new HarnessFault('suite-unusable:error', { file, message });
  }
  return checks.map((check) => {
    const trouble = ownErrors.find(({ file }) => file === fileOf.get(check));
    return trouble ? withSuiteError(check, trouble) : check;
  });
}

/** Errors of Vitest's worker pool carry the reason in their cause. */
function withCause({ message, cause }: { message: string; cause?: unknown }): string {
  return cause instanceof Object && 'message' in cause ? `${message} ${String(cause.message)}` : message;
}

/** An error in an integrator's suite outside of any check. */
interface SuiteError {
  file: string;
  message: string;
}

/**
 * A pass may be due to the error outside (an assertion that was not awaited), and a check that never ran may have been
 * prevented by a hook.
 */
function withSuiteError(check: FinishedCheck, { message }: SuiteError): FinishedCheck {
  if (check.verdict !== 'pass' && check.isUnfinished !== true) return check;
  const why = `An error occurred in its suite outside of any check: ${stripVTControlCharacters(message)}`;
  return { ...check, verdict: 'blocked', code: 'check-broken', message: why };
}

/** Distributes files over the shards; the result is the same each time. */
function ownShare(files: readonly string[], shard: Shard | undefined): string[] {
  return files.filter((_, at) => !shard || at % shard.of === shard.index - 1);
}

/** Escapes a file name into a pattern that matches only this file. */
export function asPattern(file: string): string {
  return file.replaceAll(/[()[\]{}!*?+@|]/g, String.raw`\$&`);
}

/** Accounts for an error after the body had ended: an assertion that was not awaited, or a hook of the suite. */
function withLateFailure(outcome: CheckOutcome, test: TestCase, redact: (text: string) => string): CheckOutcome {
  const { state, errors = [] } = test.result();
  if (outcome.verdict !== 'pass' || state !== 'failed') return outcome;
  const [{ name = '', message } = { message: 'no reason given' }] = errors;
  const text = boundedMessage(redact(stripVTControlCharacters(message)));
  if (name.startsWith('AssertionError')) return { ...outcome, verdict: 'fail', message: text };
  return {
    ...outcome,
    verdict: 'blocked',
    code: 'check-broken',
    message: `The check failed after its body had ended: ${text}`,
  };
}

function unfinished(test: TestCase, redact: (text: string) => string): CheckOutcome {
  const { state, errors } = test.result();
  const never = state === 'skipped' ? 'its suite skips it (skip, only, todo, or a failed hook)' : 'it did not finish';
  const error = errors?.[0]?.message ?? never;
  return {
    verdict: 'blocked',
    message: `The check did not complete: ${boundedMessage(redact(stripVTControlCharacters(error)))}`,
    code: 'check-broken',
    isUnfinished: true,
    durationMs: test.diagnostic()?.duration ?? 0,
    evidence: [],
    samples: [],
  };
}

/**
 * The integrator's suites run after ours, by file name, so that their side effects cannot change our verdicts.
 */
class OursFirst {
  sort<File extends Pick<TestSpecification, 'moduleId'>>(files: File[]): File[] {
    const rank = ({ moduleId }: File) => (moduleId === builtInSuites ? '' : moduleId);
    return files.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1));
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
