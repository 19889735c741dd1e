/**
 * A process that certifies targets from a queue with a check that only takes time, for tests that kill it. Each accepted
 * result is a line of the file `accepted`.
 */
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Concurrency } from '../../fleet/concurrency.ts';
import { openStore } from '../../fleet/queue/open-store.ts';
import { QueuedClaims } from '../../fleet/queue/queued-claims.ts';
import { runFleet } from '../../fleet/run-fleet.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { certified } from './sample-fleet.ts';

const [directory = '', url = '', count = '0'] = process.argv.slice(2);
const night = '2026-10-12';
/** Milliseconds: the test waits for leases of killed processes. */
const leaseMs = 1_500;
const targets = Array.from({ length: Number(count) }, (_, at) => `target-${at}`);
await using store = await openStore(url, leaseMs);
using ledger = await openLedger(':memory:');
const work = mkdtempSync(join(directory, 'work-'));
const claims = new QueuedClaims(store, { night, targets, work, out: directory, ledger });
const complete = claims.complete.bind(claims);

await runFleet(
  {
    targets: targets.map((id) => ({ id, config: {}, environment: {}, windows: [], limits: {} })),
    night,
    beginUntil: Infinity,
    signal: new AbortController().signal,
  },
  {
    claims: Object.assign(claims, {
      complete: async (...[claim, result]: Parameters<typeof complete>) => {
        const isAccepted = await complete(claim, result);
        if (isAccepted) appendFileSync(join(directory, 'accepted'), `${claim.target} ${claim.token}\n`);
        return isAccepted;
      },
    }),
    concurrency: new Concurrency({ processors: 3, most: 3, now: 0 }),
    check: async (_, claim) => {
      process.stdout.write('started\n');
      mkdirSync(claims.place(claim));
      writeFileSync(join(claims.place(claim), 'report.json'), String(claim.token));
      await sleep(20);
      return { kind: 'report', certified: certified({ durationMs: claim.token }), isTooSlow: false };
    },
    emit: () => undefined,
    now: () => Date.now(),
  },
);
process.stdout.write('done\n');
