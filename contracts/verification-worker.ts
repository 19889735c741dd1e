/**
 * The process in which contracts are verified: it receives its task once, reports each check, and ends with its parent.
 */
import type { FinishedCheck } from '../harness/checks/engine.ts';
import type { ClientTraffic } from '../harness/client/api-exchange.ts';
import { HarnessFault, type FaultData } from '../harness/checks/faults.ts';
import { onProgress } from '../harness/checks/progress.ts';
import { copyLimits, withCounts, type SentLimits } from '../harness/wire/traffic-counts.ts';
import { runVerification, type VerificationRequest } from './run-verification.ts';

/** The worker's input; the limits of its config are separate. */
export interface WorkerTask extends Omit<VerificationRequest, 'onCheck' | 'onObserved'> {
  readonly limits: SentLimits | undefined;
}

/** The worker's messages. */
export type WorkerMessage =
  | { readonly check: FinishedCheck; readonly counts: Uint8Array | undefined }
  | { readonly observed: ClientTraffic }
  | { readonly waiting: string }
  | { readonly done: true }
  | { readonly fault: FaultData };

process.on('message', ({ limits: sent, ...task }: WorkerTask) => {
  const limits = sent && withCounts(sent);
  const settings = { ...task.settings, config: { ...task.settings.config, ...(limits && { limits }) } };
  const tell = (message: WorkerMessage) =>
    new Promise<void>((sent) => {
      process.send?.(message, () => sent());
    });
  onProgress(({ text }) => void tell({ waiting: text }));
  void runVerification({
    ...task,
    settings,
    onCheck: (check) => void tell({ check, counts: limits && copyLimits(limits).counts }),
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
