import { describe, TestRunner } from 'vitest';
import type { ResolvedConfig } from '../config/settings.ts';
import { inStages, suiteGroup, surfaceOf, type PhaseSuites, type SuiteGroup } from './run-order.ts';

const groupsOfSuites = new WeakMap<object, SuiteGroup>();
let hasClientSuites = false;

/**
 * Registers suites inside the enclosing `describe` or file, in the stages of a run. `load` imports a suite, which
 * registers its checks.
 *
 * @param files paths that begin with `suites/<surface>/`
 */
export function registerPhases(
  files: readonly string[],
  config: ResolvedConfig,
  load: (file: string) => Promise<unknown>,
): void {
  const groupOf = (file: string) => suiteGroup(`/${file}`);
  hasClientSuites = files.some((file) => groupOf(file) === 'client');
  const register = (file: string) => {
    describe.concurrent(subjectOf(file), async () => {
      const { suite } = TestRunner.getCurrentSuite();
      if (suite) groupsOfSuites.set(suite, groupOf(file));
      try {
        await load(file);
      } catch (cause) {
        throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    });
  };
  const registerSequence = (sequence: readonly PhaseSuites[]) => {
    for (const { phase, files: together } of sequence) {
      describe(phase, { concurrent: false, shuffle: false }, () => together.forEach(register));
    }
  };
  for (const stage of inStages(files, config)) {
    const [only, ...others] = stage;
    if (only && others.length === 0) {
      registerSequence(only);
      continue;
    }
    describe(namesOf(stage.flat().map(({ phase }) => phase)), { concurrent: false, shuffle: false }, () => {
      for (const sequence of stage) {
        const surfaces = sequence.flatMap(({ files: together }) => together.map(surfaceOf));
        describe.concurrent(namesOf(surfaces), () => registerSequence(sequence));
      }
    });
  }
}

function namesOf(names: readonly string[]): string {
  return [...new Set(names)].join(', ');
}

/** Whether the suites of this run judge a client of API v1. */
export function isClientJudged(): boolean {
  return hasClientSuites;
}

/** The group of the check that is being registered; `undefined` outside our suites. */
export function currentGroup(): SuiteGroup | undefined {
  for (let { suite } = TestRunner.getCurrentSuite(); suite; { suite } = suite) {
    const group = groupsOfSuites.get(suite);
    if (group !== undefined) return group;
  }
  return undefined;
}

/** `suites/own-ai-chat/answers.suite.js` as `own-ai-chat/answers`. */
function subjectOf(file: string): string {
  return file.replace(/^suites\//, '').replace(/\.suite\.[jt]s$/, '');
}
