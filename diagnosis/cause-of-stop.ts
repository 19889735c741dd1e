import { HarnessFault } from '../harness/checks/faults.ts';
import type { Found } from './outcome.ts';

/** The cause if the endpoint stopped instead of answering, which prevents any other check. */
export function causeOfStop(error: unknown): Found | undefined {
  const isStop = error instanceof HarnessFault && error.code === 'target-stopped';
  return isStop ? { id: 'http/crashes', summary: error.message } : undefined;
}
