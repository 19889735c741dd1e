import { describe } from 'vitest';
import { check } from '../../harness/check.ts';
import { requireControl } from '../control.ts';
import { expect } from '../matchers/expect.ts';
import { signatureChecks } from '../signed-deliveries.ts';

describe.concurrent('own-ai-chat signatures', () => {
  signatureChecks({
    name: 'own-ai-chat',
    sign: ({ chat, sample }, write) => chat.open(sample.messageReceived(), write && { write }).delivery,
    post: ({ chat }, delivery, options) => chat.post(delivery, options),
  });

  for (const [requirement, what, derive] of [
    ['own-ai-chat/refuses-decoded-secret', 'a delivery signed with the secret after base64 decoding', decoded],
    ['own-ai-chat/refuses-stripped-secret', 'a delivery signed with the secret without whsec_', stripped],
  ] as const) {
    check(requirement, `${what} is refused`, async (kit) => {
      const { chat, sample } = kit;
      const { delivery } = chat.open(sample.messageReceived());
      const secret = derive(delivery.secret);
      if (secret === undefined)
        return kit.notExercised('The configured secret has no whsec_ prefix, so there is nothing to strip or decode.');
      requireControl(
        await chat.post(delivery, { label: 'the secret as it is' }),
        'the same delivery with the secret as it is',
      );
      const spoilt = chat.open(sample.messageReceived()).delivery.with({ secret });
      expect(await chat.post(spoilt, { label: what, fresh: true, toBeRefused: true })).toBeRefused(what);
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

const prefix = 'whsec_';

function stripped(secret: string): string | undefined {
  return secret.startsWith(prefix) && secret.length > prefix.length ? secret.slice(prefix.length) : undefined;
}

function decoded(secret: string): Uint8Array | undefined {
  const rest = stripped(secret);
  return rest === undefined ? undefined : Buffer.from(rest, 'base64');
}
