import type { KnownCheck } from '../run/plan/known-checks.ts';
import { collectChecks } from '../harness/checks/collect-checks.ts';

/**
 * Every check of the suites below a directory, in the order of the files. Vitest collects them as it does for a run, so
 * the list cannot differ from what runs. Throws when a suite cannot be loaded.
 */
export async function listChecks(root: string, ending: 'ts' | 'js'): Promise<KnownCheck[]> {
  const suites = await collectChecks(root, [`suites/**/*.suite.${ending}`]);
  const errors = suites.flatMap((suite) => suite.errors);
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return suites.flatMap(({ checks }) => checks);
}
