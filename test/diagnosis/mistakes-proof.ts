import { parseArgs } from 'node:util';
import { everyMistake } from './mistakes/every-mistake.ts';
import { runMistake } from './mistakes/run-mistake.ts';

/**
 * Diagnoses every endpoint of mistakes/ and counts the results:
 * node test/diagnosis/mistakes-proof.ts [--only WORD] [--group NAME] [--show] [--write]
 */
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    group: { type: 'string' },
    show: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

const chosen = everyMistake.filter(
  ({ name, group }) => name.includes(values.only) && (values.group ?? group) === group,
);
const rows: { name: string; group: string; verdict: string; deliveries: number; seconds: number }[] = [];
for (const mistake of chosen) {
  const { verdict, diagnosis } = await runMistake(mistake);
  const { cause, suspects, deliveries, seconds } = diagnosis;
  rows.push({ name: mistake.name, group: mistake.group, verdict, deliveries, seconds });
  console.log(
    `${verdict.padEnd(8)} ${mistake.surface} ${mistake.name}: ${cause?.id ?? '-'} [${suspects.map(({ id }) => id).join(' ')}] ${deliveries} deliveries, ${seconds.toFixed(1)} s`,
  );
  if (values.show) console.log(diagnosis.note, diagnosis.stages);
}
const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) / 2)];
const spread = (numbers: number[]) => `${median(numbers)} / ${Math.max(...numbers)}`;
const count = (wanted: string) => rows.filter(({ verdict }) => verdict === wanted).length;
console.log(
  `${rows.length} endpoints: ${count('correct')} correct, ${count('partial')} partial, ${count('silent')} silent, ${count('wrong')} wrong; deliveries ${spread(rows.map(({ deliveries }) => deliveries))}, seconds ${spread(rows.map(({ seconds }) => seconds))}`,
);
