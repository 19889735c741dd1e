import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { endGroup, reportGroup } from '../container/process-group.ts';

/** How a client that we started came to its end. */
export interface ClientExit {
  /** `timed-out`: it was still running and was ended by us. */
  how: 'exited' | 'signalled' | 'timed-out' | 'not-started';
  /** Exit code, where it exited. */
  code?: number;
  /** The latest of what it printed on both streams, bounded. Secrets are still in it. */
  output: string;
}

/** Characters of a client's output that are kept: its end, where the reason of a failure stands. */
const keptOutput = 4_000;
/** Milliseconds that a client has to end by itself after it was asked to. */
const endingMs = 2_000;

/**
 * Starts a command in a shell in the directory `cwd`, with these variables added to our environment, and waits for its end, at most
 * `timeoutMs` milliseconds; then it is ended. What it left running
 * in its process group is ended as well. Never throws.
 */
export async function runClient(
  command: string,
  { env, cwd, timeoutMs }: { env: Readonly<Record<string, string>>; cwd: string; timeoutMs: number },
): Promise<ClientExit> {
  let output = '';
  // A group of its own, so that what the shell starts can be ended with it.
  const child = spawn(command, {
    shell: true,
    cwd,
    detached: process.platform !== 'win32',
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-keptOutput)));
  }
  const ended = new Promise<Omit<ClientExit, 'output'>>((resolve) => {
    child.once('error', (error) => {
      output += error.message;
      resolve({ how: 'not-started' });
    });
    child.once('exit', (code) => resolve(code === null ? { how: 'signalled' } : { how: 'exited', code }));
  });
  const { pid } = child;
  if (pid !== undefined) reportGroup(pid, true);
  const timer = new AbortController();
  const late = delay(timeoutMs, 'late' as const, { signal: timer.signal }).catch(() => 'late' as const);
  const first = await Promise.race([ended, late]);
  timer.abort();
  // What it left running would disturb whatever comes next.
  if (pid !== undefined) {
    await endGroup(pid, { withinMs: endingMs });
    reportGroup(pid, false);
  }
  return first === 'late' ? { how: 'timed-out', output } : { ...first, output };
}
