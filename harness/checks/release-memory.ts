import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'major'; flavor: 'last-resort' }) => void;

let collect: Collect | undefined;

/**
 * Collects all garbage and returns free pages to the system. A run calls it when Vitest has closed: what its server and
 * its worker leave behind would otherwise add to the memory that the diagnosis and the report need.
 */
export function releaseMemory(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as Collect;
  }
  collect({ type: 'major', flavor: 'last-resort' });
}
