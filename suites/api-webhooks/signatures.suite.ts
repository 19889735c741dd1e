import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import { expect } from '../matchers/expect.ts';
import { requireControl } from '../require-control.ts';
import { signatureChecks } from '../signed-deliveries.ts';
import { plainAnswer } from './sample-event.ts';
import { signedEvents } from './signed-events.ts';

describe.concurrent('api-webhooks signatures', () => {
  signatureChecks(signedEvents);

  check(
    'api-webhooks/refuses-other-secret',
    'an event of each type signed with another secret is refused',
    async (kit) => {
      const sending = subscribedTypes(kit.settings.config).map(async (type) => {
        requireControl(await plainAnswer(kit, type), 'an event of this type with its correct signature');
        const label = `${type}, signed with another secret`;
        const delivery = forgedSignatures.otherSecret(kit.hooks.sign(kit.sample.apiWebhookEvent(type)));
        return { label, answer: await signedEvents.post(kit, delivery, { label, fresh: true, toBeRefused: true }) };
      });
      const sent = await Promise.allSettled(sending);
      // A type without an answer must not hide that another one is accepted.
      for (const one of sent) if (one.status === 'fulfilled') expect(one.value.answer).toBeRefused(one.value.label);
      for (const one of sent) if (one.status === 'rejected') throw one.reason;
    },
  );
});
