import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { aMinuteBefore } from '../../harness/checks/samples.ts';
import { forgedTokens } from '../../harness/wire/forged-tokens.ts';
import { crmEventTypes, crmTypesOfWork, legacyEventTypes } from '../../specs/crm-event-types.ts';
import { judgeRefusedEffects, judgeRefusedEffectsOfTypes, type RefusedDelivery } from '../judge-refused-effects.ts';
import { judgeSecondEffect, judgeSecondEffects } from '../judge-second-effect.ts';
import { judgeSimilarEffects } from '../judge-similar-effects.ts';
import { noEffectReason } from '../observed-effects.ts';
import { badTokens, type BadTokenName } from './bad-tokens.ts';
import {
  effectiveEvent,
  effectiveFinishedCall,
  eventOfNewContact,
  similarEvent,
  type EventDraft,
  type EventType,
} from './effective-event.ts';
import { judgeLegacyEffect } from './legacy-numbers.ts';

describe.concurrent('crm-webhook effects', () => {
  check(
    'crm-webhook/refused-event-has-no-effect',
    'an event with a bad token has no effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const { type, create, observed } = event;
      await judgeRefusedEffects(
        kit,
        observed,
        (Object.keys(badTokens) as BadTokenName[]).flatMap((name) => refused(kit, name, type, create)),
      );
    },
    { alone: true },
  );

  check(
    'crm-webhook/refused-event-has-no-effect',
    'an event of any other type with another token has no effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined || !kit.observe) return kit.notExercised(noEffectReason(kit));
      const [usual] = refused(kit, 'wrong', event.type, event.create);
      if (!usual) return kit.notExercised(noEffectReason(kit));
      // Each type may have a handler that checks the token too late.
      const types = [...crmTypesOfWork, 'ConversationPaused', 'Manual'].filter(
        (type) => type !== event.type,
      ) as EventType[];
      const others = types.flatMap((type) => {
        const create = () => eventOfNewContact(kit, type);
        const sendValid = () => kit.crm.deliver(create(), { label: `${type} with the valid token` });
        return refused(kit, 'wrong', type, create).map((one) => ({ ...one, sendValid }));
      });
      await judgeRefusedEffectsOfTypes(kit, usual, others);
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
          const second = similarEvent(kit, first, 'another matter');
          const timestampUtc = aMinuteBefore(first.timestampUtc);
          const before = { ...similarEvent(kit, first, 'an earlier matter'), timestampUtc };
          return {
            // An endpoint may open one case for each contact or project.
            earlier: () => crm.deliver(before, { label: `an earlier ${type} of the same contact and project` }),
            first: () => crm.deliver(first, { label: `the first of two similar ${type} events` }),
            second: () => crm.deliver(second, { label: `the second of two similar ${type} events` }),
          };
        },
      });
    },
    { alone: true },
  );

  legacyEventTypes.forEach((name, number) => {
    check(
      'crm-webhook/legacy-number-means-its-name',
      `eventType ${number} has an effect if ${name} has one`,
      (kit) => judgeLegacyEffect(kit, number, name),
      { alone: true },
    );
  });

  check(
    'crm-webhook/redelivery-has-one-effect',
    'an event delivered again has no second effect',
    async (kit) => {
      const effective = await effectiveFinishedCall(kit);
      if (effective === undefined) return kit.notExercised(noEffectReason(kit));
      const { type, create } = effective;
      await judgeSecondEffect(kit, () => {
        const event = create();
        const callback = kit.inbox.callbackBox(`callback of: ${type}, observed`, () => ({ status: 200 }));
        return {
          same: (which) => kit.crm.deliver(event, { label: `${type}, ${which} delivery`, callback, redelivered: true }),
        };
      });
    },
    { alone: true },
  );

  check(
    'crm-webhook/redelivery-has-one-effect',
    'events of every type delivered again have no second effect',
    async (kit) => {
      if ((await effectiveEvent(kit)) === undefined) return kit.notExercised(noEffectReason(kit));
      const kinds = crmEventTypes.map((type) => () => {
        const event = eventOfNewContact(kit, type);
        const callback = kit.inbox.callbackBox(`callback of: ${type} delivered again`, () => ({ status: 200 }));
        const options = { callback, redelivered: true, callbackDue: 'if-overtaken' } as const;
        return {
          same: (which: string) => kit.crm.deliver(event, { label: `${type}, ${which} delivery`, ...options }),
        };
      });
      await judgeSecondEffects(kit, kinds);
    },
    { alone: true },
  );

  check(
    'crm-webhook/redelivery-has-one-effect',
    'an event delivered twice at once has one effect',
    async (kit) => {
      const effective = await effectiveFinishedCall(kit);
      if (effective === undefined) return kit.notExercised(noEffectReason(kit));
      const { type, create, observed } = effective;
      await judgeSecondEffect(kit, () => {
        const event = create();
        const callback = kit.inbox.callbackBox(`callback of: ${type} twice at once, observed`, () => ({
          status: 200,
        }));
        return {
          same: (which) =>
            kit.crm.deliver(event, { label: `${type}, ${which} delivery at once`, callback, redelivered: true }),
          other: {
            send: () => kit.crm.deliver(create(), { label: `another ${type}` }),
            known: observed.effects,
          },
        };
      });
    },
    { alone: true },
  );
});

/** An event of this type with a bad token; none if the configured token does not give one. */
function refused({ crm }: CheckKit, name: BadTokenName, type: EventType, create: () => EventDraft): RefusedDelivery[] {
  const authorization = forgedTokens[name](crm.token);
  if (authorization === undefined) return [];
  const what = `${badTokens[name]} (${type})`;
  const options = { label: what, authorization, fresh: true, toBeRefused: true };
  return [{ what, send: () => crm.deliver(create(), options) }];
}
