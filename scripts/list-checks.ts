import { createVitest } from 'vitest/node';
import type { KnownCheck } from '../bin/known-checks.ts';
import { engineOptions } from '../harness/engine.ts';

/**
 * Every check of the suites below a folder, in the order of the files. Vitest collects them as it does for a run, so
 * the list cannot differ from what runs. Throws when a suite cannot be loaded.
 */
export async function listChecks(root: string, ending: 'ts' | 'js'): Promise<KnownCheck[]> {
  // Collecting runs no check, so nothing of the config is read.
  const settings = { only: [], config: { skills: [], stimuli: {}, service: {} } } as never;
  const vitest = await createVitest('test', {
    ...engineOptions(root, [`suites/**/*.suite.${ending}`], settings),
    reporters: [{}],
  });
  try {
    const { testModules, unhandledErrors } = await vitest.collect([], { staticParse: false });
    const errors = [...unhandledErrors, ...testModules.flatMap((module) => module.errors())];
    if (errors.length > 0) {
      throw new Error(
        errors.map((error) => (error instanceof Error ? error.message : JSON.stringify(error))).join('\n'),
      );
    }
    const modules = testModules.toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1));
    return modules.flatMap((module) => [...module.children.allTests()].flatMap((test) => test.meta().check ?? []));
  } finally {
    await vitest.close();
  }
}
