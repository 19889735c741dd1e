import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { RowResult } from './measure-row.ts';
import type { Row } from './row.ts';

/** What `npm run bench -- --json` prints. */
export interface BenchResults {
  rows: RowResult[];
}

/** The latest figures of every row, from which docs/benchmarks.md is generated. */
const latest = fileURLToPath(new URL('latest.json', import.meta.url));

export async function readLatest(): Promise<BenchResults> {
  return JSON.parse(await readFile(latest, 'utf8')) as BenchResults;
}

/** Replaces the figures of the rows that were measured. Rows that no longer exist are removed. */
export async function recordLatest(measured: readonly RowResult[], all: readonly Row[]): Promise<void> {
  const earlier = await readLatest().catch(() => undefined);
  const rows = updatedRows(earlier?.rows ?? [], measured, all);
  await writeFile(latest, `${JSON.stringify({ rows }, undefined, 2)}\n`);
}

/** The figures of every row that has any. A row that failed keeps its earlier ones. */
export function updatedRows(
  earlier: readonly RowResult[],
  measured: readonly RowResult[],
  all: readonly Pick<Row, 'name'>[],
): RowResult[] {
  const usable = measured.filter(({ failed }) => failed === undefined);
  const known = new Map([...earlier, ...usable].map((row) => [row.name, row]));
  return all.flatMap(({ name }) => known.get(name) ?? []);
}
