import { isDeepStrictEqual } from 'node:util';
import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import type { CrmEvent } from '../../specs/generated/types.ts';
import { judgeRefusedEffects } from '../judge-refused-effects.ts';
import { judgeSimilarEffects } from '../judge-similar-effects.ts';
import { conclude } from '../matchers/expect.ts';
import { noEffectReason } from '../observed-effects.ts';
import { badTokens, type BadTokenName } from './bad-tokens.ts';
import { effectiveEvent, eventOfNewContact } from './effective-event.ts';
import { hasFlaggedPart } from './outcome-difference.ts';

describe.concurrent('crm-webhook effects', () => {
  check(
    'crm-webhook/refused-event-has-no-effect',
    'an event with a bad token has no effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const { crm } = kit;
      const { type, create } = event;
      await judgeRefusedEffects(
        kit,
        () => crm.deliver(create(), { label: `${type} with the valid token` }),
        (Object.keys(badTokens) as BadTokenName[]).flatMap((name) => {
          const authorization = forgedTokens[name](crm.token);
          if (authorization === undefined) return [];
          const options = { label: `${badTokens[name]} (${type})`, authorization, fresh: true, toBeRefused: true };
          return [{ what: badTokens[name], send: () => crm.deliver(create(), options) }];
        }),
      );
    },
    { alone: true },
  );

  check(
    'crm-webhook/handles-similar-events',
    'different events of one project in the same second each have an effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const { crm } = kit;
      const { type } = event;
      await judgeSimilarEffects(kit, {
        what: `${type} events of one contact and project in the same second`,
        other: () => crm.deliver(eventOfNewContact(kit, type), { label: `another ${type}` }),
        pair: () => {
          const first = eventOfNewContact(kit, type);
          const second = similarEvent(kit, first);
          return {
            first: () => crm.deliver(first, { label: `the first of two similar ${type} events` }),
            second: () => crm.deliver(second, { label: `the second of two similar ${type} events` }),
          };
        },
      });
    },
    { alone: true },
  );

  check(
    'crm-webhook/handles-similar-events',
    'two calls of one contact in the same second are each answered',
    async (kit) => {
      const { crm, sample } = kit;
      const event = sample.crmEvent('IncomingCallLookup', { contactData: sample.contactWithoutCrmData() });
      const first =
        earlierLookup(kit, event) ?? (await crm.deliver(event, { label: 'the first of two calls of one contact' }));
      const second = await crm.deliver(event, { label: 'the second of two calls of one contact' });
      if (!hasFlaggedPart(first)) {
        return kit.notExercised('The first of the two brought no data at once, so there is nothing to compare.');
      }
      const again = hasFlaggedPart(second)
        ? second
        : await crm.deliver(event, { label: 'a third call of this contact' });
      conclude(
        again,
        hasFlaggedPart(again)
          ? undefined
          : {
              expected: 'data for each call of a contact, as for the first one',
              received: 'none for the second and the third one',
              hint: 'They are different events: only an event with the same callbackUrl is a repetition.',
            },
      );
    },
  );
});

/** An earlier lookup of the same contact, with the same data about it, that was answered with data. */
function earlierLookup(
  { crm }: CheckKit,
  { eventType, contactData }: Omit<CrmEvent, 'callbackUrl'>,
): CrmObservation | undefined {
  return crm.delivered.find(
    (one) =>
      one.event['eventType'] === eventType &&
      isDeepStrictEqual(one.event['contactData'], contactData) &&
      hasFlaggedPart(one),
  );
}

/** A different event of the same type, contact, project and second: another appointment, or other summaries. */
function similarEvent({ sample }: CheckKit, first: Omit<CrmEvent, 'callbackUrl'>): Omit<CrmEvent, 'callbackUrl'> {
  const { contactData, projectData, appointmentData } = first;
  if (!appointmentData) {
    const summaries = { currentSummary: 'Asked about another matter.', inquirySummary: 'Another matter' };
    return { ...first, projectData: projectData && { ...projectData, ...summaries } };
  }
  const { contactId, projectId } = appointmentData;
  return { ...first, contactData, projectData, appointmentData: sample.appointment({ contactId, projectId }) };
}
