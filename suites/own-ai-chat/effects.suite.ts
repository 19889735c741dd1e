import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { utcTimestamp, type ChatData } from '../../harness/checks/samples.ts';
import { judgeRefused } from '../judge-refused-effects.ts';
import { judgeEffectsAtOnce, judgeSimilarEffects } from '../judge-similar-effects.ts';
import { noEffectReason, settledState, visibleEffect, type DeliveryEffects } from '../observed-effects.ts';
import { once } from '../once.ts';
import { sentAtOnce } from './sent-at-once.ts';
import { refusedSignatures, signedMessages } from './signed-messages.ts';
import { say, pastTime } from './typical-answers.ts';

const hint = 'Recognise a repeated event by its id (X-Svc-Delivery-Id) alone, not by contact, project, text or time.';
const minuteMs = 60_000;

describe.concurrent('own-ai-chat effects', () => {
  check(
    'own-ai-chat/refused-message-has-no-effect',
    'a message with a bad signature has no effect that can be observed',
    async (kit) => {
      const { usual } = await requireEffect(kit);
      const before = await settledState(kit, 'the state before', { isPatient: true });
      await judgeRefused(
        kit,
        { before, usual },
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
      const { similar } = await requireEffect(kit);
      const { ids } = kit;
      await judgeSimilarEffects(kit, {
        what: 'messages of one conversation in the same second with the same text',
        other: () => say(kit, 'another message', newConversation(kit)),
        pair: () => {
          const begun = similar.pop();
          const conversation = begun ?? newConversation(kit);
          const { message, ...others } = conversation;
          const receivedAt = utcTimestamp(Date.parse(`${message.receivedAt}Z`) + minuteMs);
          const send = (label: string) =>
            say(kit, label, { ...others, message: { ...message, id: ids.integer(), receivedAt } });
          return {
            ...(!begun && { before: () => say(kit, 'the same text, a minute earlier', conversation) }),
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
      const { ofOneContact } = await requireEffect(kit);
      const { ids } = kit;
      await judgeEffectsAtOnce(kit, {
        what: 'messages of one contact with the same text in two conversations at once',
        make: ({ alike }) => {
          const begun = alike ? ofOneContact.pop() : undefined;
          const [one, other] = begun ?? twoConversations(kit, { ofOneContact: alike });
          const { message } = newConversation(kit);
          const send = (label: string, conversation: Conversation) =>
            say(kit, label, { ...conversation, message: { ...message, id: ids.integer() } });
          return {
            ...(!begun && {
              before: () => Promise.all([one, other].map((of) => say(kit, 'an earlier message of a conversation', of))),
            }),
            single: () => say(kit, 'one message of one contact', { ...one, message: newConversation(kit).message }),
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

/** A conversation with its first message. */
type Conversation = Pick<ChatData, 'contact' | 'projectId' | 'message'>;

/** The effect of plain messages, and the conversations that they began; each serves one pair of messages. */
interface BegunConversations {
  usual: DeliveryEffects;
  similar: Conversation[];
  ofOneContact: [Conversation, Conversation][];
}

/** Ends the check if no effect of a plain message can be seen. The conversations begin at once: an answer may take seconds. */
async function requireEffect(kit: CheckKit): Promise<BegunConversations> {
  const begun = await once(kit.session, 'chat effective messages', async () => {
    const similar = newConversation(kit);
    const pair = twoConversations(kit, { ofOneContact: true });
    const usual = await visibleEffect(kit, () =>
      Promise.all([similar, ...pair].map((conversation) => say(kit, 'a message, observed', conversation))),
    );
    return usual && { usual, similar: [similar], ofOneContact: [pair] };
  });
  return begun ?? kit.notExercised(noEffectReason(kit));
}

function twoConversations(kit: CheckKit, { ofOneContact }: { ofOneContact: boolean }): [Conversation, Conversation] {
  const [one, other] = [newConversation(kit), newConversation(kit)];
  return [one, ofOneContact ? { ...other, contact: one.contact } : other];
}

/**
 * A conversation whose first message was received some time ago: hardly any other one of the run has its text and its
 * time, nor those of a minute later.
 */
function newConversation(kit: CheckKit): Conversation {
  const { contact, projectId, message } = kit.sample.messageReceived().data;
  const receivedAt = utcTimestamp(Date.parse(`${pastTime(kit)}Z`) - minuteMs);
  return { contact, projectId, message: { ...message, receivedAt } };
}
