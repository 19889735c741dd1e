import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/**
 * Starts an endpoint of this directory in a separate process, so that it does not share our event loop. It prints its
 * address first.
 */
export async function endpointProcess(file: string, ...args: string[]): Promise<{ url: string } & Disposable> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, [Symbol.dispose]: () => void child.kill() };
}
