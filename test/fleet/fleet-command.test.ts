import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { isInShard } from '../../fleet/fleet-command.ts';
import { buildFleetReport } from '../../fleet/fleet-report.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import type { FleetEvent, FleetReport } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { program, runCommand, startCommand, temporaryDirectory, type Ended } from '../bin/run-command.ts';
import { certified, failing } from './sample-fleet.ts';

const secret = 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya';
const other = 'Qw3Er5Ty7Ui9Op2As4Df6Gh8Jk0Lz1Xc';
/** Milliseconds of one fleet, on a busy machine. */
const fleetMs = 240_000;

/** Links that are checked without any traffic, and an endpoint that does not exist. */
const targets = {
  defaults: { budgetSeconds: 20 },
  targets: [
    { id: 'good', config: { deepLinks: { file: 'good.txt' } } },
    { id: 'faulty', config: 'faulty.json' },
    {
      id: 'unreachable',
      config: { crmWebhook: { url: 'http://127.0.0.1:9/crm', token: 'env:CRM_TOKEN' } },
      environmentFile: 'unreachable.env',
    },
  ],
};

async function fleetDirectory() {
  const directory = await temporaryDirectory();
  await writeFile(directory.at('targets.json'), JSON.stringify(targets));
  await copyFile(new URL('../../examples/links.txt', import.meta.url), directory.at('good.txt'));
  await writeFile(directory.at('faulty.json'), JSON.stringify({ deepLinks: { file: 'faulty.txt' } }));
  await writeFile(directory.at('faulty.txt'), 'svc://call?nummer=1\n');
  await writeFile(directory.at('unreachable.env'), `CRM_TOKEN=${secret}\nOTHER=${other}\n`);
  return directory;
}

/** Everything that a command wrote. */
async function textsIn(directory: string): Promise<string> {
  const files = await readdir(directory, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe('svc-conform fleet', () => {
  let directory: Awaited<ReturnType<typeof fleetDirectory>>;
  let ended: Ended;
  let report: FleetReport;
  beforeAll(async () => {
    directory = await fleetDirectory();
    const args = ['fleet', 'targets.json', '--night', '2026-10-12', '--events', 'events.ndjson', '--json'];
    ended = await runCommand(args, { cwd: directory.path });
    report = JSON.parse(await readFile(directory.at('conformance-fleet/fleet.json'), 'utf8')) as FleetReport;
    return () => directory[Symbol.asyncDispose]();
  }, fleetMs);

  it('certifies each target and writes its report, an overview and fleet.json', async () => {
    expect(ended.code).toBe(1);
    expect(JSON.parse(ended.stdout)).toEqual(report);
    expect(validate('fleetReport', report)).toEqual([]);
    expect(report.targets.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['good', 'conformant'],
      ['faulty', 'non-conformant'],
      ['unreachable', 'incomplete'],
    ]);
    expect(report.causes.map(({ id, targets: own }) => [id, own])).toContainEqual(['network/refused', ['unreachable']]);
    for (const { id } of report.targets) {
      expect((await readdir(directory.at(`conformance-fleet/targets/${id}`))).toSorted()).toEqual([
        'report.html',
        'report.json',
      ]);
    }
    expect(await readFile(directory.at('conformance-fleet/index.html'), 'utf8')).toContain('targets/good/report.html');
    expect(ended.stderr).toContain('3/3 ');
  });

  it('writes its events', async () => {
    const lines = (await readFile(directory.at('events.ndjson'), 'utf8')).trim().split('\n');
    const events = lines.map((line) => JSON.parse(line) as FleetEvent);
    for (const event of events) expect(validate('fleetEvent', event)).toEqual([]);
    expect(events[0]).toMatchObject({ event: 'fleet-started', night: '2026-10-12', targets: 3, complete: 0 });
    expect(events.at(-1)).toMatchObject({ event: 'fleet-finished', exitCode: 1, verdict: 'non-conformant' });
    expect(events.filter(({ event }) => event === 'target-finished')).toHaveLength(3);
  });

  it('shows no secret anywhere', async () => {
    const written = (await textsIn(directory.at('conformance-fleet'))) + ended.stdout + ended.stderr;
    for (const value of [secret, other]) expect(written).not.toContain(value);
  });

  it('repeats nothing in the same night', async () => {
    const again = await runCommand(['fleet', 'targets.json', '--night', '2026-10-12'], { cwd: directory.path });
    expect([again.code, again.stderr.includes('3 targets, 3 of them already checked.')]).toEqual([1, true]);
    expect(again.stdout).toContain('network/refused: unreachable');
  });

  it('repeats the check of one target with the command of its report', { timeout: fleetMs }, async () => {
    const text = await readFile(directory.at('conformance-fleet/targets/faulty/report.json'), 'utf8');
    const { checks } = JSON.parse(text) as { checks: { verdict: string; reproduce?: string }[] };
    const command = checks.find(({ verdict }) => verdict === 'fail')?.reproduce;
    expect(command).toContain('check --config targets.json --target faulty');
  });

  it('merges directories into one, with the history that it has', async () => {
    const args = ['fleet', 'merge', 'conformance-fleet', '--out', 'merged', '--json'];
    const merged = await runCommand(args, { cwd: directory.path });
    expect(merged.code).toBe(1);
    const result = JSON.parse(merged.stdout) as FleetReport;
    expect(result.targets).toEqual(report.targets.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
    expect(result.causes.length).toBe(report.causes.length);
    expect(await readdir(directory.at('merged/targets'))).toHaveLength(3);
    const itself = await runCommand(['fleet', 'merge', 'merged', '--out', './merged'], { cwd: directory.path });
    expect([itself.code, (await readdir(directory.at('merged/targets'))).length]).toEqual([1, 3]);
    const twice = await runCommand(['fleet', 'merge', 'merged', 'conformance-fleet'], { cwd: directory.path });
    expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('is in more than one of')]);
  });
});

describe('svc-conform fleet merge', () => {
  it('needs all shards of one night, and makes the report of all targets of them', async () => {
    await using directory = await temporaryDirectory();
    const certify = async (index: number, over: Partial<FleetReport> = {}) => {
      const out = directory.at(`shard-${index}`);
      await mkdir(out);
      const id = `shop-${index}`;
      using ledger = await openLedger(join(out, 'ledger.sqlite'));
      const claim = ledger.claim(id, '2026-10-12', 0);
      if (claim) ledger.complete(claim, index === 1 ? failing('tls/expired') : certified());
      await mkdir(join(out, 'targets', id), { recursive: true });
      await writeFile(join(out, 'targets', id, 'report.json'), '{}');
      const [night, shard] = ['2026-10-12', { index, of: 2 }];
      const fleet = { version: '0.1.0', night, shard, startedAt: new Date(0), durationMs: 1, targets: [id] };
      const shardReport = { ...buildFleetReport(ledger, { ...fleet, without: new Map() }), ...over };
      await writeFile(join(out, 'fleet.json'), JSON.stringify(shardReport));
    };
    const merge = async (...places: string[]) => {
      const { code, stdout, stderr } = await runCommand(['fleet', 'merge', ...places, '--json'], {
        cwd: directory.path,
      });
      return { code, stderr, report: JSON.parse(stdout || '{}') as Partial<FleetReport> };
    };
    await certify(1);
    expect(await merge('shard-1')).toMatchObject({ code: 2, stderr: 'Shards of 2 are missing: 2.\n' });
    await certify(2);
    const both = await merge('shard-2', 'shard-1');
    expect([both.code, both.report.summary]).toMatchObject([1, { conformant: 1, nonConformant: 1 }]);
    expect(both.report.targets?.map(({ id }) => id)).toEqual(['shop-1', 'shop-2']);
    expect(both.report.causes).toMatchObject([{ id: 'tls/expired', targets: ['shop-1'] }]);
    expect(both.report.shard).toBeUndefined();
    expect(await readdir(directory.at('conformance-fleet/targets'))).toEqual(['shop-1', 'shop-2']);
    await certify(3, { night: '2026-10-13' });
    expect((await merge('shard-1', 'shard-3')).stderr).toContain('of different nights: 2026-10-12, 2026-10-13');
    await certify(4, { targets: [{ id: '../../elsewhere', state: 'complete', attempts: 1, report: 'x' }] });
    expect((await merge('shard-4')).stderr).toContain('this is not a report of svc-conform');
  });
});

describe('svc-conform fleet, ended', () => {
  it.skipIf(process.platform !== 'linux')('ends its checks, even if it is killed', { timeout: fleetMs }, async () => {
    await using directory = await fleetDirectory();
    const cwd = directory.path;
    // A check of it takes much longer than its end.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const connected = once(silent, 'connection');
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/crm`;
    const config = { crmWebhook: { url, token: 'env:CRM_TOKEN' } };
    const target = { id: 'silent', config, environmentFile: 'unreachable.env', budgetSeconds: 120 };
    await writeFile(directory.at('targets.json'), JSON.stringify({ targets: [target] }));
    const fleet = spawn(process.execPath, [program, 'fleet', 'targets.json'], { cwd, stdio: 'ignore' });
    const children = await vi.waitFor(
      async () => {
        const pids = await readFile(`/proc/${fleet.pid}/task/${fleet.pid}/children`, 'utf8');
        expect(pids).not.toBe('');
        return pids.trim().split(' ').map(Number);
      },
      { timeout: 30_000 },
    );
    await connected;
    fleet.kill('SIGKILL');
    const isAlive = (pid: number) => existsSync(`/proc/${pid}/exe`);
    await vi.waitFor(() => expect(children.filter(isAlive)).toEqual([]), { timeout: 20_000 });
    silent.close();
  });

  it('gives its claims back when it is stopped, and continues later', { timeout: fleetMs }, async () => {
    await using directory = await fleetDirectory();
    const running = startCommand(['fleet', 'targets.json', '--events', 'events.ndjson'], { cwd: directory.path });
    await running.reported('3 targets');
    running.kill('SIGTERM');
    expect((await running.ended).code).toBe(143);
    const stopped = JSON.parse(await readFile(directory.at('conformance-fleet/fleet.json'), 'utf8')) as FleetReport;
    expect(stopped.summary.notChecked).toBeGreaterThan(0);
    expect(await readdir(directory.at('conformance-fleet/work')).catch(() => [])).toEqual([]);
    expect(await readFile(directory.at('events.ndjson'), 'utf8')).toContain('fleet-stopped');
    const later = await runCommand(['fleet', 'targets.json', '--json'], { cwd: directory.path });
    expect([later.code, (JSON.parse(later.stdout) as FleetReport).summary.notChecked]).toEqual([1, 0]);
  });
});

describe('svc-conform fleet, given wrong values', () => {
  it('refuses them, and reports a target that cannot be used', async () => {
    await using directory = await fleetDirectory();
    const run = async (...args: string[]) => {
      const { code, stderr } = await runCommand(['fleet', ...args], { cwd: directory.path });
      return `${code} ${stderr}`;
    };
    expect(await run('missing.yaml')).toContain('2 missing.yaml: there is no such file.');
    expect(await run('targets.json', '--night', 'today')).toContain('expected a date such as 2026-10-12');
    expect(await run('targets.json', '--json', '--events', '-')).toContain('2 --json and --events -');
    expect(await run('targets.json', '--queue', 'http://x')).toContain('2 --queue: expected redis://');
    expect(await run('targets.json', '--queue', 'env:NO_QUEUE')).toContain(
      '2 --queue env:NO_QUEUE: expected an address',
    );
    expect(await run('targets.json', '--queue', 'redis://x', '--shard', '1/2')).toContain('2 --queue distributes');
    expect(await run('targets.json', '--no-overview')).toContain('2 --no-overview is for a worker of --queue');
    const closed = await Promise.all(
      ['redis://:word@127.0.0.1:9', 'postgres://me:word@127.0.0.1:9/x'].map(async (url) => {
        expect(await run('targets.json', '--queue', url)).toMatch(/^2 --queue: expected env:NAME/);
        const args = ['fleet', 'targets.json', '--queue', 'env:FLEET_QUEUE'];
        const { code, stderr } = await runCommand(args, { cwd: directory.path, env: { FLEET_QUEUE: url } });
        return `${code} ${stderr}`;
      }),
    );
    for (const text of closed) {
      expect(text).toMatch(/^3 .*The queue at (redis|postgres):\/\/127\.0\.0\.1:9 cannot be used: .*ECONNREFUSED/);
      expect(text).not.toContain('word');
    }
    await writeFile(directory.at('bad.json'), JSON.stringify({ targets: [{ id: 'bad', config: { chat: {} } }] }));
    const bad = await run('bad.json');
    expect(bad).toMatch(/^2 /);
    expect(bad).toContain('bad.json (target bad) is not valid:\n  chat.url: expected');
    expect(await run('merge', 'nothing')).toContain('2 nothing/fleet.json cannot be read');
  });
});

describe('shards', () => {
  it('have each target once', () => {
    const ids = Array.from({ length: 200 }, (_, at) => `shop-${at}`);
    for (const id of ids) {
      const shards = [1, 2, 3, 4].filter((index) => isInShard(id, { index, of: 4 }));
      expect(shards).toHaveLength(1);
    }
    const first = ids.filter((id) => isInShard(id, { index: 1, of: 4 }));
    expect(first.length).toBeGreaterThan(25);
    expect(isInShard('shop-1', undefined)).toBe(true);
  });
});
