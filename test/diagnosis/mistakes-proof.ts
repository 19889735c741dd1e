import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { causesOfCheck, failuresFile, withoutReported, type RecordedFailure } from './mistakes/check-mistake.ts';
import { recordFailures } from './mistakes/record-failures.ts';
import { runMistake } from './mistakes/run-mistake.ts';

/**
 * Diagnoses every endpoint of mistakes/ and counts the results. `--write` stores them for the page about the command; with
 * `--only` or `--group`, the others keep theirs.
 * `--check` also runs the checks and compares the causes that they report; `--write` then stores the failures.
 * node test/diagnosis/mistakes-proof.ts [--only WORD] [--group NAME] [--check] [--show] [--write]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    group: { type: 'string' },
    check: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const isPart = values.only !== '' || values.group !== undefined;
const stored = async <T>(file: URL): Promise<Record<string, T>> =>
  isPart ? (JSON.parse(await readFile(file, 'utf8')) as Record<string, T>) : {};
const figures: MistakeFigures = await stored(figuresFile);
const failures = await stored<RecordedFailure[]>(failuresFile);
for (const mistake of everyMistake) {
  const { name, group, surface } = mistake;
  if (!name.includes(values.only) || (values.group ?? group) !== group) continue;
  const { verdict, diagnosis } = await runMistake(mistake);
  const { cause, suspects, deliveries, seconds } = diagnosis;
  figures[name] = { group, verdict, deliveries, seconds };
  const reported = `${cause?.id ?? '-'} [${suspects.map(({ id }) => id).join(' ')}]`;
  if (values.check) {
    failures[name] = await recordFailures(mistake);
    const others = withoutReported(await causesOfCheck(mistake, failures[name]), diagnosis);
    if (others.length > 0) console.log(`check reports another cause: ${others.join(' ')}`);
  }
  console.log(`${verdict.padEnd(8)} ${surface} ${name}: ${reported} ${deliveries} deliveries, ${seconds.toFixed(1)} s`);
  if (values.show) console.log(diagnosis.note);
}
if (values.write) {
  await writeFile(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  if (values.check) await writeFile(failuresFile, formatFailures(failures));
  const page = new URL('../../docs/diagnose.md', import.meta.url);
  await writeFile(page, withMistakeFigures(await readFile(page, 'utf8'), figures));
}

/** One line for each endpoint. */
function formatFailures(all: Readonly<Record<string, readonly RecordedFailure[]>>): string {
  const lines = Object.entries(all).map(([name, own]) => `  ${JSON.stringify(name)}: ${JSON.stringify(own)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
