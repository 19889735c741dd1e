import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { requireControl } from '../require-control.ts';
import { expect } from '../matchers/expect.ts';
import { signatureChecks } from '../signed-deliveries.ts';
import { postRefused, signedMessages } from './signed-messages.ts';
import { notDerivedReason, wrongSecrets } from '../wrong-secrets.ts';

describe.concurrent('own-ai-chat signatures', () => {
  signatureChecks(signedMessages);

  for (const { slug, what: how, spoil } of wrongSecrets) {
    const what = `a delivery ${how}`;
    check(`own-ai-chat/${slug}`, `${what} is refused`, async (kit) => {
      const { chat, sample } = kit;
      const { delivery } = chat.open(sample.messageReceived());
      if (spoil(delivery) === undefined) return kit.notExercised(notDerivedReason);
      requireControl(
        await chat.post(delivery, { label: 'the unchanged secret' }),
        'the same delivery with the unchanged secret',
      );
      const refused = await postRefused(kit, { what, spoil });
      if (refused) expect(refused.observation).toBeRefused(what);
    });
  }

  check('own-ai-chat/refuses-ping-with-bad-signature', 'a ping with a bad signature is refused', async (kit) => {
    const { chat, sample } = kit;
    requireControl(await chat.post(chat.sign(sample.ping()), { label: 'ping' }), 'a correctly signed ping');
    const what = 'a ping signed with another secret';
    const spoilt = chat.sign(sample.ping()).with({ secret: 'whsec_another-secret' });
    expect(await chat.post(spoilt, { label: what, fresh: true, toBeRefused: true })).toBeRefused(what);
  });
});
