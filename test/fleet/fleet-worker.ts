/**
 * A process that certifies ten targets with a check that only takes time, for tests that kill it. Each accepted result is
 * a line of the file `accepted`.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Concurrency } from '../../fleet/concurrency.ts';
import { runFleet } from '../../fleet/run-fleet.ts';
import { LocalClaims } from '../../fleet/local-claims.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { certified } from './sample-fleet.ts';

const [directory = '', clock = '0'] = process.argv.slice(2);
const ledger = await openLedger(`${directory}/ledger.sqlite`);
const targets = Array.from({ length: 10 }, (_, at) => `target-${at}`);
const night = '2026-10-12';
// Each process is started after the leases of the one before are over.
const now = () => Number(clock) + Math.round(performance.now());
const claims = new LocalClaims({ ledger, out: directory, night, targets, now });
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
        if (isAccepted) appendFileSync(`${directory}/accepted`, `${claim.target} ${claim.token}\n`);
        return isAccepted;
      },
    }),
    concurrency: new Concurrency({ processors: 3, most: 3, now: 0 }),
    check: async (_, { token }) => {
      process.stdout.write('started\n');
      await sleep(20);
      return { kind: 'report', certified: certified({ durationMs: token }), isTooSlow: false };
    },
    emit: () => undefined,
    now,
  },
);
process.stdout.write('done\n');
