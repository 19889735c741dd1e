import type { RunSettings } from '../../harness/config/settings.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { postsOf } from './callback-findings.ts';

/** Milliseconds for a callback after 202: a comparison is not worth a longer wait. */
const callbackMs = 5_000;

/** Milliseconds for which a comparison waits for a callback. */
export function comparedCallbackMs({ callbackWaitMs }: Pick<RunSettings, 'callbackWaitMs'>): number {
  return Math.min(callbackMs, callbackWaitMs);
}

/** The first callback of a delivery that was answered 202; `undefined` when none arrives within `withinMs` milliseconds. */
export async function awaitCallback(delivery: CrmObservation, withinMs: number): Promise<Arrival | undefined> {
  const endsAt = performance.now() + withinMs;
  while (postsOf(delivery).length === 0) {
    const leftMs = endsAt - performance.now();
    if (leftMs <= 0) return undefined;
    await delivery.callback.nextChange({ withinMs: leftMs });
  }
  return postsOf(delivery)[0];
}
