/**
 * `npm run bench -- [NAME…]`: measures the rows whose names begin with one of the arguments, by default all.
 * `--list` lists them, `--rounds N` changes the number of measurements, `--json` prints JSON, `--record` writes the
 * figures to bench/latest.json, from which `npm run generate -- benchmarks` makes docs/benchmarks.md.
 */
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { formatResult } from './format-result.ts';
import { measureRow, type RowResult } from './measure-row.ts';
import { recordLatest, thisMachine } from './results.ts';
import type { Row } from './row.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    list: { type: 'boolean' },
    record: { type: 'boolean' },
    rounds: { type: 'string' },
  },
});

const files = readdirSync(new URL('rows', import.meta.url)).toSorted();
const all: Row[] = [];
for (const file of files) all.push(...((await import(`./rows/${file}`)) as { rows: readonly Row[] }).rows);
const wanted = all.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name === part || name.startsWith(`${part}-`)),
);
if (wanted.length === 0) throw new Error(`No row is named ${positionals.join(', ')}; --list shows all names.`);

const measured: RowResult[] = [];
if (values.list === true) for (const { name, what } of wanted) console.log(`${name.padEnd(34)} ${what}`);
else for (const row of wanted) await measure(row);

const command = ['npm run bench', ...(positionals.length > 0 ? ['--', ...positionals] : [])].join(' ');
const results = { command, machine: thisMachine(), rows: measured };
if (values.json === true) console.log(JSON.stringify(results, undefined, 2));
if (values.record === true)
  await recordLatest(
    results,
    all.map(({ name }) => name),
  );
process.exit();

async function measure(row: Row): Promise<void> {
  const result = await measureRow(row, values.rounds === undefined ? undefined : Number(values.rounds));
  measured.push(result);
  if (values.json !== true) console.log(formatResult(result));
}
