/**
 * A process that certifies ten targets with a check that only takes time, for tests that kill it. Each accepted result is
 * a line of the file `accepted`.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Concurrency } from '../../fleet/concurrency.ts';
import { runFleet } from '../../fleet/run-fleet.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { certified } from './sample-fleet.ts';

const [directory = '', clock = '0'] = process.argv.slice(2);
const ledger = await openLedger(`${directory}/ledger.sqlite`);
const ids = Array.from({ length: 10 }, (_, at) => `target-${at}`);

await runFleet(
  {
    targets: ids.map((id) => ({ id, config: {}, environment: {}, windows: [], limits: {} })),
    night: '2026-10-12',
    beginUntil: Infinity,
    signal: new AbortController().signal,
  },
  {
    ledger,
    concurrency: new Concurrency({ processors: 3, most: 3, now: 0 }),
    check: async (_, { token }) => {
      process.stdout.write('started\n');
      await sleep(20);
      return { kind: 'report', certified: certified({ durationMs: token }), isTooSlow: false };
    },
    publish: ({ target, token }) => appendFileSync(`${directory}/accepted`, `${target} ${token}\n`),
    discard: async () => undefined,
    emit: () => undefined,
    // Each process is started after the leases of the one before are over.
    now: () => Number(clock) + Math.round(performance.now()),
  },
);
process.stdout.write('done\n');
