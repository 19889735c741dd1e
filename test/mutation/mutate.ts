/**
 * `npm run mutate -- [--files GLOB]… [--at PATH:LINE]… [--sample N] [--seed S] [--jobs N] [--endpoints N] [--tests N]
 * [--minutes N] [--results FILE] [--again] [--list]`: plants faults in our own checks, each behind a switch, and runs the units
 * that must detect each: the endpoints of the proof that reach it, then the unit tests that load its file. Prints a table
 * and the survivors. `--at` selects the faults of a line, or of a place with its column; `--endpoints` and `--tests` limit
 * what is run per fault, by default 60 endpoints and 12 test files; `--minutes` begins no endpoint and no fault later. `--results` adds
 * each result to a file of JSON lines, and omits the faults that it contains already; with `--again`, only those that were
 * killed or are equivalent, for a second pass with more endpoints and tests. `--list` only prints the faults.
 */
import { appendFile, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readEquivalents } from './equivalent-faults.ts';
import { describeAsTable, labelFault } from './figures.ts';
import { findFaults, judgingFiles, sampleOf } from './find-faults.ts';
import { readImportGraph } from './import-graph.ts';
import { judgeFaults, type JudgedFault } from './judge-faults.ts';
import { PlantedSources } from './planted-sources.ts';
import { proof } from './proof.ts';
import { readReach } from './reach.ts';
import { unitTests } from './unit-tests.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    at: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '4' },
    endpoints: { type: 'string', default: '60' },
    tests: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '1000' },
    results: { type: 'string' },
    again: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const { at, results } = values;
const found = findFaults(root, values.files ?? judgingFiles).filter(
  ({ path, line, column }) =>
    at === undefined || at.includes(`${path}:${line}`) || at.includes(`${path}:${line}:${column}`),
);
const faults = values.sample === undefined ? found : sampleOf(found, Number(values.sample), Number(values.seed));
console.log(`${found.length} faults can be planted; ${faults.length} of them are.`);
if (values.list) {
  for (const fault of faults) console.log(labelFault(fault));
} else {
  const jobs = Number(values.jobs);
  const earlier = results === undefined ? [] : await readResults(results);
  const isSettled = ({ outcome }: JudgedFault) => outcome === 'killed' || outcome === 'equivalent' || !values.again;
  const known = new Set(earlier.filter(isSettled).map(labelFault));
  const from = performance.now();
  await using sources = await PlantedSources.write(root, [...judgingFiles, ...(values.files ?? [])]);
  const withinMs = Number(values.minutes) * 60_000;
  const mostEndpoints = Number(values.endpoints);
  const file = join(tmpdir(), 'svc-conform-fault-reach.json');
  const reach = await readReach(sources, {
    file,
    root,
    paths: new Set(faults.map(({ path }) => path)),
    jobs,
    // Unit tests alone need no reach.
    withinMs: mostEndpoints === 0 ? 0 : withinMs,
  });
  await using endpoints = proof(sources, reach, mostEndpoints);
  await using tests = unitTests(sources, root, readImportGraph(root), Number(values.tests));
  const judged = await judgeFaults(
    faults.filter((fault) => !known.has(labelFault(fault))),
    {
      noticers: [endpoints, tests],
      equivalents: readEquivalents(),
      jobs,
      withinMs: withinMs - (performance.now() - from),
      onJudged: (fault) => {
        const seconds = Math.round((performance.now() - from) / 1000);
        const by = 'by' in fault ? ` by ${fault.by}` : '';
        console.log(`${seconds} s  ${fault.outcome}${by}: ${labelFault(fault)}`);
        if (results !== undefined) void appendFile(results, `${JSON.stringify(fault)}\n`);
      },
    },
  );
  const selected = new Set(faults.map(labelFault));
  const latest = new Map([...earlier, ...judged].map((fault) => [labelFault(fault), fault]));
  const all = [...latest.values()].filter((fault) => selected.has(labelFault(fault)));
  console.log(`\n${describeAsTable(faults, all)}`);
  process.exitCode = all.some(({ outcome }) => outcome === 'survived') ? 1 : 0;
}

async function readResults(file: string): Promise<JudgedFault[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JudgedFault);
}
