import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../harness/wire/free-port.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import type { Conduct } from './endpoint-process.ts';

/** A running endpoint process. */
export interface EndpointProcess extends AsyncDisposable {
  /** `http://127.0.0.1:port` */
  origin: string;
  /** Number of processes that have ended by themselves so far. */
  crashes: () => number;
}

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));

/** Starts an endpoint; with `supervised` it is started again on the same port whenever it ends. */
export async function endpointProcess(
  conduct: Conduct | 'python-crashes',
  { supervised = false }: { supervised?: boolean } = {},
): Promise<EndpointProcess> {
  const port = await freePort();
  let crashes = 0;
  let isOver = false;
  let child: ChildProcess;
  const start = (): Promise<void> =>
    new Promise((listening, failed) => {
      child =
        conduct === 'python-crashes'
          ? spawn('python3', [script('endpoint_process.py'), String(port)], {
              env: { ...process.env, AGENT_SECRET: credentials.agentSecret },
              stdio: ['ignore', 'pipe', 'ignore'],
            })
          : spawn(process.execPath, [script('endpoint-process.ts'), conduct, String(port)], {
              stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
            });
      child.once('message', () => listening());
      child.stdout?.once('data', () => listening());
      child.once('exit', () => {
        if (isOver) return;
        crashes++;
        // Once the process listens, rejecting has no effect.
        failed(new Error('The endpoint process ended before it listened.'));
        if (supervised) void start().catch(() => undefined);
      });
    });
  await start();
  return {
    origin: `http://127.0.0.1:${port}`,
    crashes: () => crashes,
    async [Symbol.asyncDispose]() {
      isOver = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    },
  };
}
