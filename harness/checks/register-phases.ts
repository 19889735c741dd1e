import { describe, TestRunner } from 'vitest';
import type { ResolvedConfig } from '../config/settings.ts';
import { inStages, suiteGroup, type PhaseSuites, type SuiteGroup } from './run-order.ts';

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
  for (const stage of inStages(files, config)) {
    describe(nameOf(stage.flat()), { concurrent: false, shuffle: false }, () => {
      for (const sequence of stage) {
        describe.concurrent(nameOf(sequence), () => {
          for (const { phase, files: together } of sequence) {
            describe(phase, { concurrent: false, shuffle: false }, () => together.forEach(register));
          }
        });
      }
    });
  }
}

function nameOf(phases: readonly PhaseSuites[]): string {
  return [...new Set(phases.map(({ phase }) => phase))].join(', ');
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
