/**
 * `npm run mutate -- [--files GLOB]… [--at PATH:LINE]… [--sample N] [--seed S] [--jobs N] [--tests N] [--endpoints N]
 * [--json FILE] [--list]`: plants faults in our own checks, one at a time in a copy of the tree, and runs the units
 * that must detect each: the unit tests that load the file, then the endpoints of the proof whose run loads it. Prints
 * a table and the survivors. `--at` selects the faults of a line, or of a place with its column; `--tests` and
 * `--endpoints` limit what is run per fault, by default 20 test files and every endpoint; `--json` also writes
 * everything to a file; `--list` only prints the faults.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readEquivalents } from './equivalent-faults.ts';
import { describeAsJson, describeAsTable, labelFault } from './figures.ts';
import { findFaults, judgingFiles, sampleOf } from './find-faults.ts';
import { readImportGraph } from './import-graph.ts';
import { judgeFaults } from './judge-faults.ts';
import { proof } from './proof.ts';
import { readSuiteRequirements } from './suite-requirements.ts';
import { unitTests } from './unit-tests.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', multiple: true },
    at: { type: 'string', multiple: true },
    sample: { type: 'string' },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: '1' },
    tests: { type: 'string', default: '20' },
    endpoints: { type: 'string' },
    json: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
});
const root = fileURLToPath(new URL('../..', import.meta.url));
const { at } = values;
const found = findFaults(root, values.files ?? judgingFiles).filter(
  ({ path, line, column }) =>
    at === undefined || at.includes(`${path}:${line}`) || at.includes(`${path}:${line}:${column}`),
);
const faults = values.sample === undefined ? found : sampleOf(found, Number(values.sample), Number(values.seed));
console.log(`${found.length} faults can be planted; ${faults.length} of them are.`);
if (values.list) {
  for (const fault of faults) console.log(labelFault(fault));
} else {
  const graph = readImportGraph(root);
  const mostEndpoints = values.endpoints === undefined ? Infinity : Number(values.endpoints);
  const from = performance.now();
  const judged = await judgeFaults(faults, {
    root,
    packages: join(root, 'node_modules'),
    noticers: [unitTests(graph, Number(values.tests)), proof(graph, await readSuiteRequirements(), mostEndpoints)],
    equivalents: readEquivalents(),
    jobs: Number(values.jobs),
    onJudged: (fault) => {
      const seconds = Math.round((performance.now() - from) / 1000);
      const by = 'by' in fault ? ` by ${fault.by}` : '';
      console.log(`${seconds} s  ${fault.outcome}${by}: ${labelFault(fault)}`);
    },
  });
  console.log(`\n${describeAsTable(judged)}`);
  if (values.json !== undefined) await writeFile(values.json, describeAsJson(judged));
  process.exitCode = judged.some(({ outcome }) => outcome === 'survived') ? 1 : 0;
}
