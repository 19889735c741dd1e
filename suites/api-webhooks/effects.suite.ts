import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeRefusedEffects } from '../judge-refused-effects.ts';
import { judgeSimilarEffects } from '../judge-similar-effects.ts';
import { noEffectReason } from '../observed-effects.ts';
import { badSignatures } from '../signature-cases.ts';
import { effectiveEvent } from './effective-event.ts';

describe.concurrent('api-webhooks effects', () => {
  check(
    'api-webhooks/refused-delivery-has-no-effect',
    'a delivery with a bad signature has no effect',
    async (kit) => {
      const create = await effectiveEvent(kit);
      if (create === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks } = kit;
      const sign = () => hooks.sign(create());
      await judgeRefusedEffects(
        kit,
        () => hooks.post(sign(), { label: 'a correctly signed delivery, observed' }),
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
    'api-webhooks/handles-similar-deliveries',
    'different deliveries of one project in the same second each have an effect',
    async (kit) => {
      const create = await effectiveEvent(kit);
      if (create === undefined) return kit.notExercised(noEffectReason(kit));
      const { hooks, sample } = kit;
      const ofNewContact = () => create({ contactId: sample.newCustomer().id });
      await judgeSimilarEffects(kit, {
        what: 'deliveries of one contact and project in the same second',
        other: () => hooks.post(hooks.sign(ofNewContact()), { label: 'another delivery' }),
        pair: () => {
          const first = ofNewContact();
          const { contactId, projectId } = first.data;
          const { id } = ofNewContact();
          const second = { ...first, id, data: sample.appointment({ contactId, projectId }) };
          return [
            () => hooks.post(hooks.sign(first), { label: 'the first of two similar deliveries' }),
            () => hooks.post(hooks.sign(second), { label: 'the second of two similar deliveries' }),
          ];
        },
      });
    },
    { alone: true },
  );
});
