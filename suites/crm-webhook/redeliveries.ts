import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { crmEventTypes } from '../../specs/crm-event-types.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { once } from '../once.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { typicalAnswers } from './typical-answers.ts';

/** Events that are delivered again: one that asks for the contact, one that asks for the case. */
export const redeliveredTypes = ['IncomingCallLookup', 'FinishedCall'] as const;

export type RedeliveredType = (typeof redeliveredTypes)[number];

/** The same event twice with the same `callbackUrl`. */
export type Redelivery = readonly [first: CrmObservation, second: CrmObservation];

/** The service sends an event once more when an answer was slow or failed (interface: CRM webhook answer). */
export function redeliverLater({ session, crm, sample }: CheckKit, type: RedeliveredType): Promise<Redelivery> {
  return once(session, `crm redelivered later ${type}`, async () => {
    const event = sample.crmEvent(type);
    const first = await crm.deliver(event, { label: `${type}, to be delivered again`, redelivered: true });
    const second = await crm.deliver(event, {
      label: `${type} again, same callbackUrl`,
      callback: first.callback,
      redelivered: true,
    });
    return [first, second];
  });
}

/** A type of event that was answered 202 and called back; `undefined` without one so far. */
export async function typeCalledBack(kit: CheckKit): Promise<CrmEvent['eventType'] | undefined> {
  const { crm, settings } = kit;
  if (crm.delivered.length === 0) await typicalAnswers(kit);
  const later = crm.answeredLater;
  const [first] = later;
  if (!first) return undefined;
  await Promise.race(later.map(({ callback }) => callback.atLeast(1, { withinMs: settings.quietMs })));
  const types = later.filter(({ callback }) => callback.arrivals.length > 0).map(({ event }) => event.eventType);
  return crmEventTypes.find((type) => types.includes(type));
}

/**
 * The same, when the callback of the first delivery has come: a slow answer may arrive after it. `undefined` where no
 * event was called back before, or none soon.
 */
export function redeliverAfterCallback(kit: CheckKit): Promise<Redelivery | undefined> {
  const { session, crm, sample, settings } = kit;
  return once(session, 'crm redelivered after its callback', async () => {
    const type = await typeCalledBack(kit);
    if (type === undefined) return undefined;
    const event = sample.crmEvent(type);
    const first = await crm.deliver(event, { label: `${type}, to be delivered after its callback`, redelivered: true });
    const isLater = first.answer.outcome === 'answered' && first.answer.status === 202;
    if (!isLater || !(await awaitCallback(first, comparedCallbackMs(settings)))) return undefined;
    const second = await crm.deliver(event, {
      label: `${type} again, after its callback`,
      callback: first.callback,
      redelivered: true,
    });
    return [first, second];
  });
}

/** The same, both in flight at the same moment. */
export function redeliverAtOnce({ session, crm, sample, inbox }: CheckKit, type: RedeliveredType): Promise<Redelivery> {
  return once(session, `crm redelivered at once ${type}`, async () => {
    const event = sample.crmEvent(type);
    const callback = inbox.callbackBox(`callback of: ${type} delivered twice at once`, () => ({ status: 200 }));
    return await Promise.all([
      crm.deliver(event, { label: `${type}, delivered twice at once`, callback, redelivered: true }),
      crm.deliver(event, { label: `${type}, the same at once`, callback, redelivered: true }),
    ]);
  });
}
