import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';

/** Whether a program exists and ends with 0 for these arguments. */
export async function works(program: string, args: readonly string[]): Promise<boolean> {
  return promisify(execFile)(program, [...args], { timeout: 20_000 }).then(
    () => true,
    () => false,
  );
}

export interface StartOptions {
  env?: Record<string, string>;
  cwd?: string;
  /** A pattern for what precedes the port: `port ` for a program from this directory. */
  before?: string;
  /** Ends the program and its child processes. */
  signal?: NodeJS.Signals;
}

/** A program that serves on 127.0.0.1, and its port: the first number after `before` in its output. */
export async function startedProgram(
  program: string,
  args: readonly string[],
  { env = {}, cwd, before = 'port ', signal = 'SIGKILL' }: StartOptions = {},
): Promise<AsyncDisposable & { port: number }> {
  const child = spawn(program, [...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const end = once(child, 'close');
  // Ends with this process: if no test of its framework is selected, nothing disposes of it.
  const cut = () => child.kill(signal);
  process.once('exit', cut);
  let printed = '';
  const port = await new Promise<number>((resolve, reject) => {
    const look = (chunk: Buffer) => {
      printed += chunk.toString();
      const [, found] = new RegExp(`${before}(\\d+)\\D`).exec(printed) ?? [];
      if (found !== undefined) resolve(Number(found));
    };
    child.stdout.on('data', look);
    child.stderr.on('data', look);
    child.on('error', reject);
    child.on('close', () => reject(new Error(`expected ${program} to serve, received ${printed}`)));
  });
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      process.off('exit', cut);
      cut();
      await end;
    },
  };
}
