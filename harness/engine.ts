import { glob } from 'node:fs/promises';
import { sep } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { CliOptions, Reporter, TestCase, TestModule, TestSpecification } from 'vitest/node';
import { surfaces as surfacesInOrder } from '../specs/requirements/catalogue.ts';
import type { Shard } from '../specs/types.ts';
import type { CheckIdentity, CheckOutcome } from './check.ts';
import { HarnessFault } from './faults.ts';
import type { RunSettings } from './settings.ts';
import { judgedLast, shardOf } from './shard-suites.ts';
import { vitestDataFolder } from './vitest-data-folder.ts';

/** One check that ended. */
export type FinishedCheck = CheckIdentity & CheckOutcome;

export interface EngineOptions {
  settings: RunSettings;
  /** Surfaces whose suites run. */
  surfaces: readonly string[];
  /** The share of their suites that runs; default: all. */
  shard?: Shard | undefined;
  onCheck?: (check: FinishedCheck) => void;
  /** Folder that holds `suites`; default: ours. */
  root?: string;
}

/** Folder that holds `suites`: the sources in a clone, `dist` in the package. */
const ownRoot = fileURLToPath(new URL('..', import.meta.url));
/**
 * What suites import of ours: Node loads it itself, as it does from inside `node_modules`. A fifth less work per run than
 * through Vitest's own loader.
 */
const ownModules = new RegExp(
  `^(?:file://)?${ownRoot.replaceAll(/[^\w/-]/g, '\\$&')}(?:generators|harness|service|specs)/`,
);
const suiteEnding = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** Suites that time answers come before everything else: an endpoint that never answers fails them, and soon. */
const timed = /-times\.suite\.[jt]s$/;
/**
 * Suites that wait for replies come early: an endpoint may hold replies back once it has sent as many as the API takes
 * per minute. So do calls at once: an AI that mixes them up gets one at a time afterwards.
 */
const waiting = /\/(later-reply|calls-at-once)\.suite\.[jt]s$/;
/** Suites of generated events and dialogues come after the plain ones, whose findings are easier to read. */
const generated = /\/any-[a-z-]+\.suite\.[jt]s$/;

/** How Vitest takes our suites, be it to run or to list them: one worker that shares everything, nothing on disk. */
export function engineOptions(root: string, include: string[], settings: RunSettings) {
  return {
    config: false,
    cache: false,
    fsModuleCache: false,
    root,
    include,
    exclude: [],
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
 * suite could not be run, `selection-empty` when there are more shards than what can be divided among them.
 */
export async function runSuites({
  settings,
  surfaces,
  shard,
  onCheck,
  root = ownRoot,
}: EngineOptions): Promise<FinishedCheck[]> {
  const patterns = surfaces.map((surface) => `suites/${surface}/**/*.suite.${suiteEnding}`);
  const include = shard ? shardOf(await filesOf(patterns, root), shard) : patterns;
  const { startVitest } = await import('vitest/node');
  const checks: FinishedCheck[] = [];
  const failures: string[] = [];
  const reporter: Reporter = {
    onTestCaseResult(test: TestCase) {
      const { check, outcome } = test.meta();
      if (!check) return;
      const ended: FinishedCheck = { ...check, ...(outcome ?? unfinished(test)) };
      checks.push(ended);
      onCheck?.(ended);
    },
    onTestModuleEnd(module: TestModule) {
      for (const { message } of module.errors()) failures.push(`${module.relativeModuleId}: ${message}`);
    },
    onTestRunEnd(_, errors) {
      for (const { message } of errors) failures.push(message);
    },
  };
  // Vitest writes control codes and leaves its own notes beside the suites; neither is wanted of a run of ours.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const options: CliOptions = {
    ...engineOptions(root, include, settings),
    maxConcurrency: 64,
    sequence: { sequencer: SuiteOrder },
    reporters: [reporter],
    passWithNoTests: true,
    disableConsoleIntercept: true,
  };
  using _data = vitestDataFolder();
  const vitest = await startVitest([], options, {}, { stdout: nowhere, stderr: nowhere });
  await vitest.close();
  if (failures.length > 0) throw new HarnessFault('engine-failed', failures.join('\n'));
  return checks;
}

/** With slashes on every system. */
async function filesOf(patterns: readonly string[], root: string): Promise<string[]> {
  const files: string[] = [];
  for await (const file of glob(patterns, { cwd: root })) files.push(file.replaceAll(sep, '/'));
  return files.sort();
}

function unfinished(test: TestCase): CheckOutcome {
  const error = test.result().errors?.[0]?.message ?? 'it did not end';
  return {
    verdict: 'blocked',
    message: `The check was cut short: ${error}`,
    code: 'check-broken',
    durationMs: test.diagnostic()?.duration ?? 0,
    evidence: [],
    samples: [],
  };
}

/** The catalogue's order of surfaces and file names within one, between what must come first and last. */
export class SuiteOrder {
  sort<File extends Pick<TestSpecification, 'moduleId'>>(files: File[]): File[] {
    const rank = ({ moduleId }: File) => {
      const early = [timed, waiting].findIndex((rule) => rule.test(moduleId));
      const late = [generated, judgedLast].findIndex((rule) => rule.test(moduleId));
      return early >= 0 ? early : 2 + late + 1;
    };
    const surface = (file: File) => surfacesInOrder.findIndex((name) => file.moduleId.includes(`/suites/${name}/`));
    return [...files].sort(
      (a, b) => rank(a) - rank(b) || surface(a) - surface(b) || (a.moduleId < b.moduleId ? -1 : 1),
    );
  }

  shard(files: TestSpecification[]): TestSpecification[] {
    return files;
  }
}
