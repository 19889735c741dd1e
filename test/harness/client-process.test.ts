import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runClient } from '../../harness/client/run-client.ts';

/** Milliseconds between two heartbeats of a process that is left behind. */
const beatMs = 20;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'client-'));
});
afterEach(async () => {
  await rm(directory, { recursive: true });
});

const start = (command: string, timeoutMs = 20_000, env: Record<string, string> = {}) =>
  runClient(command, { env, cwd: directory, timeoutMs });

/** Whether a process is still running. */
function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a client that is started', () => {
  it('runs in a shell, in its directory, with the variables that it is given', async () => {
    const exit = await start('echo "$SVC_BASE_URL" > given && pwd', 20_000, { SVC_BASE_URL: 'http://127.0.0.1:1' });
    expect(exit).toMatchObject({ how: 'exited', code: 0 });
    expect(await readFile(join(directory, 'given'), 'utf8')).toBe('http://127.0.0.1:1\n');
    expect(exit.output.trim().endsWith(directory)).toBe(true);
  });

  it('is reported by its exit code, and with the end of what it printed on both streams', async () => {
    const exit = await start('head -c 100000 /dev/zero | tr "\\0" x; echo last >&2; exit 3');
    expect(exit).toMatchObject({ how: 'exited', code: 3 });
    expect(exit.output).toMatch(/last/);
    expect(exit.output.length).toBeLessThanOrEqual(4_000);
  });

  it('is reported when a signal ended it', async () => {
    expect(await start('kill -KILL $$')).toMatchObject({ how: 'signalled' });
  });

  it('that cannot be found ends as the shell says', async () => {
    expect(await start('no-such-program-at-all')).toMatchObject({ how: 'exited', code: 127 });
  });

  it('that does not exit is ended, with what it started, and may end by itself first', async () => {
    const exit = await start(
      `sh -c 'trap "echo ended > by-itself; exit" TERM; echo $$ > pid; while :; do sleep 0.05; done'`,
      600,
    );
    expect(exit.how).toBe('timed-out');
    expect(await readFile(join(directory, 'by-itself'), 'utf8')).toBe('ended\n');
    expect(runs(Number(await readFile(join(directory, 'pid'), 'utf8')))).toBe(false);
  });

  it('leaves no process of its group behind, not even one that ignores signals', async () => {
    const exit = await start(`(trap '' TERM; while :; do echo x >> beats; sleep 0.02; done) & sleep 0.3`);
    expect(exit).toMatchObject({ how: 'exited', code: 0 });
    // Checked by heartbeats, not by process id: a process that has ended may still be listed.
    const beats = async () => (await stat(join(directory, 'beats'))).size;
    const before = await beats();
    expect(before).toBeGreaterThan(0);
    await new Promise((wake) => setTimeout(wake, 10 * beatMs));
    expect(await beats()).toBe(before);
  });
});
