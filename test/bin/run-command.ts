import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runHosted } from './hosted-commands.ts';

/** The command line as a clone has it; `npm test` builds what it loads. */
export const program = fileURLToPath(new URL('../../bin/svc-conform.js', import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface RunningCommand {
  ended: Promise<Ended>;
  kill: (signal: NodeJS.Signals) => void;
  /** Resolves when this string appears on standard error. */
  reported: (text: string) => Promise<void>;
}

const decisive = [
  'NO_COLOR',
  'FORCE_COLOR',
  'NODE_OPTIONS',
  'VITEST',
  'GITHUB_ACTIONS',
  'GITHUB_STEP_SUMMARY',
  'COLUMNS',
];

/** The environment of the test without the variables that affect output. */
export function inheritedEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !decisive.includes(name)));
}

/** Starts `svc-conform` with these arguments in a directory, without the variables of the test that affect output. */
export function startCommand(
  args: readonly string[],
  { cwd, env = {}, nodeArgs = [] }: { cwd: string; env?: NodeJS.ProcessEnv; nodeArgs?: readonly string[] },
): RunningCommand {
  const child = spawn(process.execPath, [...nodeArgs, program, ...args], {
    cwd,
    env: { ...inheritedEnvironment(), ...env },
  });
  let stdout = '';
  let stderr = '';
  const waiting: { text: string; go: () => void }[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    for (const one of waiting) if (stderr.includes(one.text)) one.go();
  });
  return {
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, stdout, stderr }))),
    kill: (signal) => void child.kill(signal),
    reported: (text) => new Promise((go) => (stderr.includes(text) ? go() : waiting.push({ text, go }))),
  };
}

/**
 * Runs `svc-conform` to its end: within a process that has loaded it before, which takes a fraction of the time, or in
 * a separate one if `nodeArgs` or variables that Node reads at startup require it.
 */
export function runCommand(...[args, options]: Parameters<typeof startCommand>): Promise<Ended> {
  const { cwd, env = {}, nodeArgs } = options;
  const isOfNode = Object.keys(env).some((name) => name.startsWith('NODE_'));
  if (nodeArgs !== undefined || isOfNode) return startCommand(args, options).ended;
  return runHosted({ args, cwd, env: { ...inheritedEnvironment(), ...env } });
}

/** An empty directory that is removed after the test. */
export async function temporaryDirectory(): Promise<AsyncDisposable & { path: string; at: (name: string) => string }> {
  const path = await mkdtemp(join(tmpdir(), 'svc-conform-'));
  return {
    path,
    at: (name) => join(path, name),
    [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }),
  };
}
