import { existsSync, globSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HarnessFault } from './faults.ts';

/** Directory that contains `suites`: the sources in a clone, `dist` in the package. */
export const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Extension of our files: `ts` in a clone, `js` in the package. */
export const sourceEnding = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/**
 * A surface is a directory of `suites`. Surfaces also come from reports, which must not be able to select other code.
 */
const surfaceName = /^[a-z]+(?:-[a-z]+)*$/;

/** Our suites of these surfaces, relative to `root`, with forward slashes on every system. */
export function suiteFiles(surfaces: readonly string[], root = ownRoot): string[] {
  const named = surfaces.filter((surface) => surfaceName.test(surface));
  const patterns = named.map((surface) => `suites/${surface}/**/*.suite.${sourceEnding}`);
  return globSync(patterns, { cwd: root }).map(withSlashes).sort();
}

/**
 * The files of the integrator's suites, absolute, with forward slashes, without duplicates.
 *
 * @param patterns absolute paths or patterns
 * @throws HarnessFault `suite-unusable` for a pattern without matches, a directory, or a file that is not code
 */
export function ownSuiteFiles(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap(filesOf))].sort();
}

function filesOf(pattern: string): string[] {
  // An existing path is literal, even with brackets in it.
  const found = existsSync(pattern) ? [pattern] : globSync(pattern);
  const files = found.filter((path) => statSync(path).isFile()).map(withSlashes);
  if (files.length === 0) {
    const hint =
      found.length > 0
        ? `It is a directory: write ${withSlashes(found[0] ?? pattern)}/**/*.suite.ts`
        : 'Check the spelling, and quote patterns so that the shell does not expand them.';
    throw new HarnessFault('suite-unusable:no-file', { pattern, hint });
  }
  const other = files.find((file) => !/\.[cm]?[jt]sx?$/.test(file) || /\.d\.[cm]?ts$/.test(file));
  if (other !== undefined) {
    throw new HarnessFault('suite-unusable:not-code', { file: other });
  }
  return files;
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
