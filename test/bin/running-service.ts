import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { program } from './run-command.ts';

/** A running `serve`. */
export interface RunningService extends AsyncDisposable {
  /** Lines of standard output so far. */
  lines: string[];
  /** Resolves with the first line that matches, already printed or not; rejects if the process ends first. */
  line: (fits: (line: string) => boolean) => Promise<string>;
  stderr: () => string;
  /** Resolves with the exit code when the process ends by itself. */
  ended: Promise<number | null>;
  /** Resolves when this string appears on standard error. */
  reported: (text: string) => Promise<void>;
  /** Sends a signal; resolves with the exit code and the milliseconds until the process ended. */
  stop: (signal?: NodeJS.Signals) => Promise<{ code: number | null; ms: number }>;
}

/** Starts `svc-conform serve` with these flags. The environment of the test does not affect colour. */
export function startService(
  flags: readonly string[],
  { cwd, env = {}, nodeArgs = [] }: { cwd: string; env?: NodeJS.ProcessEnv; nodeArgs?: readonly string[] },
): RunningService {
  const { NO_COLOR: _n, FORCE_COLOR: _f, NODE_OPTIONS: _o, VITEST: _v, ...inherited } = process.env;
  const child = spawn(process.execPath, [...nodeArgs, program, 'serve', ...flags], {
    cwd,
    env: { ...inherited, ...env },
  });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const lines: string[] = [];
  let stderr = '';
  let hasEnded = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    const woken = waiting;
    waiting = [];
    for (const one of woken) one();
  };
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    wake();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    wake();
  });
  void ended.then(() => {
    hasEnded = true;
    wake();
  });
  const until = async <T>(find: () => T | undefined, what: string): Promise<T> => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      if (hasEnded) throw new Error(`expected ${what}, received an end: ${lines.join('\n')}\n${stderr}`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  return {
    lines,
    line: (fits) => until(() => lines.find(fits), 'another line'),
    stderr: () => stderr,
    ended: ended.then(([code]) => code),
    reported: async (text) => void (await until(() => (stderr.includes(text) ? true : undefined), text)),
    stop: async (signal = 'SIGINT') => {
      const from = performance.now();
      child.kill(signal);
      const [code] = await ended;
      return { code, ms: performance.now() - from };
    },
    [Symbol.asyncDispose]: async () => {
      if (hasEnded) return;
      child.kill('SIGKILL');
      await ended;
    },
  };
}
