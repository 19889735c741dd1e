import { spawn } from 'node:child_process';

/** Waits until its standard input ends, and then kills the process group that is its first argument. */
const guard = 'read -r _; kill -KILL "-$0"';

/**
 * Kills a process group when this process ends without having ended it: it may be killed itself. Disposing ends the
 * guard and leaves the group.
 */
export function killGroupOnExit(group: number): Disposable {
  if (process.platform === 'win32') return { [Symbol.dispose]: () => undefined };
  // A separate group: the signals of a terminal must not reach the guard before its input ends.
  const child = spawn('/bin/sh', ['-c', guard, String(group)], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  child.on('error', () => undefined);
  child.stdin.on('error', () => undefined);
  child.unref();
  return { [Symbol.dispose]: () => void child.kill('SIGKILL') };
}
