import { stripVTControlCharacters } from 'node:util';
import type { TestCase } from 'vitest/node';
import type { CheckIdentity } from './check-outcome.ts';
import { engineOptions } from './engine.ts';
import type { RunSettings } from '../config/settings.ts';
import { vitestDataDirectory } from './vitest-data-directory.ts';

/** The checks that one suite registers. */
export interface CollectedSuite {
  /** Absolute, with slashes. */
  file: string;
  checks: CheckIdentity[];
  /** Names of tests that are not checks. */
  otherTests: string[];
  /** Load errors. */
  errors: string[];
}

/**
 * Loads suites as a run does and lists their checks without running them, so that the list matches the run.
 *
 * @param include patterns relative to `root`, or absolute
 */
export async function collectChecks(root: string, include: string[]): Promise<CollectedSuite[]> {
  const { createVitest } = await import('vitest/node');
  // Collecting runs no check, so the config is not read.
  const settings = { only: [], config: { skills: [], stimuli: {}, service: {} } } as unknown as RunSettings;
  using _data = vitestDataDirectory();
  const vitest = await createVitest('test', { ...engineOptions(root, include, settings), reporters: [{}] });
  try {
    const { testModules, unhandledErrors } = await vitest.collect([], { staticParse: false });
    const unhandled = unhandledErrors.map((error) => (error instanceof Error ? error.message : JSON.stringify(error)));
    const suites = testModules.map((module) => {
      const tests = [...module.children.allTests()];
      return {
        file: module.moduleId,
        checks: tests.flatMap((test) => test.meta().check ?? []),
        otherTests: tests.filter((test: TestCase) => !test.meta().check).map(({ fullName }) => fullName),
        errors: module.errors().map(({ message }) => stripVTControlCharacters(message)),
      };
    });
    if (unhandled.length > 0) suites.push({ file: root, checks: [], otherTests: [], errors: unhandled });
    return suites.toSorted((a, b) => (a.file < b.file ? -1 : 1));
  } finally {
    await vitest.close();
  }
}
