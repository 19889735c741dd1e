import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { aMinuteBefore, type ChatData } from '../../harness/checks/samples.ts';
import { judgeRefusedEffects } from '../judge-refused-effects.ts';
import { judgeEffectsAtOnce, judgeSimilarEffects } from '../judge-similar-effects.ts';
import { hasEffect, noEffectReason, observeEffects, type ObservedDelivery } from '../observed-effects.ts';
import { once } from '../once.ts';
import { sentAtOnce } from './sent-at-once.ts';
import { refusedSignatures, signedMessages } from './signed-messages.ts';
import { say, pastTime } from './typical-answers.ts';

const hint = 'Recognise a repeated event by its id (X-Svc-Delivery-Id) alone, not by contact, project, text or time.';

describe.concurrent('own-ai-chat effects', () => {
  check(
    'own-ai-chat/refused-message-has-no-effect',
    'a message with a bad signature has no effect that can be observed',
    async (kit) => {
      await judgeRefusedEffects(
        kit,
        await acceptedMessage(kit),
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

  check(
    'own-ai-chat/handles-similar-messages',
    'different messages of one conversation in the same second with the same text each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      const { sample, ids } = kit;
      await judgeSimilarEffects(kit, {
        what: 'messages of one conversation in the same second with the same text',
        other: () => say(kit, 'another message', earlierMessage(kit)),
        pair: () => {
          const { contact, projectId } = sample.messageReceived().data;
          const { message } = earlierMessage(kit);
          const send = (label: string, over: Partial<ChatData['message']> = {}) =>
            say(kit, label, { contact, projectId, message: { ...message, id: ids.integer(), ...over } });
          const receivedAt = aMinuteBefore(message.receivedAt);
          return {
            earlier: () => send('the same text, a minute earlier', { receivedAt }),
            first: () => send('the first of two similar messages'),
            second: () => send('the second of two similar messages'),
          };
        },
        hint,
      });
    },
    { alone: true },
  );

  check(
    'own-ai-chat/handles-similar-messages',
    'messages of one contact with the same text in two conversations at once each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      const { sample, ids } = kit;
      await judgeEffectsAtOnce(kit, {
        what: 'messages of one contact with the same text in two conversations at once',
        make: ({ alike }) => {
          const { contact, projectId } = sample.messageReceived().data;
          const { contact: otherContact, projectId: otherProject } = sample.messageReceived().data;
          const one = { contact, projectId };
          const other = { contact: alike ? contact : otherContact, projectId: otherProject };
          const { message } = earlierMessage(kit);
          const send = (label: string, over: Partial<ChatData>) =>
            say(kit, label, { message: { ...message, id: ids.integer() }, ...over });
          return {
            earlier: async () => {
              const label = 'an earlier message of a conversation';
              await Promise.all([one, other].map((of) => send(label, { ...of, ...earlierMessage(kit) })));
            },
            single: () => send('one message of one contact', { ...one, ...earlierMessage(kit) }),
            both: () =>
              sentAtOnce(kit, 2, () =>
                Promise.all([
                  send('one of two messages at once', one),
                  send('the other of two messages at once', other),
                ]),
              ),
          };
        },
        hint,
      });
    },
    { alone: true },
  );
});

/** A plain message, and what it leads to; sent once in a run. */
function acceptedMessage(kit: CheckKit): Promise<ObservedDelivery> {
  return once(kit.session, 'chat accepted message', () =>
    observeEffects(kit, () => say(kit, 'a message, observed', earlierMessage(kit)), { isPatient: true }),
  );
}

/** Whether an effect of a plain message can be seen. */
async function isEffective(kit: CheckKit): Promise<boolean> {
  return hasEffect((await acceptedMessage(kit)).effects);
}

/** A plain message that was received some time ago: hardly any other one of the run has its text and its time. */
function earlierMessage(kit: CheckKit): Pick<ChatData, 'message'> {
  const { message } = kit.sample.messageReceived().data;
  return { message: { ...message, receivedAt: pastTime(kit) } };
}
