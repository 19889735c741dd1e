import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** An endpoint of this directory in a process of its own, so that it does not share our event loop. Prints its address first. */
export async function endpointProcess(file: string, ...args: string[]): Promise<{ url: string } & Disposable> {
  const child = spawn(process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, [Symbol.dispose]: () => void child.kill() };
}
