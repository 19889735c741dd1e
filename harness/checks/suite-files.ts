import { existsSync, globSync, statSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HarnessFault } from './faults.ts';

/** Directory that holds `suites`: the sources in a clone, `dist` in the package. */
export const ownRoot = fileURLToPath(new URL('../..', import.meta.url));

/** As our files end: `ts` in a clone, `js` in the package. */
export const sourceEnding = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

/** A surface is a directory of `suites`. Reports name surfaces too, and must not name other code than ours by them. */
const surfaceName = /^[a-z]+(?:-[a-z]+)*$/;

/** Our suites of these surfaces, relative to the directory that has `suites`, with slashes on every system. */
export function suiteFiles(surfaces: readonly string[], root = ownRoot): string[] {
  const named = surfaces.filter((surface) => surfaceName.test(surface));
  const patterns = named.map((surface) => `suites/${surface}/**/*.suite.${sourceEnding}`);
  return globSync(patterns, { cwd: root }).map(withSlashes).sort();
}

/**
 * The files of suites of the integrator's own, absolute and with slashes, each once.
 *
 * @param patterns absolute paths or patterns
 * @throws HarnessFault `suite-unusable` for a pattern that nothing matches, a directory, and what is not a code
 */
export function ownSuiteFiles(patterns: readonly string[]): string[] {
  return [...new Set(patterns.flatMap(filesOf))].sort();
}

function filesOf(pattern: string): string[] {
  // A name with brackets in it is a name first.
  const found = existsSync(pattern) ? [pattern] : globSync(pattern);
  const files = found.filter((path) => statSync(path).isFile()).map(withSlashes);
  if (files.length === 0) {
    const hint =
      found.length > 0
        ? `It is a directory: write ${withSlashes(found[0] ?? pattern)}/**/*.suite.ts`
        : 'Is it spelt right? Quote patterns, so that the shell leaves them alone.';
    throw new HarnessFault('suite-unusable', `suites: no file matches ${pattern}. ${hint}`);
  }
  const other = files.find((file) => !/\.[cm]?[jt]sx?$/.test(file) || /\.d\.[cm]?ts$/.test(file));
  if (other !== undefined) {
    throw new HarnessFault(
      'suite-unusable',
      `suites: expected files of TypeScript or JavaScript, received ${other}. Write a pattern that matches suites alone.`,
    );
  }
  return files;
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
