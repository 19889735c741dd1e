/**
 * The process in which contracts are verified: it receives its task once, reports each check, and ends with its parent.
 */
import type { FinishedCheck } from '../harness/checks/engine.ts';
import type { ClientTraffic } from '../harness/client/api-exchange.ts';
import { HarnessFault, type FaultData } from '../harness/checks/faults.ts';
import { onProgress } from '../harness/checks/progress.ts';
import { runVerification, type VerificationRequest } from './run-verification.ts';

/** The worker's input. */
export type WorkerTask = Omit<VerificationRequest, 'onCheck' | 'onObserved'>;

/** The worker's messages. */
export type WorkerMessage =
  | { readonly check: FinishedCheck }
  | { readonly observed: ClientTraffic }
  | { readonly waiting: string }
  | { readonly done: true }
  | { readonly fault: FaultData };

process.on('message', (task: WorkerTask) => {
  const tell = (message: WorkerMessage) =>
    new Promise<void>((sent) => {
      process.send?.(message, () => sent());
    });
  onProgress(({ text }) => void tell({ waiting: text }));
  void runVerification({
    ...task,
    onCheck: (check) => void tell({ check }),
    onObserved: (observed) => void tell({ observed }),
  })
    .then(
      () => tell({ done: true }),
      (error: unknown) => tell({ fault: faultOf(error) }),
    )
    .then(() => process.exit());
});
// A normal exit would wait for the verifier's threads, which wait for us.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

function faultOf(error: unknown): FaultData {
  if (error instanceof HarnessFault) return error.data;
  const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { name: 'engine-failed:error', args: { reason } };
}
