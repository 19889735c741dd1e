import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';

/** Milliseconds in which a compilation that has begun ends. */
const compilationMs = 30;

/**
 * Ends the compilations that V8 runs in other threads. Node hangs forever if one of them waits for the main thread to
 * collect garbage while the process exits (nodejs/node#54918).
 */
export async function endCompilations(): Promise<void> {
  for (const flag of ['--no-maglev', '--no-turbofan']) setFlagsFromString(flag);
  await sleep(compilationMs);
}
