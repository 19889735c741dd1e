import { Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { CliOptions, Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { surfaces as surfacesInOrder } from '../../specs/requirements/catalogue.ts';
import type { Shard } from '../../specs/generated/types.ts';
import { boundedMessage } from '../wire/bounded-message.ts';
import type { CheckIdentity, CheckOutcome } from './check.ts';
import { HarnessFault } from './faults.ts';
import { redactor } from '../../service/redact.ts';
import { secretsOf, type RunSettings } from '../config/settings.ts';
import { releaseMemory } from './release-memory.ts';
import { judgedLast, shardOf } from './shard-suites.ts';
import { ownRoot, sourceEnding, suiteFiles } from './suite-files.ts';
import { vitestDataDirectory } from './vitest-data-directory.ts';

/** One check that ended. */
export type FinishedCheck = CheckIdentity & CheckOutcome;

export interface EngineOptions {
  settings: RunSettings;
  /** Surfaces whose suites run. */
  surfaces: readonly string[];
  /** The share of their suites that runs; default: all. */
  shard?: Shard | undefined;
  onCheck?: (check: FinishedCheck) => void;
  /** Directory that holds `suites`; default: ours. */
  root?: string;
}

/**
 * What suites import of ours: Node loads it itself, as it does from inside `node_modules`. A fifth less work per run than
 * through Vitest's own loader.
 */
const ownModules = new RegExp(
  `^(?:file://)?${ownRoot.replaceAll(/[^\w/-]/g, '\\$&')}(?:entry|generators|harness|service|specs)/`,
);
/** What suites of the integrator's own import: of this copy, wherever they stand and whichever is installed there. */
const suiteEntry = { find: /^svc-conform\/suite$/, replacement: `${ownRoot}entry/suite.${sourceEnding}` };

/** Suites that time answers come before everything else: an endpoint that never answers fails them, and soon. */
const timed = /-times\.suite\.[jt]s$/;
/**
 * Suites that wait for replies come early: an endpoint may hold replies back once it has sent as many as the API takes
 * per minute. So do calls at once: an AI that mixes them up gets one at a time afterwards.
 */
const waiting = /\/(later-reply|calls-at-once)\.suite\.[jt]s$/;
/** Suites of generated events and dialogues come after the plain ones, whose findings are easier to read. */
const generated = /\/any-[a-z-]+\.suite\.[jt]s$/;

/** Checks of one suite that run at once: most of them wait for the endpoint most of the time. */
export const maxConcurrency = 64;

/**
 * How Vitest takes suites, be it to run or to list them: one worker that shares everything, nothing on disk.
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
 * Runs the suites with Vitest and returns every check that ended. Throws {@link HarnessFault} `engine-failed` when a
 * suite of ours could not be run, `suite-unusable` when one of the integrator's own could not, `selection-empty` when
 * there are more shards than what can be divided among them.
 */
export async function runSuites({
  settings,
  surfaces,
  shard,
  onCheck,
  root = ownRoot,
}: EngineOptions): Promise<FinishedCheck[]> {
  const files = suiteFiles(surfaces, root);
  const own = ownShare(settings.ownSuites ?? [], shard);
  const include = [...(shard ? shardOf(files, shard) : files), ...own].map(asPattern);
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
  // What errors say comes from suites of the integrator.
  const { foreign: redact } = redactor(secretsOf(settings.config));
  let isOver = false;
  const unfinishedFiles = new Set<string>();
  const reporter: Reporter = {
    onTestRunStart(specifications) {
      for (const { moduleId } of specifications) unfinishedFiles.add(moduleId);
    },
    onTestCaseResult(test: TestCase) {
      const { check, outcome } = test.meta();
      if (!check) return;
      const ended: FinishedCheck = {
        ...check,
        ...(outcome ? withLateFailure(outcome, test, redact) : unfinished(test, redact)),
      };
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
      for (const error of errors) failed(error['VITEST_TEST_PATH'] as string | undefined, withCause(error));
    },
  };
  // Vitest writes control codes and leaves its own notes beside the suites; neither is wanted of a run of ours.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options: CliOptions = {
    ...engineOptions(root, include, { ...settings, surfaces }),
    maxConcurrency,
    sequence: {
      sequencer: class extends SuiteOrder {
        protected override readonly own = own;
      },
    },
    reporters: [reporter],
    passWithNoTests: true,
    disableConsoleIntercept: true,
  };
  using _data = vitestDataDirectory();
  const vitest = await startVitest([], options, {}, { stdout: nowhere, stderr: nowhere });
  await vitest.close();
  releaseMemory();
  // Vitest only prints some of its errors: without this, checks that it did not run would be missing from the report.
  if (failures.length === 0 && (!isOver || unfinishedFiles.size > 0)) {
    failures.push(`Vitest ended before it had run ${[...unfinishedFiles].join(', ') || 'a suite'} to the end.`);
  }
  if (failures.length > 0) throw new HarnessFault('engine-failed', failures.join('\n'));
  for (const { file, message } of ownErrors) {
    if (![...fileOf.values()].includes(file)) throw new HarnessFault('suite-unusable', `${file}: ${message}`);
  }
  return checks.map((check) => {
    const trouble = ownErrors.find(({ file }) => file === fileOf.get(check));
    return trouble ? withSuiteError(check, trouble) : check;
  });
}

/** An error of Vitest's pool says only in its cause what happened. */
function withCause({ message, cause }: { message: string; cause?: unknown }): string {
  return cause instanceof Object && 'message' in cause ? `${message} ${String(cause.message)}` : message;
}

/** What went wrong in a suite of the integrator's own outside of any check. */
interface SuiteError {
  file: string;
  message: string;
}

/**
 * A pass of a suite in which something failed in addition to may rest on what failed: an assertion that was not awaited. What
 * never ran may have been kept from it by a hook.
 */
function withSuiteError(check: FinishedCheck, { message }: SuiteError): FinishedCheck {
  if (check.verdict !== 'pass' && check.message?.startsWith(cutShort) !== true) return check;
  const why = `Something failed in its suite outside of any check: ${stripVTControlCharacters(message)}`;
  return { ...check, verdict: 'blocked', code: 'check-broken', message: why };
}

/** Each in one shard, the same each time. */
function ownShare(files: readonly string[], shard: Shard | undefined): string[] {
  return files.filter((_, at) => !shard || at % shard.of === shard.index - 1);
}

/** The name of a file as a pattern that matches it alone. */
export function asPattern(file: string): string {
  return file.replaceAll(/[()[\]{}!*?+@|]/g, String.raw`\$&`);
}

/** What failed after the body had ended: an assertion that was not awaited, or a hook of the suite. */
function withLateFailure(outcome: CheckOutcome, test: TestCase, redact: (text: string) => string): CheckOutcome {
  const { state, errors = [] } = test.result();
  if (outcome.verdict !== 'pass' || state !== 'failed') return outcome;
  const [{ name = '', message } = { message: 'for no reason given' }] = errors;
  const text = boundedMessage(redact(stripVTControlCharacters(message)));
  if (name.startsWith('AssertionError')) return { ...outcome, verdict: 'fail', message: text };
  return {
    ...outcome,
    verdict: 'blocked',
    code: 'check-broken',
    message: `It failed after its body had ended: ${text}`,
  };
}

const cutShort = 'The check was cut short';

function unfinished(test: TestCase, redact: (text: string) => string): CheckOutcome {
  const { state, errors } = test.result();
  const never = state === 'skipped' ? 'its suite skips it (skip, only, todo, or a hook that failed)' : 'it did not end';
  const error = errors?.[0]?.message ?? never;
  return {
    verdict: 'blocked',
    message: `${cutShort}: ${boundedMessage(redact(stripVTControlCharacters(error)))}`,
    code: 'check-broken',
    durationMs: test.diagnostic()?.duration ?? 0,
    evidence: [],
    samples: [],
  };
}

/**
 * The catalogue's order of surfaces and file names within one, between what must come first and last. Suites of the
 * integrator's own come after all of ours: what they bring about changes no verdict of ours.
 */
export class SuiteOrder {
  protected readonly own: readonly string[] = [];

  sort<File extends Pick<TestSpecification, 'moduleId'>>(files: File[]): File[] {
    const isOwn = ({ moduleId }: File) => this.own.includes(moduleId);
    return [
      ...inRunOrder(
        files.filter((file) => !isOwn(file)),
        ({ moduleId }) => moduleId,
      ),
      ...files.filter(isOwn).sort((a, b) => (a.moduleId < b.moduleId ? -1 : 1)),
    ];
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}

/** Our suites in the order in which they run. `pathOf` gives a path with `/suites/<surface>/` in it. */
export function inRunOrder<File>(files: readonly File[], pathOf: (file: File) => string): File[] {
  const rank = (path: string) => {
    const early = [timed, waiting].findIndex((rule) => rule.test(path));
    const late = [generated, judgedLast].findIndex((rule) => rule.test(path));
    return early >= 0 ? early : 2 + late + 1;
  };
  const surface = (path: string) => surfacesInOrder.findIndex((name) => path.includes(`/suites/${name}/`));
  return files.toSorted((one, other) => {
    const [a, b] = [pathOf(one), pathOf(other)];
    return rank(a) - rank(b) || surface(a) - surface(b) || (a < b ? -1 : 1);
  });
}
