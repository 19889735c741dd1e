import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endpointProcess } from './endpoint-process.ts';
import type { HeldCalls } from './held-calls.ts';

/** Calls that one process holds at once. */
const loads = [200, 500, 1_000];
/** Bytes of memory that the process of the largest load may use in total. */
const goalBytes = 400_000_000;

/** Runs one load in a separate process, so that the memory of the process is that of the load. */
async function load(how: 'ours' | 'bare', calls: number, url: string): Promise<HeldCalls> {
  const child = fork(fileURLToPath(new URL('held-calls.ts', import.meta.url)), [how, String(calls), url]);
  const [result] = (await once(child, 'message')) as [HeldCalls];
  await once(child, 'exit');
  return result;
}

const describe = ({ right, calls, rssBytes, idleRssBytes, tookMs }: HeldCalls) =>
  `${right} of ${calls} correct, ${(rssBytes / 1e6).toFixed(0)} MB in total, ${((rssBytes - idleRssBytes) / calls / 1e3).toFixed(0)} kB per call, ${(tookMs / 1e3).toFixed(1)} s`;

using endpoint = await endpointProcess('holding-endpoint.ts', '50');
console.log('Calls that one process holds at once, each with three answers of the endpoint');
for (const calls of loads) {
  const bare = await load('bare', calls, endpoint.url);
  const ours = await load('ours', calls, endpoint.url);
  console.log(`  ${calls} at once`);
  console.log(`    baseline ${describe(bare)}`);
  console.log(`    ours     ${describe(ours)}`);
  console.log(`    ratio    ${(ours.rssBytes / bare.rssBytes).toFixed(2)} of the memory`);
  if (calls !== loads.at(-1)) continue;
  const met = ours.right === calls && ours.rssBytes < goalBytes;
  console.log(`    goal     all correct under ${goalBytes / 1e6} MB: ${met ? 'met' : 'missed'}`);
}
