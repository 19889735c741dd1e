import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Keeps every processor busy until disposed: one process for each that only counts. */
export function busyProcessors(): Disposable {
  const children = Array.from({ length: availableParallelism() }, () =>
    spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]() {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
