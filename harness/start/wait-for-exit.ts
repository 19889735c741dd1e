import type { ChildProcess } from 'node:child_process';
import type { Exit } from './exit-record.ts';

/** Resolves when a child process ends; without code and signal if it could not be run. */
export function waitForExit(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({}));
    child.once('exit', (code, signal) =>
      resolve({ ...(code !== null && { code }), ...(signal !== null && { signal }) }),
    );
  });
}
