import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { Unread } from '../judgement.ts';
import { notReadFault } from '../not-read-fault.ts';

export const noneDue = 'No event was answered 202.';
export const noneArrived = 'No callback came.';

/** Ends a check without a callback to judge; an incomplete callback is unknown. */
export function endWithoutCallback(
  { notExercised }: CheckKit,
  later: readonly CrmObservation[],
  why = later.length === 0 ? noneDue : noneArrived,
): never {
  for (const delivery of later) {
    const body = unreadCallback(delivery);
    if (body) throw notReadFault(body.unread, delivery);
  }
  return notExercised(why);
}

/** The body of an incomplete callback. */
export function unreadCallback(delivery: CrmObservation): Unread | undefined {
  const begun = unfinishedCallback(delivery);
  return begun === undefined ? undefined : { unread: `at callbackUrl ${begun}, for the event sent` };
}

/** The received part of an incomplete callback. */
export function unfinishedCallback({ callback }: CrmObservation): string | undefined {
  const all = [...callback.unfinished];
  const first = all.find(({ aborted }) => aborted !== true) ?? all[0];
  return first && `a ${first.method} whose body had not ended after ${first.bodyBytes} bytes`;
}
