import { readFile, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { reasonMissing } from '../independent/start-endpoint.ts';
import { everyMistake } from './mistakes/every-mistake.ts';
import { figuresFile, withMistakeFigures, type MistakeFigures } from './mistakes/mistake-figures.ts';
import { disagreements, explainedChecks, runsFile, type RecordedRun } from './mistakes/check-mistake.ts';
import { recordRun } from './mistakes/record-run.ts';
import { runMistake } from './mistakes/run-mistake.ts';

/**
 * Diagnoses every endpoint of mistakes/ and counts the results. `--write` stores them for the page about the command; those
 * that did not run keep theirs.
 * `--check` also runs the checks and compares the causes that they report; `--write` then stores what they have shown. Ends
 * with 1 for an incorrect cause, or one of `check` that the diagnosis contradicts.
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

const stored = async <T>(file: URL): Promise<Record<string, T>> =>
  JSON.parse(await readFile(file, 'utf8')) as Record<string, T>;
const own: { figures: MistakeFigures; runs: Record<string, RecordedRun> } = { figures: {}, runs: {} };
for (const mistake of everyMistake) {
  const { name, group, surface, framework } = mistake;
  if (!name.includes(values.only) || (values.group ?? group) !== group) continue;
  // Those that cannot run on this machine keep their figures.
  if (framework && (await reasonMissing(framework)) !== undefined) continue;
  const { verdict, found } = await runMistake(mistake);
  const { cause, suspects, deliveries, seconds, note } = found.diagnosis;
  own.figures[name] = { group, verdict, deliveries, seconds };
  if (verdict === 'wrong') process.exitCode = 1;
  const reported = `${cause?.id ?? '-'} [${suspects.map(({ id }) => id).join(' ')}]`;
  console.log(
    `${verdict.padEnd(12)} ${surface} ${name}: ${reported} ${deliveries} deliveries, ${seconds.toFixed(1)} s`,
  );
  if (values.show) console.log(note);
  if (!values.check) continue;
  const run = (own.runs[name] = await recordRun(mistake));
  for (const sentence of disagreements(await explainedChecks(mistake, run), mistake, found)) {
    process.exitCode = 1;
    console.log(`  check reports for ${sentence}`);
  }
}
if (values.write) {
  // Others may have been written in the meantime.
  const [figures, runs] = [await stored(figuresFile), await stored(runsFile)];
  await writeFile(figuresFile, `${JSON.stringify(ordered({ ...figures, ...own.figures }), null, 2)}\n`);
  await writeFile(runsFile, formatRuns(ordered({ ...runs, ...own.runs })));
  const page = new URL('../../docs/diagnose.md', import.meta.url);
  const shown = ordered<MistakeFigures[string]>({ ...figures, ...own.figures } as MistakeFigures);
  await writeFile(page, withMistakeFigures(await readFile(page, 'utf8'), shown));
}

/** Those of the endpoints that there are, in their order. */
function ordered<T>(all: Readonly<Record<string, T>>): Record<string, T> {
  const known = everyMistake.flatMap(({ name }) => (name in all ? [[name, all[name] as T] as const] : []));
  return Object.fromEntries(known);
}

/** One line for each endpoint. */
function formatRuns(all: Readonly<Record<string, unknown>>): string {
  const lines = Object.entries(all).map(([name, run]) => `  ${JSON.stringify(name)}: ${JSON.stringify(run)}`);
  return `{\n${lines.join(',\n')}\n}\n`;
}
