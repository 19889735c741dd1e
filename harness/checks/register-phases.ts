import { describe, TestRunner } from 'vitest';
import { inPhases, suiteGroup, type SuiteGroup } from './run-order.ts';

const groupsOfSuites = new WeakMap<object, SuiteGroup>();
let hasClientSuites = false;

/**
 * Registers suites inside the enclosing `describe` or file: the phases of a run one after the other, the suites of one
 * phase at the same time. `load` imports a suite, which registers its checks.
 *
 * @param files paths that begin with `suites/<surface>/`
 */
export function registerPhases(files: readonly string[], load: (file: string) => Promise<unknown>): void {
  const groupOf = (file: string) => suiteGroup(`/${file}`);
  hasClientSuites = files.some((file) => groupOf(file) === 'client');
  for (const { phase, files: members } of inPhases(files)) {
    describe(phase, { concurrent: false, shuffle: false }, () => {
      for (const file of members) {
        describe.concurrent(subjectOf(file), async () => {
          const { suite } = TestRunner.getCurrentSuite();
          if (suite) groupsOfSuites.set(suite, groupOf(file));
          try {
            await load(file);
          } catch (cause) {
            throw new Error(`${file}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
          }
        });
      }
    });
  }
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
