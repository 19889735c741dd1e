import { spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { endGroup, reportGroup } from '../start/process-group.ts';

/** How a client process ended. */
export interface ClientExit {
  /** `timed-out`: it was still running and was terminated. */
  how: 'exited' | 'signalled' | 'timed-out' | 'not-started';
  /** Exit code, if it exited. */
  code?: number;
  /** The end of its output on both streams. Not redacted. */
  output: string;
}

/** Characters of a client's output that are kept: its end, which contains the reason of a failure. */
const keptOutput = 4_000;
/** Milliseconds for a client to exit after it was asked to. */
const endingMs = 2_000;

/** Runs a client and waits for its end: {@link runClient}, or a function that starts no process. */
export type StartClient = typeof runClient;

/**
 * Runs a shell command in the directory `cwd` with these additional environment variables, and waits until it exits, at
 * most `timeoutMs` milliseconds; then it is terminated. Remaining processes of its group are terminated as well. Never
 * throws.
 */
export async function runClient(
  command: string,
  { env, cwd, timeoutMs }: { env: Readonly<Record<string, string>>; cwd: string; timeoutMs: number },
): Promise<ClientExit> {
  let output = '';
  // A separate process group, so that processes started by the shell can be terminated with it.
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
  // Remaining processes would disturb later rounds.
  if (pid !== undefined) {
    await endGroup(pid, { withinMs: endingMs });
    reportGroup(pid, false);
  }
  return first === 'late' ? { how: 'timed-out', output } : { ...first, output };
}
