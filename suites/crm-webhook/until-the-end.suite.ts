import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { ContactData } from '../../specs/generated/types.ts';
import { conclude } from '../matchers/expect.ts';
import { needlessCallback, postsOf, repeatedCallback } from './callback-findings.ts';
import { noteWatched, watchCallbacks } from './callbacks.ts';
import { judgeLateRefusals, judgeLateRepetition, type EventSubject, type TracedDelivery } from '../late-effects.ts';
import { isRefusal, isSuccess } from '../../harness/wire/answer-status.ts';
import { reliabilityCheck } from '../reliable-acceptance.ts';
import { sendBadToActOn, sendEachBad } from './bad-tokens.ts';
import { crmTypesOfWork } from '../../specs/crm-event-types.ts';
import { judgeKnownCaller } from './known-caller.ts';
import { endWithoutCallback } from './missing-callback.ts';
import {
  isDeliveredOnce,
  redeliverAfterCallback,
  redeliverAtOnce,
  redeliverAtOnceAnsweredLater,
  redeliverAtTheEnd,
  redeliveredTypes,
  redeliverLater,
  redeliverLegacyNumber,
  subjectOf,
  type EarlierEffect,
  type Redelivery,
} from './redeliveries.ts';

/** An unwanted request may arrive seconds later, so these checks are judged at the end of the run. */
describe.concurrent('crm-webhook until the end', () => {
  reliabilityCheck('crm-webhook');

  check('crm-webhook/calls-back-once', 'one event gets one callback', async (kit) => {
    await watchCallbacks(kit);
    const later = kit.crm.answeredLater;
    const calledBack = later.filter(
      ({ redelivered, callback }) => !redelivered && callback.arrivals.length > 0 && !kit.crm.repeatable.has(callback),
    );
    if (calledBack.length === 0) return endWithoutCallback(kit, later);
    for (const delivery of calledBack) judgeOne(delivery);
    noteWatched(firstArrivals(calledBack), 'the first callback');
  });

  for (const [requirement, title, redeliver] of [
    ['crm-webhook/one-callback-after-redelivery', 'an event delivered again still gets one callback', redeliverLater],
    [
      'crm-webhook/one-callback-after-redelivery-at-once',
      'an event delivered twice at once gets one callback',
      redeliverAtOnce,
    ],
  ] as const) {
    for (const type of redeliveredTypes) {
      check(requirement, `${title} (${type})`, async (kit) => {
        await watchCallbacks(kit);
        const [first]: Redelivery = await redeliver(kit, type);
        if (first.callback.arrivals.length === 0)
          return endWithoutCallback(kit, [first], `No callback came for ${type} delivered twice.`);
        judgeOne(first);
        noteWatched(firstArrivals([first]), 'the first callback');
      });
    }
  }

  check(
    'crm-webhook/one-callback-after-redelivery',
    'an event delivered again under its legacy number still gets one callback',
    async (kit) => {
      await watchCallbacks(kit);
      const [first] = await redeliverLegacyNumber(kit);
      const none = 'No callback came for a legacy number delivered twice.';
      if (first.callback.arrivals.length === 0) return endWithoutCallback(kit, [first], none);
      judgeOne(first);
      noteWatched(firstArrivals([first]), 'the first callback');
    },
  );

  check(
    'crm-webhook/one-callback-after-redelivery-at-once',
    'an event of another type, delivered twice at once, gets one callback',
    async (kit) => {
      await watchCallbacks(kit);
      const [first] = (await redeliverAtOnceAnsweredLater(kit)) ?? [];
      if (!first) return kit.notExercised('No event of another type was answered 202.');
      if (first.callback.arrivals.length === 0) return endWithoutCallback(kit, [first]);
      judgeOne(first);
      noteWatched(firstArrivals([first]), 'the first callback');
    },
  );

  check(
    'crm-webhook/one-callback-after-redelivery',
    'an event delivered again after its callback gets no second one',
    async (kit) => {
      await watchCallbacks(kit);
      const [first] = (await redeliverAfterCallback(kit)) ?? [];
      if (!first) return kit.notExercised('No event was answered 202 and called back within a few seconds.');
      judgeOne(first);
      noteWatched(firstArrivals([first]), 'the first callback');
    },
  );

  check(
    'crm-webhook/one-callback-after-redelivery',
    'an event delivered again at the end of the run gets no second callback',
    async (kit) => {
      await watchCallbacks(kit);
      const [first, again] = (await redeliverAtTheEnd(kit, 'a callback')) ?? [];
      if (!first || !again) return kit.notExercised(noneToRepeat('a callback'));
      requireAccepted(kit, again);
      judgeOne(first);
      noteWatched([again.answeredAt], 'the repetition');
    },
  );

  check('crm-webhook/answers-now-or-by-callback', 'an event answered 200 or 204 gets no callback', async (kit) => {
    await watchCallbacks(kit);
    const answeredNow = kit.crm.answeredNow.filter(({ redelivered }) => !redelivered);
    if (answeredNow.length === 0) return kit.notExercised('No event was answered 200 or 204.');
    for (const delivery of answeredNow) {
      const [arrival] = delivery.callback.arrivals;
      conclude(arrival ?? delivery, needlessCallback(delivery));
    }
    noteWatched(
      answeredNow.filter(({ callbackDue }) => callbackDue === true).map(({ answeredAt }) => answeredAt),
      'the answer',
    );
  });

  check('crm-webhook/refused-event-has-no-effect', 'an event with a bad token gets no callback', async (kit) => {
    const { later } = await watchCallbacks(kit);
    const calledBack = new Set(
      later.filter(({ callback }) => callback.arrivals.length > 0).map(({ event }) => event.eventType),
    );
    const refused = [...(await sendEachBad(kit)), ...(await sendBadToActOn(kit))].filter(
      ({ answer, event }) => isRefusal(answer) && calledBack.has(event.eventType),
    );
    if (refused.length === 0) {
      return kit.notExercised(
        'No accepted event of a type that was refused led to a callback, so one of a refused event would not be visible.',
      );
    }
    for (const { callback, label, ...delivery } of refused) {
      const [arrival] = callback.arrivals;
      conclude(
        arrival ?? { ...delivery, label },
        arrival && {
          expected: `no callback of ${label}, which was refused`,
          received: `a ${arrival.request.method} to its callbackUrl`,
          hint: 'Check the token before anything else runs, also before work is queued.',
        },
      );
    }
    noteWatched(
      refused.map(({ answeredAt }) => answeredAt),
      'the refusal',
    );
  });

  check(
    'crm-webhook/refused-event-has-no-effect',
    'an event with another token leads to no request to API v1',
    async (kit) => {
      await watchCallbacks(kit);
      const refused = (await sendBadToActOn(kit)).filter(({ answer }) => isRefusal(answer));
      await judgeLateRefusals(
        kit,
        refused.map((delivery) => ({
          ...traced(delivery),
          subject: { ...subjectOf(delivery), ...contactOf(delivery) },
          what: delivery.label,
        })),
        singleDeliveries(kit, crmTypesOfWork).map(subjectOf),
      );
    },
  );

  for (const [when, redeliver] of [
    ['again', (kit) => redeliverLater(kit, 'FinishedCall')],
    ['twice at once', (kit) => redeliverAtOnce(kit, 'FinishedCall')],
    ['again at the end of the run', (kit) => redeliverAtTheEnd(kit, 'a request to API v1')],
  ] satisfies [string, (kit: CheckKit) => Promise<Redelivery | undefined>][]) {
    check(
      'crm-webhook/redelivery-has-one-effect',
      `an event delivered ${when} leads to no second request to API v1`,
      async (kit) => {
        await watchCallbacks(kit);
        const [, second] = (await redeliver(kit)) ?? [];
        if (!second) return kit.notExercised(noneToRepeat('a request to API v1'));
        requireAccepted(kit, second);
        const others = singleDeliveries(kit, [second.event.eventType]).filter(
          ({ callback }) => callback !== second.callback,
        );
        await judgeLateRepetition(kit, traced(second), others.map(subjectOf));
      },
    );
  }

  check(
    'crm-webhook/answers-lookups-with-the-contact',
    'a lookup of the configured caller is answered with the contact',
    judgeKnownCaller,
  );
});

/** The contact of an event that no other event is about. */
function contactOf({ event }: CrmObservation): EventSubject {
  const { svcContactId, phoneNumber } = (event.contactData ?? {}) as Partial<ContactData>;
  return { contactId: svcContactId, phone: phoneNumber };
}

function traced(delivery: CrmObservation): TracedDelivery {
  return { subject: subjectOf(delivery), observation: delivery, answeredAt: delivery.answeredAt };
}

/**
 * Accepted events of these types that were delivered once, each the only one about its project; without such, those that
 * came again at the end of the run.
 */
function singleDeliveries(kit: CheckKit, types: readonly unknown[]): readonly CrmObservation[] {
  const single = kit.crm.delivered.filter(
    (delivery) => types.includes(delivery.event.eventType) && isDeliveredOnce(kit, delivery),
  );
  const unrepeated = single.filter(({ callback }) => !kit.crm.repeatable.has(callback));
  return unrepeated.length > 0 ? unrepeated : single;
}

function noneToRepeat(effect: EarlierEffect): string {
  return `No event of the last minutes that was the only one about its project led to ${effect}, or the endpoint stopped after it.`;
}

function requireAccepted(kit: CheckKit, { answer }: CrmObservation): void {
  if (answer.outcome !== 'answered' || !isSuccess(answer.status))
    kit.notExercised('The repetition was not accepted; another check judges that.');
}

function judgeOne(delivery: CrmObservation): void {
  conclude(postsOf(delivery).at(-1) ?? delivery, repeatedCallback(delivery));
}

function firstArrivals(deliveries: readonly CrmObservation[]): number[] {
  return deliveries.flatMap(({ callback }) => callback.arrivals[0]?.at ?? []);
}
