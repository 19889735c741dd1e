import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { plantableFaults, type PlantableFault } from './operators.ts';
import { keyOf } from './switches.ts';

/** A fault with its name in the switches. */
export interface PlantedFault extends PlantableFault {
  key: string;
}

/** Suites with their matchers, the drivers, and the code that decides whether a run passes. */
export const judgingFiles = [
  'suites/**/*.ts',
  'harness/wire/**/*.ts',
  'run/gate/*.ts',
  'reports/model/{apply-gate,compare-baseline,gate-status,gate-view,judge-waivers,verdict}.ts',
];

/** Every fault that can be planted in the files of these patterns, in the order of their paths. */
export function findFaults(root: string, patterns: readonly string[]): PlantedFault[] {
  const paths = globSync([...patterns], { cwd: root }).map((path) => path.replaceAll(sep, '/'));
  return [...new Set(paths)].sort().flatMap((path) => {
    const faults = plantableFaults(path, readFileSync(join(root, path), 'utf8'));
    return faults.map((fault, number) => ({ ...fault, key: keyOf(path, number) }));
  });
}

/** A sample of this size, chosen by the seed alone: a fault stays in the sample when others are added elsewhere. */
export function sampleOf(faults: readonly PlantedFault[], size: number, seed: number): PlantedFault[] {
  const rank = ({ path, line, column, operator, after }: PlantableFault) =>
    createHash('sha256')
      .update(JSON.stringify([seed, path, line, column, operator, after]))
      .digest('hex');
  const ranks = new Map(faults.map((fault) => [fault, rank(fault)]));
  const chosen = new Set(
    faults.toSorted((a, b) => ((ranks.get(a) ?? '') < (ranks.get(b) ?? '') ? -1 : 1)).slice(0, size),
  );
  return faults.filter((fault) => chosen.has(fault));
}
