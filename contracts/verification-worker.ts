/**
 * The process in which contracts are verified: it receives its task once, reports each check, and ends with its parent.
 */
import type { FinishedCheck } from '../harness/checks/engine.ts';
import { HarnessFault, type FaultCode } from '../harness/checks/faults.ts';
import { onProgress } from '../harness/checks/progress.ts';
import { runVerification, type Verification } from './run-verification.ts';

/** The worker's input. */
export type WorkerTask = Omit<Verification, 'onCheck'>;

/** The worker's messages. */
export type WorkerMessage =
  | { readonly check: FinishedCheck }
  | { readonly waiting: string }
  | { readonly done: true }
  | { readonly fault: { readonly code: FaultCode; readonly message: string } };

process.on('message', (task: WorkerTask) => {
  const tell = (message: WorkerMessage) =>
    new Promise<void>((sent) => {
      process.send?.(message, () => sent());
    });
  onProgress(({ text }) => void tell({ waiting: text }));
  void runVerification({ ...task, onCheck: (check) => void tell({ check }) })
    .then(
      () => tell({ done: true }),
      (error: unknown) => tell({ fault: faultOf(error) }),
    )
    .then(() => process.exit());
});
// A normal exit would wait for the verifier's threads, which wait for us.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

function faultOf(error: unknown): { code: FaultCode; message: string } {
  if (error instanceof HarnessFault) return { code: error.code, message: error.message };
  return { code: 'engine-failed', message: error instanceof Error ? (error.stack ?? error.message) : String(error) };
}
