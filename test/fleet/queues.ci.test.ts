import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lostResult, mostAttempts, mostFailures, nothingSent, type Certified, type Claim } from '../../fleet/ledger.ts';
import type { FleetStore, Job } from '../../fleet/queue/fleet-store.ts';
import { openStore } from '../../fleet/queue/open-store.ts';
import type { FleetReport } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { databases, type TestDatabase } from './databases.ts';
import { linkFleet } from './link-fleet.ts';
import { certified, failing } from './sample-fleet.ts';

const night = '2026-10-12';
/** Milliseconds: no lease ends while a test runs. */
const leaseMs = 60_000;
/** Milliseconds: so that tests of expired leases are quick. */
const shortLeaseMs = 300;
const worker = fileURLToPath(new URL('queue-worker.ts', import.meta.url));
const testMs = 180_000;

/** Runs a process until it ends, or kills it when it has started this many checks. Returns what it printed last. */
async function run(args: readonly string[], killAfter: number): Promise<string> {
  const child = spawn(process.execPath, [worker, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('started').length > killAfter) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.trim().split('\n').at(-1) ?? '';
}

describe.each(Object.entries(databases))('a fleet with a queue in %s', (name, start) => {
  if (!start) {
    it.skip(`needs ${name}, which is not installed here`, () => undefined);
    return;
  }
  let database: TestDatabase;
  let store: FleetStore;
  beforeAll(async () => {
    database = await start();
    store = await openStore(database.url, leaseMs);
  }, testMs);
  afterAll(async () => {
    // If the start failed, there is nothing to dispose.
    await (store as FleetStore | undefined)?.[Symbol.asyncDispose]();
    await (database as TestDatabase | undefined)?.[Symbol.asyncDispose]();
  });

  const claimed = async (target: string, { ledger } = store): Promise<Claim> => {
    const claim = await ledger.claim(target, night);
    if (typeof claim === 'string') throw new Error(`expected a claim of ${target}, received ${claim}`);
    return claim;
  };
  it('gives a target to one process, until its lease is over, and rejects the result of an older claim', async () => {
    const { ledger } = store;
    await using short = await openStore(database.url, shortLeaseMs);
    const report = new Map([['report.json', Buffer.from([0, 255, 10])]]);
    const old = await claimed('fenced');
    expect(await ledger.claim('fenced', night)).toBe('claimed');
    // The lease that is 300 ms from here is the only one that ends.
    expect(await short.ledger.renew(old, { messages: 4, calls: 2 })).toBe(true);
    let fresh: Claim | string = 'claimed';
    await expect
      .poll(async () => (fresh = await ledger.claim('fenced', night)), { timeout: 20_000 })
      .toMatchObject({ attempt: 2, sent: { messages: 4, calls: 2 } });
    const second = fresh as unknown as Claim;
    expect(second.token).toBeGreaterThan(old.token);
    expect(await ledger.renew(old, nothingSent)).toBe(false);
    expect(await ledger.complete(old, certified(), new Map([['report.json', Buffer.from('old')]]))).toBe(false);
    expect(await ledger.release(old, nothingSent, 'It was killed.')).toBe('superseded');
    expect(await ledger.finished(night)).toEqual([]);
    expect(await ledger.complete(second, failing('tls/expired'), report)).toBe(true);
    expect(await ledger.complete(old, certified(), report)).toBe(false);
    // Repeated, because the connection was lost before the answer.
    expect(await ledger.complete(second, certified(), new Map())).toBe(true);
    expect(await ledger.claim('fenced', night)).toBe('finished');
    expect(await ledger.entries(night)).toEqual([
      { target: 'fenced', night, attempt: 2, token: second.token, result: failing('tls/expired') },
    ]);
    expect(await ledger.report('fenced', night)).toEqual(report);
    expect(await ledger.nights()).toEqual([night]);
  });

  it('gives up a target after failed attempts, not after claims that were given back', async () => {
    const { ledger } = store;
    const again = await claimed('dies');
    expect(await ledger.release(again, { messages: 1, calls: 0 })).toBe('open');
    for (let at = 1; at < mostFailures; at++) {
      const claim = await claimed('dies');
      expect(claim.sent).toEqual({ messages: at, calls: 0 });
      expect(await ledger.release(claim, { messages: at + 1, calls: 0 }, `failure ${at}`)).toBe('open');
    }
    expect(await ledger.release(await claimed('dies'), nothingSent, 'the last')).toBe('failed');
    expect(await ledger.claim('dies', night)).toBe('finished');
    const entry = (await ledger.entries(night)).find(({ target }) => target === 'dies');
    expect(entry?.result).toEqual({ state: 'failed', reason: 'the last' });
  });

  it('gives up a target whose worker ends without a result each time', async () => {
    await using short = await openStore(database.url, shortLeaseMs);
    for (let at = 1; at < mostAttempts; at++) {
      expect(await store.ledger.release(await claimed('kills'), nothingSent)).toBe('open');
    }
    const last = await claimed('kills', short);
    expect(last.attempt).toBe(mostAttempts);
    await expect.poll(() => store.ledger.claim('kills', night), { timeout: 20_000 }).toBe('finished');
    expect(await store.ledger.complete(last, certified(), new Map())).toBe(false);
    const entry = (await store.ledger.entries(night)).find(({ target }) => target === 'kills');
    expect(entry?.result).toEqual(lostResult);
  });

  it('delivers each target once, again when it is put back, and no more when it is done', async () => {
    const { jobs } = store;
    const next = async (): Promise<Job> => {
      let job: Job | undefined;
      await expect.poll(async () => (job = await jobs.next()), { timeout: 10_000 }).toBeDefined();
      return job as unknown as Job;
    };
    await jobs.offer(night, ['a', 'b']);
    await jobs.offer(night, ['b', 'a']);
    const [one, other] = [await next(), await next()];
    expect([one.target, other.target].toSorted()).toEqual(['a', 'b']);
    expect(await jobs.next()).toBeUndefined();
    await one.renew();
    await one.putBack(1);
    await other.done();
    const again = await next();
    expect(again).toMatchObject({ target: one.target, night });
    await again.done();
    // Its job is that of another delivery now, or none.
    await one.done();
    await one.putBack(1);
    await jobs.offer(night, ['c']);
    const targets = [(await next()).target];
    for (let job = await jobs.next(); job; job = await jobs.next()) targets.push(job.target);
    expect(targets).toContain('c');
  });

  it('loses no target and certifies none twice, whichever process is killed', { timeout: testMs }, async () => {
    await using fresh = await start();
    await using directory = await temporaryDirectory();
    const [count, args] = [20, [directory.path, fresh.url, '20']];
    const killedAfter = Array.from({ length: 3 }, () => 1 + Math.floor(Math.random() * 5));
    const killed = killedAfter.map((after) => run(args, after));
    // The last one begins late enough for another to be killed before.
    const ended = [await Promise.race(killed), await run(args, Infinity), ...(await Promise.all(killed))];
    expect(ended[1], `killed after ${killedAfter.join(', ')} checks`).toBe('done');
    expect(ended).toContain('started');
    await using opened = await openStore(fresh.url);
    const { ledger } = opened;
    const entries = await ledger.entries(night);
    expect(entries).toHaveLength(count);
    const results = await Promise.all(
      entries.map(async ({ target, token, result }) => {
        expect((result as Certified).durationMs).toBe(token);
        expect(String((await ledger.report(target, night)).get('report.json'))).toBe(String(token));
        return `${target} ${token}`;
      }),
    );
    // A kill between the entry and the file loses the line, and never adds one.
    const accepted = (await readFile(directory.at('accepted'), 'utf8')).trim().split('\n');
    expect(new Set(accepted).size).toBe(accepted.length);
    expect(results).toEqual(expect.arrayContaining(accepted));
  });

  it('continues after a restart of the database, with tokens above those of before', { timeout: testMs }, async () => {
    await using fresh = await start();
    await using opened = await openStore(fresh.url, shortLeaseMs);
    const before = await claimed('restarted', opened);
    await fresh.restart();
    await opened.jobs.offer(night, ['restarted']);
    let after: Claim | string = 'claimed';
    await expect
      .poll(async () => (after = await opened.ledger.claim('restarted', night)), { timeout: 20_000 })
      .toMatchObject({ target: 'restarted' });
    expect((after as unknown as Claim).token).toBeGreaterThan(before.token);
    expect(await opened.ledger.complete(before, certified(), new Map())).toBe(false);
  });

  it('writes the same overview with all reports on every machine', { timeout: testMs }, async () => {
    await using directory = await linkFleet(6);
    const env = { FLEET_QUEUE: database.url };
    const fleet = (out: string) =>
      runCommand(
        ['fleet', 'targets.json', '--queue', 'env:FLEET_QUEUE', '--night', '2026-10-13', '--out', out, '--json'],
        { cwd: directory.path, env },
      );
    const fewer = ['--queue', 'env:FLEET_QUEUE', '--night', '2026-10-13', '--no-overview', '--json'];
    const workers = await Promise.all([
      fleet('one'),
      fleet('two'),
      runCommand(['fleet', 'targets.json', ...fewer], { cwd: directory.path, env }),
    ]);
    expect(await readdir(directory.path)).not.toContain('conformance-fleet');
    workers.push(await fleet('later'));
    const reports = workers.map(({ stdout }) => JSON.parse(stdout) as FleetReport);
    expect(workers.map(({ code }) => code)).toEqual([1, 1, 1, 1]);
    expect(reports[0]?.summary).toMatchObject({ conformant: 3, nonConformant: 3, notChecked: 0 });
    for (const report of reports) expect(report.targets).toEqual(reports[0]?.targets);
    for (const out of ['one', 'two', 'later']) {
      for (const { id } of reports[0]?.targets ?? []) {
        const written = (await readdir(directory.at(`${out}/targets/${id}`))).toSorted();
        expect(written).toEqual(['report.html', 'report.json']);
      }
    }
  });
});
