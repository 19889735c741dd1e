/**
 * `node test/hostile/run-hostile.ts [--all] [PART,…]`: runs the command against hostile endpoints, each in a separate
 * process, and prints verdict, counts, seconds and peak memory. `--all` also prints every check that did not pass.
 */
import { parseArgs } from 'node:util';
import { checkHostile, describeRuns, type HostileRun } from './check-hostile.ts';
import { everyHostile } from './every-hostile.ts';

const { values, positionals } = parseArgs({ allowPositionals: true, options: { all: { type: 'boolean' } } });
const parts = positionals[0]?.split(',') ?? [''];
const runs: HostileRun[] = [];
for (const endpoint of everyHostile) {
  if (!parts.some((part) => endpoint.name.includes(part))) continue;
  const run = await checkHostile(endpoint);
  runs.push(run);
  const { code, peakMb, seconds, report, stderr } = run;
  const { verdict = stderr.slice(-500), summary, checks = [] } = report ?? {};
  console.log(
    `${endpoint.name.padEnd(28)} ${peakMb} MB  ${seconds} s  exit ${code}  ${verdict} ${JSON.stringify(summary)}`,
  );
  for (const check of values.all ? checks : []) {
    if (check.verdict !== 'pass') console.log(`  ${check.verdict} ${check.id}: ${check.message?.slice(0, 400)}`);
  }
}
console.log(describeRuns(runs));
