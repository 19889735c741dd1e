/**
 * `npm run bench -- [NAME…]`: measures the rows whose names begin with one of the arguments, by default all.
 * `--list` lists them, `--rounds N` changes the number of measurements, `--json` prints JSON, `--record` writes the
 * figures to bench/latest.json, from which `npm run generate -- benchmarks` makes docs/benchmarks.md. The exit code is 1
 * if a row could not be measured.
 */
import { parseArgs } from 'node:util';
import { allRows } from './all-rows.ts';
import { formatResult } from './format-result.ts';
import { measureRow, type RowResult } from './measure-row.ts';
import { recordLatest } from './results.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean' },
    list: { type: 'boolean' },
    record: { type: 'boolean' },
    rounds: { type: 'string' },
  },
});
const rounds = values.rounds === undefined ? undefined : Number(values.rounds);
if (rounds !== undefined && !(Number.isInteger(rounds) && rounds > 0)) {
  throw new Error(`expected a number of rounds of at least 1, received --rounds ${values.rounds}`);
}
const all = await allRows();
const wanted = all.filter(
  ({ name }) => positionals.length === 0 || positionals.some((part) => name === part || name.startsWith(`${part}-`)),
);
if (wanted.length === 0) throw new Error(`No row is named ${positionals.join(', ')}; --list shows all names.`);

const rows: RowResult[] = [];
if (values.list === true) for (const { name, what } of wanted) console.log(`${name.padEnd(34)} ${what}`);
else {
  for (const row of wanted) {
    const result = await measureRow(row, rounds);
    rows.push(result);
    if (values.json !== true) console.log(formatResult(result));
  }
  if (values.json === true) console.log(JSON.stringify({ rows }, undefined, 2));
  if (values.record === true) await recordLatest(rows, all);
}
process.exit(rows.some(({ failed }) => failed !== undefined) ? 1 : 0);
