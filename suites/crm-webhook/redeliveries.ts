import type { CheckKit } from '../../harness/checks/check.ts';
import { beginForOthers } from '../../harness/checks/check-record.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { crmEventTypes, crmTypesOfWork, legacyEventTypes } from '../../specs/crm-event-types.ts';
import type { ProjectData } from '../../specs/generated/types.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { once } from '../once.ts';
import { effectsAbout, type EventSubject } from '../late-effects.ts';
import { awaitCallback, comparedCallbackMs } from './await-callback.ts';
import { eventOfNewContact, similarEvent, type EventType } from './effective-event.ts';
import { postsOf } from './callback-findings.ts';
import { sendLegacyNumber } from './legacy-numbers.ts';
import { typicalAnswers } from './typical-answers.ts';

/** Events that are delivered again: those that ask for the contact, and one that asks for the case. */
export const redeliveredTypes = ['IncomingCallLookup', 'NewConversation', 'FinishedCall'] as const;

export type RedeliveredType = (typeof redeliveredTypes)[number];

/** The same event twice with the same `callbackUrl`. */
export type Redelivery = readonly [first: CrmObservation, second: CrmObservation];

/** Milliseconds after which an event comes again at the end of the run, where the run has lasted so long. */
const usualPauseMs = 10_000;
/** Milliseconds after which an event is not delivered again: its `callbackUrl` is valid for five minutes. */
const longestPauseMs = 240_000;

/** The service sends an event once more when an answer was slow or failed (interface: CRM webhook answer). */
export function redeliverLater(kit: CheckKit, type: RedeliveredType): Promise<Redelivery> {
  const { session, crm, sample } = kit;
  return once(session, `crm redelivered later ${type}`, async () => {
    // Their callbacks may come much later.
    beginForOthers(() => sendSimilarEvents(kit));
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

/** The same for FinishedCall under the number that it had until October 2026. */
export function redeliverLegacyNumber(kit: CheckKit): Promise<Redelivery> {
  return once(kit.session, 'crm redelivered legacy number', async () => {
    const name = 'FinishedCall';
    const number = legacyEventTypes.indexOf(name);
    const event = kit.sample.crmEvent(name);
    const first = await sendLegacyNumber(kit, number, name, { event, redelivered: true });
    const second = await sendLegacyNumber(kit, number, name, { event, redelivered: true, callback: first.callback });
    return [first, second];
  });
}

/** A type of event that was answered 202 and called back; `undefined` without one so far. */
export async function typeCalledBack(kit: CheckKit): Promise<EventType | undefined> {
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

/** The first of these types that was answered 202; `undefined` without one so far. */
async function typeAnsweredLater(kit: CheckKit, wanted: readonly EventType[]): Promise<EventType | undefined> {
  await typicalAnswers(kit);
  const types = kit.crm.answeredLater.map(({ event }) => event.eventType);
  return wanted.find((type) => types.includes(type));
}

/**
 * Two different events of one contact and project, of a type that was answered 202. A 202 to each of them owes a
 * callback, since each has its own `callbackUrl`.
 */
export function sendSimilarEvents(kit: CheckKit): Promise<void> {
  const { session, crm } = kit;
  return once(session, 'crm similar events to be called back', async () => {
    const type = await typeAnsweredLater(kit, [...crmTypesOfWork, ...crmEventTypes]);
    if (type === undefined) return;
    const first = eventOfNewContact(kit, type);
    const second = similarEvent(kit, first, 'another matter');
    for (const [event, which] of [
      [first, 'the first'],
      [second, 'the second'],
    ] as const)
      await crm.deliver(event, { label: `${which} of two ${type} events of one project`, callbackDue: true });
  });
}

/** What an event that comes again at the end of the run has led to before. */
export type EarlierEffect = 'a callback' | 'a request to API v1';

/** Events that came again at the end of a run. */
const repeated = new WeakMap<Session, Set<CrmObservation>>();

/**
 * An event of some seconds ago that had this effect, and the same event again at the end of the run. `undefined` without
 * one, where it is too long ago, or if the endpoint stopped in between and may have lost its data.
 */
export function redeliverAtTheEnd(kit: CheckKit, effect: EarlierEffect): Promise<Redelivery | undefined> {
  const { session, crm } = kit;
  return once(session, `crm redelivered at the end after ${effect}`, async () => {
    if (session.stops > 0) return undefined;
    const known = repeated.get(session) ?? new Set();
    repeated.set(session, known);
    const now = performance.now();
    const hasEffect = (delivery: CrmObservation) =>
      effect === 'a callback' ? isCalledBack(delivery) : effectsAbout(kit, subjectOf(delivery)).length > 0;
    const possible = crm.delivered.filter(
      (one) => now - one.at < longestPauseMs && !known.has(one) && isDeliveredOnce(kit, one) && hasEffect(one),
    );
    // How long an event must be remembered is not stated, so one that is much older would prove less.
    const first = possible.findLast(({ at }) => now - at >= usualPauseMs) ?? possible[0];
    if (!first) return undefined;
    known.add(first);
    const { event, callback } = first;
    crm.repeatable.add(callback);
    const label = `${String(event.eventType)} again at the end of the run, same callbackUrl`;
    return [first, await crm.deliver(event, { label, callback, redelivered: true })];
  });
}

/** Whether an accepted event is the only one of the run about its project, and came once until the end of the run. */
export function isDeliveredOnce({ crm, session }: CheckKit, delivery: CrmObservation): boolean {
  const { redelivered, callback, answer } = delivery;
  if (answer.outcome !== 'answered' || !isSuccess(answer.status) || redelivered) return false;
  if (crm.repeatable.has(callback) && !repeated.get(session)?.has(delivery)) return false;
  const { projectId } = subjectOf(delivery);
  return crm.delivered.every((other) => other.callback === callback || subjectOf(other).projectId !== projectId);
}

/** The project that an event is about. */
export function subjectOf({ event }: CrmObservation): EventSubject {
  const { svcProjectId } = (event.projectData ?? {}) as Partial<ProjectData>;
  return { projectId: svcProjectId };
}

function isCalledBack(delivery: CrmObservation): boolean {
  return delivery.answer.outcome === 'answered' && delivery.answer.status === 202 && postsOf(delivery).length > 0;
}

/** An event of this type twice with the same `callbackUrl`, both in flight at the same moment. */
export function redeliverAtOnce({ session, crm, sample, inbox }: CheckKit, type: EventType): Promise<Redelivery> {
  return once(session, `crm redelivered at once ${type}`, async () => {
    const event = sample.crmEvent(type);
    const callback = inbox.callbackBox(`callback of: ${type} delivered twice at once`, () => ({ status: 200 }));
    return await Promise.all([
      crm.deliver(event, { label: `${type}, delivered twice at once`, callback, redelivered: true }),
      crm.deliver(event, { label: `${type}, the same at once`, callback, redelivered: true }),
    ]);
  });
}

/** The same for another type than {@link redeliveredTypes}, one that was answered 202; `undefined` without one. */
export function redeliverAtOnceAnsweredLater(kit: CheckKit): Promise<Redelivery | undefined> {
  return once(kit.session, 'crm redelivered at once, of a type answered 202', async () => {
    const others = crmEventTypes.filter((type) => !(redeliveredTypes as readonly EventType[]).includes(type));
    const type = await typeAnsweredLater(kit, others);
    return type === undefined ? undefined : await redeliverAtOnce(kit, type);
  });
}
