import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeRefusedEffects } from '../judge-refused-effects.ts';
import { refusedSignatures, signedMessages } from './signed-messages.ts';
import { say } from './typical-answers.ts';

describe.concurrent('own-ai-chat effects', () => {
  check(
    'own-ai-chat/refused-message-has-no-effect',
    'a message with a bad signature has no effect that can be observed',
    async (kit) => {
      await judgeRefusedEffects(
        kit,
        () => say(kit, 'a correctly signed message, observed'),
        refusedSignatures.flatMap(({ what, spoil }) => {
          if (!spoil(signedMessages.sign(kit))) return [];
          const send = () => {
            const message = kit.chat.open(kit.sample.messageReceived());
            const delivery = spoil(message.delivery) ?? message.delivery;
            return kit.chat.post(delivery, { label: `${what}, observed`, fresh: true, toBeRefused: true });
          };
          return [{ what, send }];
        }),
      );
    },
    { alone: true },
  );
});
