/**
 * `svc-conform/vitest`: our checks inside of a Vitest project of the integrator's own. docs/own-suites.md shows one from
 * beginning to end.
 */
import { describe } from 'vitest';
import type { ConformanceOptions } from './conformance-settings.ts';
import { otherVitest } from './vitest-copy.ts';

export type { ConformanceOptions } from './conformance-settings.ts';
export type { Config } from '../specs/generated/types.ts';

const problem = otherVitest();
// What registers checks asks Vitest for things while it is loaded, which only the copy that runs the file has.
const ours = problem === undefined ? await import('./register-suites.ts') : undefined;

/**
 * Registers the checks of the configured surfaces as tests of the file that calls it, in Vitest's own terms: a check that
 * passes is a test that passes; a `must` that does not hold, and whatever could not be judged (`blocked`), is one that
 * fails; what was not exercised is skipped with the reason; a `should` or advice that does not hold passes with a warning.
 * Titles end in the requirement, so `-t own-ai-chat/answers-ping` selects by it. Waivers of the config count until their
 * dates. Suites of the integrator's own are left to `svc-conform check`, and no report is written.
 *
 * Called at the top level of a test file, or within a `describe`. The config is read when Vitest collects the file; one
 * that cannot be used fails the file with a sentence about it.
 *
 * @throws Error when this file is run by another copy of Vitest than the one that svc-conform is installed with, or not in
 * Vitest's environment `node`
 */
export function conformance(options: ConformanceOptions = {}): void {
  if (!ours) throw new Error(problem);
  const { registerSuites } = ours;
  if ('window' in globalThis) {
    throw new Error(
      "conformance() needs Node's own sockets: begin this file with the comment // @vitest-environment node",
    );
  }
  describe('svc-conform', { concurrent: false, shuffle: false }, () => registerSuites(options));
}
