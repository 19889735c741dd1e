import { readdirSync } from 'node:fs';
import type { Row } from './row.ts';

/** Every row, in the order of their files. */
export async function allRows(): Promise<readonly Row[]> {
  const files = readdirSync(new URL('rows', import.meta.url)).toSorted();
  const rows: Row[] = [];
  for (const file of files) rows.push(...((await import(`./rows/${file}`)) as { rows: readonly Row[] }).rows);
  return rows;
}
