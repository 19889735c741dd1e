/** `node test/hostile/run-hostile.ts [PART,…]`: checks hostile endpoints, prints verdict, seconds and peak memory of each. */
import { everyHostile } from './every-hostile.ts';
import { checkHostile } from './check-hostile.ts';

const parts = process.argv[2]?.split(',');
for (const endpoint of everyHostile) {
  if (parts && !parts.some((part) => endpoint.name.includes(part))) continue;
  const { code, peakMb, seconds, report, stderr } = await checkHostile(endpoint);
  const of = (verdict: string) => report?.checks.filter((one) => one.verdict === verdict).length;
  console.log(
    `${endpoint.name.padEnd(28)} exit ${code} ${report?.verdict ?? stderr.slice(-500)} ${peakMb} MB ${seconds} s pass ${of('pass')} fail ${of('fail')} blocked ${of('blocked')} not-exercised ${of('not-exercised')}`,
  );
  if (process.env.SHOW)
    for (const { id, verdict, message } of report?.checks ?? [])
      if (verdict !== 'pass') console.log(`    ${verdict} ${id}: ${message?.slice(0, 300)}`);
}
