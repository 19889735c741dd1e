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

/** The counts of the config's limits so far. */
interface Counted {
  readonly counts: Uint8Array | undefined;
}

/** The worker's messages. */
export type WorkerMessage =
  | ({ readonly check: FinishedCheck } & Counted)
  | { readonly observed: ClientTraffic }
  | { readonly waiting: string }
  | ({ readonly done: true } & Counted)
  | ({ readonly fault: FaultData } & Counted);

process.on('message', ({ limits: sent, ...task }: WorkerTask) => {
  const limits = sent && withCounts(sent);
  const settings = { ...task.settings, config: { ...task.settings.config, ...(limits && { limits }) } };
  const tell = (message: WorkerMessage) =>
    new Promise<void>((sent) => {
      process.send?.(message, () => sent());
    });
  const counted = (): Counted => ({ counts: limits && copyLimits(limits).counts });
  onProgress(({ text }) => void tell({ waiting: text }));
  void runVerification({
    ...task,
    settings,
    onCheck: (check) => void tell({ check, ...counted() }),
    onObserved: (observed) => void tell({ observed }),
  })
    .then(
      () => tell({ done: true, ...counted() }),
      (error: unknown) => tell({ fault: faultOf(error), ...counted() }),
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
