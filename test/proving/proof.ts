/**
 * `node test/proving/proof.ts [--only NAME,…] [--variants] [--steady] [--tls] [--times N] [--busy] [--at-once N]
 * [--verdicts FILE] [--all] [--write]`: runs the proof and prints unexpected results.
 *
 * - `--only` selects by names or parts of them; `--variants` omits the mutants; `--steady` selects ten variants
 *   whose verdicts must be the same in every run, by default of 20; `--tls` reaches the endpoints over TLS.
 * - `--times` repeats it and prints the checks whose verdicts differ, `--busy` with another process on each processor.
 * - `--at-once` is the number of endpoints at a time.
 * - `--verdicts` adds the verdicts of each run to a file, and compares those that it contains, too.
 * - `--all` also prints expected failures; `--write` updates the kill matrix and the checks that must pass for these
 *   endpoints.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { busyProcessors } from './busy-processors.ts';
import { proofEndpoints } from './proof-endpoints.ts';
import type { ProofResult } from './prove.ts';
import { runProof } from './run-proof.ts';

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    times: { type: 'string' },
    steady: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    variants: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    tls: { type: 'boolean', default: false },
    busy: { type: 'boolean', default: false },
    'at-once': { type: 'string' },
    verdicts: { type: 'string' },
  },
});
/** Ten variants of all surfaces, some with answers of other requests or of long waits. */
const steady = [
  'the-right-one',
  'phone-the-right-one',
  'client-the-right-one',
  'always-by-callback',
  'reply-with-bearer',
  'hook-notes-every-event',
  'one-request-at-a-time',
  'phone-skill-by-key',
  'phone-skill-without-a-word',
  'phone-tries-again-when-refused',
];
const times = Number(values.times ?? (values.steady ? 20 : 1));
const wanted = values.only?.split(',') ?? (values.steady ? steady : undefined);
const names = [...proofEndpoints.keys()]
  .filter(
    (name) =>
      wanted === undefined || wanted.some((part) => (proofEndpoints.has(part) ? name === part : name.includes(part))),
  )
  .filter((name) => !values.variants || proofEndpoints.get(name)?.breaks === undefined);
const from = performance.now();
const failed: string[] = [];
const results: ProofResult[] = [];
using _busy = values.busy ? busyProcessors() : undefined;
const atOnce = values['at-once'];
const concurrency = atOnce === undefined ? undefined : { processes: Number(atOnce), lanes: 1 };
const transport = values.tls ? 'tls' : 'plain';
for (let time = 0; time < times; time++) {
  results.push(...(await runProof(names, 'whole', transport, (result) => console.log(line(result)), concurrency)));
}
const mutants = results.filter(({ name }) => proofEndpoints.get(name)?.breaks !== undefined);
console.log(
  `${mutants.length} faults planted, ${mutants.filter(({ caught }) => caught).length} caught; ` +
    `${results.filter(({ accusations }) => accusations.length > 0).length} of ${results.length} endpoints wrongly accused; ` +
    `${Math.round((performance.now() - from) / 1000)} s`,
);
const seconds = results.map(({ ms }) => ms / 1000).sort((a, b) => a - b);
console.log(
  `one endpoint: ${seconds[seconds.length >> 1]?.toFixed(1)} s in the median, ${seconds.at(-1)?.toFixed(1)} s at most`,
);
if (values.verdicts !== undefined || times > 1) await reportDifferences();
if (failed.length > 0) console.log(`not as expected: ${[...new Set(failed)].join(', ')}`);
if (values.write && !values.variants) {
  const { writeKillMatrix } = await import('./kill-matrix.ts');
  const { writePassedChecks } = await import('./passed-checks.ts');
  await writeKillMatrix(results.slice(0, names.length));
  await writePassedChecks(results);
}
process.exitCode = failed.length > 0 ? 1 : 0;

/** Prints the number of runs with the usual verdicts of their endpoint, and the checks whose verdicts differ. */
async function reportDifferences(): Promise<void> {
  const lines = results.map((result) => JSON.stringify({ name: result.name, verdicts: verdictsOf(result) }));
  if (values.verdicts !== undefined) {
    await appendFile(values.verdicts, lines.map((one) => `${one}\n`).join(''));
    lines.splice(0, Infinity, ...(await readFile(values.verdicts, 'utf8')).trim().split('\n'));
  }
  const runs = lines.map((one) => JSON.parse(one) as { name: string; verdicts: Record<string, string> });
  let same = 0;
  const differing = [...Map.groupBy(runs, ({ name }) => name)].flatMap(([name, ofName]) => {
    const equal = Map.groupBy(ofName, ({ verdicts }) => JSON.stringify(verdicts));
    same += Math.max(...[...equal.values()].map(({ length }) => length));
    const ids = [...new Set(ofName.flatMap(({ verdicts }) => Object.keys(verdicts)))];
    return ids.flatMap((id) => {
      const given = Map.groupBy(ofName, ({ verdicts }) => verdicts[id] ?? 'not judged');
      const counts = [...given].map(([verdict, { length }]) => `${verdict} ${length}`);
      return counts.length === 1 ? [] : [`  ${name}: ${id}: ${counts.join(', ')}`];
    });
  });
  console.log(`${same} of ${runs.length} runs had the usual verdicts of their endpoint`);
  for (const one of differing) console.log(one);
}

/** The verdicts of a run by check, sorted; checks that judged nothing are missing. */
function verdictsOf({ passed, complaints }: ProofResult): Record<string, string> {
  const verdicts = [...passed.map((id) => [id, 'pass']), ...complaints.map(({ check, verdict }) => [check, verdict])];
  return Object.fromEntries(verdicts.sort()) as Record<string, string>;
}

function line({ name, caught, catchers, accusations, complaints, checks, passed, ms }: ProofResult): string {
  const breaks = proofEndpoints.get(name)?.breaks;
  const right = (breaks === undefined || caught) && accusations.length === 0;
  if (!right) failed.push(name);
  const lines = [
    ...(breaks !== undefined && !caught ? [`  NOT CAUGHT: ${breaks}`] : []),
    ...accusations
      .slice(0, 5)
      .map(({ check, verdict, message }) => `  ${verdict === 'fail' ? 'ACCUSED' : 'BLOCKED'}: ${check}: ${message}`),
    ...(accusations.length > 5 ? [`  and ${accusations.length - 5} more`] : []),
    ...(values.all
      ? complaints
          .filter((one) => !accusations.includes(one))
          .map(({ check, message }) => `  expected: ${check}: ${message}`)
      : []),
  ];
  return [
    `${right ? 'ok ' : 'NO '} ${name} (${catchers.length} caught it; ${passed.length}/${checks} pass, ${ms} ms)`,
    ...lines,
  ].join('\n');
}
