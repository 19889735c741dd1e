import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, sep } from 'node:path';

/** The files that each file loads at run time. Paths are relative to the root, with forward slashes. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of all TypeScript files below a directory. */
export function readImportGraph(root: string): ImportGraph {
  const paths = globSync('**/*.ts', { cwd: root, exclude: (name) => /^(?:node_modules|dist|\.git)$/.test(name) });
  return new Map(paths.map(withSlashes).map((path) => [path, importsOf(path, readFileSync(join(root, path), 'utf8'))]));
}

/** Every file that loads this one, directly or not, with the number of imports between them. */
export function importersOf(graph: ImportGraph, path: string): Map<string, number> {
  const distances = new Map([[path, 0]]);
  for (const [reached, distance] of distances) {
    for (const [importer, imports] of graph) {
      if (imports.includes(reached) && !distances.has(importer)) distances.set(importer, distance + 1);
    }
  }
  distances.delete(path);
  return distances;
}

/** Whether a file loads another one, directly or not. */
export function loads(graph: ImportGraph, path: string, target: string): boolean {
  const seen = new Set([path]);
  for (const reached of seen) for (const next of graph.get(reached) ?? []) seen.add(next);
  return seen.has(target) && path !== target;
}

function importsOf(path: string, text: string): string[] {
  const targets = [
    ...text.matchAll(/^(?:import|export)\s(?!type\s)[^;]*?\sfrom\s'(\.[^']+)'/gm),
    ...text.matchAll(/\bimport\('(\.[^']+)'/g),
    ...text.matchAll(/^import\s'(\.[^']+)'/gm),
    // Processes that are started with a file.
    ...text.matchAll(/new URL\('([^']+\.ts)', import\.meta\.url\)/g),
  ].map(([, target = '']) => withSlashes(normalize(join(dirname(path), target))));
  return [...new Set(targets)];
}

function withSlashes(path: string): string {
  return path.replaceAll(sep, '/');
}
