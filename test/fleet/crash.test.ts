import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { leaseMs, type Certified } from '../../fleet/ledger.ts';
import { openLedger } from '../../fleet/sqlite-ledger.ts';
import { temporaryDirectory } from '../bin/run-command.ts';

const worker = fileURLToPath(new URL('fleet-worker.ts', import.meta.url));

/** Runs a process until it ends, or kills it when it has started this many checks. Returns what it printed last. */
async function run(directory: string, round: number, killAfter: number): Promise<string> {
  const clock = String(round * 2 * leaseMs);
  const child = spawn(process.execPath, [worker, directory, clock], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    if (output.split('started').length > killAfter) child.kill('SIGKILL');
  });
  await once(child, 'close');
  return output.trim().split('\n').at(-1) ?? '';
}

describe('a fleet whose process is killed', () => {
  it('continues where it stopped: each target has one result, of its last claim', { timeout: 120_000 }, async () => {
    await using directory = await temporaryDirectory();
    const killedAfter = Array.from({ length: 4 }, () => 1 + Math.floor(Math.random() * 5));
    const ends: string[] = [];
    for (const [round, killAfter] of [...killedAfter, Infinity].entries()) {
      ends.push(await run(directory.path, round, killAfter));
    }
    // All targets may be complete before the last kill.
    expect([ends[0], ends.at(-1)], `killed after ${killedAfter.join(', ')} checks`).toEqual(['started', 'done']);
    using ledger = await openLedger(directory.at('ledger.sqlite'));
    const entries = ledger.entries('2026-10-12');
    expect(entries).toHaveLength(10);
    const results = entries.map(({ target, token, result }) => {
      expect((result as Certified).durationMs).toBe(token);
      return `${target} ${token}`;
    });
    // A kill between the entry and the file loses the line, which a recovery repairs, and never adds one.
    const accepted = (await readFile(directory.at('accepted'), 'utf8')).trim().split('\n');
    expect(new Set(accepted).size).toBe(accepted.length);
    expect(results).toEqual(expect.arrayContaining(accepted));
  });

  it('shares its targets with another process', { timeout: 120_000 }, async () => {
    await using directory = await temporaryDirectory();
    const ends = await Promise.all([run(directory.path, 0, Infinity), run(directory.path, 0, Infinity)]);
    expect(ends).toEqual(['done', 'done']);
    const accepted = (await readFile(directory.at('accepted'), 'utf8')).trim().split('\n');
    expect(new Set(accepted.map((line) => line.split(' ')[0])).size).toBe(10);
    expect(accepted).toHaveLength(10);
  });
});
