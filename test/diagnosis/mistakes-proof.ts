import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { runMistake } from './mistakes/run-mistake.ts';

/**
 * Diagnoses every endpoint of mistakes/ and counts the results. `--write` stores them for the page about the command;
 * with `--only` or `--group`, the stored results of the others stay. node test/diagnosis/mistakes-proof.ts [--only
 * WORD] [--group NAME] [--show] [--write]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    group: { type: 'string' },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const isPart = values.only !== '' || values.group !== undefined;
const figures: MistakeFigures = isPart ? (JSON.parse(await readFile(figuresFile, 'utf8')) as MistakeFigures) : {};
for (const mistake of everyMistake) {
  const { name, group, surface } = mistake;
  if (!name.includes(values.only) || (values.group ?? group) !== group) continue;
  const { verdict, diagnosis } = await runMistake(mistake);
  const { cause, suspects, deliveries, seconds } = diagnosis;
  figures[name] = { group, verdict, deliveries, seconds };
  const reported = `${cause?.id ?? '-'} [${suspects.map(({ id }) => id).join(' ')}]`;
  console.log(`${verdict.padEnd(8)} ${surface} ${name}: ${reported} ${deliveries} deliveries, ${seconds.toFixed(1)} s`);
  if (values.show) console.log(diagnosis.note);
}
if (values.write) {
  await writeFile(figuresFile, `${JSON.stringify(figures, null, 2)}\n`);
  const page = new URL('../../docs/diagnose.md', import.meta.url);
  await writeFile(page, withMistakeFigures(await readFile(page, 'utf8'), figures));
}
