import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { aMinuteBefore } from '../../harness/checks/samples.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { judgeRefusedEffects, judgeRefusedEffectsOfTypes } from '../judge-refused-effects.ts';
import { judgeSecondEffect, judgeSecondEffects } from '../judge-second-effect.ts';
import { judgeSimilarEffects } from '../judge-similar-effects.ts';
import { noEffectReason } from '../observed-effects.ts';
import { badSignatures } from '../signature-cases.ts';
import { judgeDeliveryAfterRefusal } from './delivery-after-refusal.ts';
import { effectiveEvent } from './effective-event.ts';
import { rememberForLater } from './late-redelivery.ts';
import { judgeKnownAppointment } from './known-appointments.ts';
import { moved, movedAppointment, startsOf } from './moved-appointment.ts';

describe.concurrent('api-webhooks effects', () => {
  check(
    'api-webhooks/refused-delivery-has-no-effect',
    'a delivery with a bad signature has no effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks } = kit;
      const { create, observed } = event;
      const sign = () => hooks.sign(create());
      await judgeRefusedEffects(
        kit,
        observed,
        badSignatures('delivery')
          .filter(({ refusedByServers }) => refusedByServers !== true)
          .map(({ what, spoil }) => ({
            what,
            send: () => hooks.post(spoil(sign()), { label: `${what}, observed`, fresh: true, toBeRefused: true }),
          })),
      );
    },
    { alone: true },
  );

  check(
    'api-webhooks/refused-delivery-has-no-effect',
    'a delivery of any type that is signed with another secret has no effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined || !kit.observe) return kit.notExercised(noEffectReason(kit));
      const { hooks, sample, settings } = kit;
      const refused = (of: string, create: () => ApiWebhookEvent) => {
        const what = `${of}, signed with another secret`;
        const options = { label: `${what}, observed`, fresh: true, toBeRefused: true };
        return { what, send: () => hooks.post(forgedSignatures.otherSecret(hooks.sign(create())), options) };
      };
      // Each type may have a handler that verifies the signature too late.
      const others = subscribedTypes(settings.config).map((type) => {
        const create = () => sample.apiWebhookEvent(type);
        const sendValid = () => hooks.post(hooks.sign(create()), { label: `${type}, observed` });
        return { ...refused(type, create), sendValid };
      });
      await judgeRefusedEffectsOfTypes(kit, refused('a delivery', event.create), others);
    },
    { alone: true },
  );

  check(
    'api-webhooks/refused-delivery-has-no-effect',
    'a delivery that was refused before has its effect with the valid signature',
    judgeDeliveryAfterRefusal,
    { alone: true },
  );

  check(
    'api-webhooks/handles-similar-deliveries',
    'different deliveries of one project in the same second each have an effect',
    async (kit) => {
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks, sample } = kit;
      const { create } = event;
      const ofNewContact = () => create({ contactId: sample.newCustomer().id });
      await judgeSimilarEffects(kit, {
        what: 'deliveries of one contact and project in the same second',
        other: () => hooks.post(hooks.sign(ofNewContact()), { label: 'another delivery' }),
        pair: () => {
          const first = ofNewContact();
          const { contactId, projectId } = first.data;
          const { id } = ofNewContact();
          const similar = () => sample.appointment({ contactId, projectId });
          const second = { ...first, id, data: similar() };
          const createdAt = aMinuteBefore(first.createdAt);
          const before = { ...ofNewContact(), createdAt, data: similar() };
          return {
            // An endpoint may open one case for each contact or project.
            earlier: () => hooks.post(hooks.sign(before), { label: 'an earlier delivery about the same project' }),
            first: () => hooks.post(hooks.sign(first), { label: 'the first of two similar deliveries' }),
            second: () => hooks.post(hooks.sign(second), { label: 'the second of two similar deliveries' }),
          };
        },
      });
    },
    { alone: true },
  );

  check(
    'api-webhooks/handles-similar-deliveries',
    'two moves of one appointment each have an effect',
    async (kit) => {
      const types = subscribedTypes(kit.settings.config);
      if (!types.includes(moved)) {
        return kit.notExercised(`apiWebhooks.events does not list ${moved}, so no move is sent.`);
      }
      if ((await effectiveEvent(kit)) === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks, sample } = kit;
      const post = (event: ApiWebhookEvent, label: string) => hooks.post(hooks.sign(event), { label });
      const newAppointment = () => sample.appointment({ contactId: sample.newCustomer().id });
      const move = (appointment: Appointment, times: number) =>
        sample.apiWebhookEvent(moved, movedAppointment(kit, appointment, times));
      await judgeSimilarEffects(kit, {
        what: 'moves of one appointment',
        other: () => post(move(newAppointment(), 1), 'a move of another appointment'),
        pair: () => {
          const appointment = newAppointment();
          const earlier = types.find((type) => type !== moved) ?? moved;
          const [before, first] = [sample.apiWebhookEvent(earlier, appointment), move(appointment, 1)];
          const starts = startsOf(movedAppointment(kit, appointment, 1));
          // A list of deliveries: one entry for each appointment would not show both.
          const ids = [before.id, first.id];
          return {
            before: () => post(before, 'an appointment before it is moved'),
            first: () => post(first, 'the first of two moves of one appointment'),
            second: () => post(move(appointment, 2), 'the second of two moves of one appointment'),
            isShown: (state) => starts.some((start) => state.includes(start)) || ids.every((id) => state.includes(id)),
          };
        },
        hint: 'Recognise a repeated delivery by X-Svc-Delivery-Id alone: an appointment can be moved several times.',
      });
    },
    { alone: true },
  );

  check(
    'api-webhooks/handles-similar-deliveries',
    'a move of an appointment that an earlier delivery was about has an effect',
    async (kit) => {
      if ((await effectiveEvent(kit)) === undefined) return kit.notExercised(noEffectReason(kit));
      await judgeKnownAppointment(kit);
    },
    { alone: true },
  );

  check(
    'api-webhooks/redelivery-has-one-effect',
    'deliveries of every type that come again have no second effect',
    async (kit) => {
      if ((await effectiveEvent(kit)) === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks, sample, settings } = kit;
      const kinds = subscribedTypes(settings.config).map((type) => () => {
        const delivery = hooks.sign(sample.apiWebhookEvent(type));
        return { same: (which: string) => hooks.post(delivery, { label: `${type}, ${which} delivery` }) };
      });
      await judgeSecondEffects(kit, kinds);
    },
    { alone: true },
  );

  for (const [requirement, title, atOnce] of [
    ['api-webhooks/redelivery-has-one-effect', 'a delivery that comes again has no second effect', false],
    ['api-webhooks/redelivery-at-once-has-one-effect', 'a delivery that comes twice at once has one effect', true],
  ] as const) {
    check(
      requirement,
      title,
      async (kit) => {
        const event = await effectiveEvent(kit);
        if (event === undefined) return kit.notExercised(noEffectReason(kit));
        const { hooks } = kit;
        const { create, observed } = event;
        const sent: SignedDelivery[] = [];
        await judgeSecondEffect(kit, () => {
          const delivery = hooks.sign(create());
          sent.push(delivery);
          return {
            same: (which) => hooks.post(delivery, { label: `an event, ${which} delivery` }),
            ...(atOnce && {
              other: {
                send: () => hooks.post(hooks.sign(create()), { label: 'another event' }),
                known: observed.effects,
              },
            }),
          };
        });
        // The repetition showed no second effect, so both are known to the receiver.
        const known = sent.at(-1);
        if (!atOnce && known) await rememberForLater(kit, known, hooks.sign(create()));
      },
      { alone: true },
    );
  }
});
