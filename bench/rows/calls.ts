import type { HeldCalls } from '../processes/held-calls.ts';
import type { Row } from '../row.ts';
import { runProcess, startEndpoint } from '../start-process.ts';

/** Calls of one process whose throughput is measured, and of one whose memory is. */
const calls = 1_000;
const manyCalls = 2_000;

export const rows: readonly Row[] = [
  {
    name: 'calls',
    what: `calls with correct verdicts, ${calls} at once: connect, three sentences, end`,
    unit: 'calls/s',
    better: 'more',
    run: async (compare) => {
      using endpoint = await startEndpoint('call-endpoint.ts');
      const perSecond = async (how: 'ours' | 'bare') => {
        const { tookMs } = await hold(how, calls, endpoint.url);
        return calls / (tookMs / 1000);
      };
      await compare(
        () => perSecond('ours'),
        [{ name: 'bare ws, the same dialogue', goal: { ratio: 0.7 }, measure: () => perSecond('bare') }],
      );
    },
  },
  {
    name: 'calls-memory',
    what: `peak memory of a process with ${manyCalls} calls at once, all with correct verdicts`,
    unit: 'MB',
    better: 'less',
    goal: 400,
    rounds: 3,
    run: async (compare) => {
      using endpoint = await startEndpoint('call-endpoint.ts');
      const peak = async (how: 'ours' | 'bare') => (await hold(how, manyCalls, endpoint.url)).megabytes;
      await compare(() => peak('ours'), [{ name: 'bare ws, the same dialogue', measure: () => peak('bare') }]);
    },
  },
];

async function hold(how: 'ours' | 'bare', count: number, url: string): Promise<HeldCalls> {
  const held = await runProcess<HeldCalls>('held-calls.ts', how, String(count), url);
  if (held.correct !== count) throw new Error(`expected ${count} correct calls, received ${held.correct}`);
  return held;
}
