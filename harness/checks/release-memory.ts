import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/** Bytes of a process that are worth the 0.1 to 0.2 s of a collection: a run against an ordinary endpoint uses fewer. */
const largeProcessBytes = 400e6;

/**
 * Collects all garbage of a large process and returns free pages to the system. A run calls it when Vitest has closed:
 * what its server and its worker leave behind would otherwise add to the memory that the diagnosis and the report need.
 */
export function releaseMemory(): void {
  if (process.memoryUsage.rss() < largeProcessBytes) return;
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect({ type: 'major', flavor: 'last-resort' });
}
