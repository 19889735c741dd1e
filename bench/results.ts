import { readFile, writeFile } from 'node:fs/promises';
import { cpus, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { RowResult } from './measure-row.ts';

/** The machine and the program that measured. */
export interface Machine {
  processors: string;
  memoryGigabytes: number;
  system: string;
  node: string;
}

/** What `npm run bench -- --json` prints. */
export interface BenchResults {
  command: string;
  machine: Machine;
  rows: RowResult[];
}

/** The latest figures of every row, from which docs/benchmarks.md is generated. */
const latest = fileURLToPath(new URL('latest.json', import.meta.url));

export function thisMachine(): Machine {
  const [first, ...others] = cpus();
  return {
    processors: `${others.length + 1} × ${first?.model.trim() ?? 'unknown'}`,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release().split('-', 1)[0]}`,
    node: process.version,
  };
}

export async function readLatest(): Promise<BenchResults> {
  return JSON.parse(await readFile(latest, 'utf8')) as BenchResults;
}

/** Replaces the figures of these rows. Rows that no longer exist are removed. */
export async function recordLatest(measured: BenchResults, names: readonly string[]): Promise<void> {
  const earlier = await readLatest().catch(() => undefined);
  const known = new Map([...(earlier?.rows ?? []), ...measured.rows].map((row) => [row.name, row]));
  const rows = names.flatMap((name) => known.get(name) ?? []);
  await writeFile(latest, `${JSON.stringify({ ...measured, command: 'npm run bench', rows }, undefined, 2)}\n`);
}
