import { reportWaits, reportWaitsVariable, type ProcessorWait } from '../../harness/wire/processor-wait.ts';
import {
  addTraffic,
  trafficSent,
  type LimitedKind,
  type TrafficLimitSettings,
} from '../../harness/wire/traffic-counts.ts';
import { incompleteExitCode } from '../exit-code.ts';
import { endProcess } from './end-on-signals.ts';

/** What a check reports every second to the fleet that started it. */
export interface CheckProgress {
  wait: ProcessorWait;
  /** Messages and calls that the target received in this night; absent without limits. */
  sent?: Record<LimitedKind, number>;
}

/** The variable in which `fleet` passes what earlier attempts of the night sent, such as `{"messages":3,"calls":0}`. */
export const sentBeforeVariable = 'SVC_CONFORM_SENT_BEFORE';

let counted: TrafficLimitSettings | undefined;

/**
 * Ends this process when the command `fleet` that started it has ended, however it did, and reports its progress to it.
 * Does nothing in a process that was started otherwise.
 */
export function followParent(): void {
  if (process.env[reportWaitsVariable] === undefined || !process.connected) return;
  process.once('disconnect', () => void endProcess(incompleteExitCode, 'The fleet ended.'));
  process.channel?.unref();
  reportWaits((wait) => {
    const progress: CheckProgress = { wait, ...(counted && { sent: trafficSent(counted) }) };
    if (process.connected) process.send?.(progress, undefined, undefined, () => undefined);
  });
}

/** Continues the counts of earlier attempts, if a fleet started this process: the limits apply to all of them together. */
export function continueTraffic(limits: TrafficLimitSettings | undefined): void {
  const before = process.env[sentBeforeVariable];
  if (!limits || before === undefined) return;
  counted = limits;
  addTraffic(limits, JSON.parse(before) as Record<LimitedKind, number>);
}
