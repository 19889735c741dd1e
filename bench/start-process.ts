import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const pathOf = (file: string) => fileURLToPath(new URL(`processes/${file}`, import.meta.url));

/** Starts an endpoint in a separate process, so that it does not share our event loop. It prints its address first. */
export async function startEndpoint(file: string, ...args: string[]): Promise<{ url: string } & Disposable> {
  const child = spawn(process.execPath, [pathOf(file), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, [Symbol.dispose]: () => void child.kill() };
}

/** Runs a program in a separate process, for its time and memory alone. Resolves to the message that it sends. */
export async function runProcess<Result>(file: string, ...args: string[]): Promise<Result> {
  const child = fork(pathOf(file), args, {
    execArgv: ['--expose-gc'],
    // Other tools print their own results and warnings.
    env: { ...process.env, NODE_NO_WARNINGS: '1' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const result = await nextMessage<Result>(child);
  await once(child, 'exit');
  return result;
}

/** The next message of a child. Rejects if it ends before. */
export async function nextMessage<Message>(child: ChildProcess): Promise<Message> {
  return await new Promise((resolve, reject) => {
    const ended = (code: number | null) => reject(new Error(`${child.spawnfile} ended with exit code ${code}`));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as Message);
    });
  });
}
