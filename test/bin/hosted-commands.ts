import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { HostedCommand, HostedResult } from './command-host.ts';

const host = fileURLToPath(new URL('command-host.ts', import.meta.url));

/** Processes that have loaded `svc-conform` and run nothing at the moment. They end with this one. */
const idle: ChildProcess[] = [];

/** Runs one command line in a process that is reused for the next one. Rejects if that process ends. */
export async function runHosted(command: HostedCommand): Promise<HostedResult> {
  const child = idle.pop() ?? start();
  child.ref();
  child.channel?.ref();
  let died = '';
  const onErrors = (text: Buffer) => (died += text.toString('utf8'));
  child.stderr?.on('data', onErrors);
  try {
    return await new Promise<HostedResult>((resolve, reject) => {
      const ended = (code: number | null) =>
        reject(new Error(`${command.args.join(' ')} ended its process with ${code}: ${died}`));
      child.once('exit', ended);
      child.once('message', (result: HostedResult) => {
        child.off('exit', ended);
        idle.push(child);
        resolve(result);
      });
      child.send(command);
    });
  } finally {
    child.stderr?.off('data', onErrors);
    child.unref();
    child.channel?.unref();
  }
}

function start(): ChildProcess {
  const child: ChildProcess = fork(host, { execArgv: [], stdio: ['pipe', 'pipe', 'pipe', 'ipc'] });
  child.once('exit', () => {
    const at = idle.indexOf(child);
    if (at >= 0) idle.splice(at, 1);
  });
  child.stdout?.resume();
  child.stderr?.resume();
  for (const stream of [child.stdin, child.stdout, child.stderr]) {
    (stream as { unref?: () => void } | null)?.unref?.();
  }
  return child;
}
