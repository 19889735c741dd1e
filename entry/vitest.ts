/**
 * `svc-conform/vitest`: our checks inside the integrator's Vitest project. docs/own-suites.md has a complete example.
 */
import { describe } from 'vitest';
import type { ConformanceOptions } from './conformance-settings.ts';
import { otherVitest } from './other-vitest.ts';

export type { ConformanceOptions } from './conformance-settings.ts';
export type { Config } from '../specs/generated/types.ts';

const problem = otherVitest();
// Imported dynamically: loading it requires the Vitest copy that runs the file.
const ours = problem === undefined ? await import('./register-suites.ts') : undefined;

/**
 * Registers the checks of the configured surfaces as tests of the calling file: a passed check is a passed test; a
 * failed `must` or a `blocked` check is a failed test; a check that was not exercised is skipped with the reason; a
 * failed `should` or advice passes with a warning. Titles end in the requirement, so `-t own-ai-chat/answers-ping`
 * selects by it. Waivers of the config apply until they expire. The integrator's suites run only in `svc-conform
 * check`, and no report is written.
 *
 * Called at the top level of a test file, or within a `describe`. The config is read when Vitest collects the file; an
 * invalid one fails the file with a message.
 *
 * @throws Error when this file is run by another copy of Vitest than the one that svc-conform is installed with, or not
 *   in Vitest's environment `node`
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
