import { describe } from 'vitest';
import { ChatConversation } from '../../harness/wire/chat-conversation.ts';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { expect } from '../matchers/expect.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { unknownFields } from '../unknown-fields.ts';
import { say, typicalAnswers } from './typical-answers.ts';

/** Conversations that vary one thing the interface allows; each message must be answered like any other. */
const conversations: [RequirementId, string, (kit: CheckKit) => Partial<ChatData>][] = [
  ['own-ai-chat/accepts-empty-history', 'a first message, with no history, is answered', () => ({ history: [] })],
  [
    'own-ai-chat/accepts-30-turns',
    'a message after 30 turns is answered',
    ({ sample }) => ({ history: sample.history(limits.historyTurns) }),
  ],
  [
    'own-ai-chat/accepts-refused-skill-turn',
    'a system turn about a refused skill is understood',
    ({ sample }) => {
      const [first, second] = sample.history(2);
      const turn = {
        role: 'system' as const,
        text: 'Skill [sales] was not carried out (outside-hours)',
        at: second?.at ?? '',
      };
      return { history: first ? [first, turn] : [turn] };
    },
  ],
  [
    'own-ai-chat/accepts-missing-contact-members',
    'a contact of which only the id is known is answered',
    ({ ids }) => ({ contact: { id: ids.integer() } }),
  ],
  [
    'own-ai-chat/accepts-missing-contact-members',
    'a contact without a name is answered',
    ({ ids }) => ({ contact: { id: ids.integer(), phone: '+4915228817386', email: 'erika@example.com' } }),
  ],
  [
    'own-ai-chat/accepts-missing-contact-members',
    'a contact without a phone number is answered',
    ({ ids }) => ({ contact: { id: ids.integer(), name: 'Erika Mustermann', email: 'erika@example.com' } }),
  ],
  [
    'own-ai-chat/accepts-unknown-channel',
    'a message on a channel that came later is answered',
    () => ({ channel: 'rcs' as ChatData['channel'] }),
  ],
];

describe.concurrent('own-ai-chat messages', () => {
  check('own-ai-chat/answers-ping', 'a ping is answered with a 2xx status', async ({ chat, sample }) => {
    expect(await chat.post(chat.sign(sample.ping()), { label: 'ping' })).toBeAccepted();
  });

  check('own-ai-chat/answers-messages', 'messages are answered with a 2xx status', async (kit) => {
    for (const answer of await typicalAnswers(kit)) expect(answer).toBeAccepted();
  });

  check(
    'own-ai-chat/answers-messages',
    'every message of a longer conversation is answered with a 2xx status',
    async ({ session, settings, sample }) => {
      const { answer = sample.messageReceived().data.message.text, ...asked } = settings.config.stimuli.chat ?? {};
      const conversation = new ChatConversation(session);
      for (const text of [answer, ...Object.values(asked), answer, answer]) {
        // The team takes the conversation for one message and then hands it back.
        const wasWithTeam = conversation.isWithTeam;
        expect(await conversation.say(text)).toBeAccepted();
        if (wasWithTeam) conversation.handBack();
      }
    },
  );

  check('own-ai-chat/answers-with-a-listed-status', 'messages are answered 200, 202 or 204', async (kit) => {
    const accepted = (await typicalAnswers(kit)).filter(
      ({ answer }) => answer.outcome === 'answered' && isSuccess(answer.status),
    );
    if (accepted.length === 0) return kit.notExercised('No message was answered with a 2xx status.');
    for (const answer of accepted) expect(answer).toHaveStatus(200, 202, 204);
  });

  for (const [requirement, title, over] of conversations) {
    check(requirement, title, async (kit) => {
      expect(await say(kit, title, over(kit))).toBeAccepted();
    });
  }

  for (const role of ['customer', 'agent', 'team', 'system'] as const) {
    check('own-ai-chat/accepts-every-role', `a history with a turn of the role ${role} is understood`, async (kit) => {
      const [turn] = kit.sample.history(1);
      const history = turn ? [{ ...turn, role }] : [];
      expect(await say(kit, `a turn of the role ${role}`, { history })).toBeAccepted();
    });
  }

  for (const channel of ['whatsapp', 'webchat', 'telegram', 'chat'] as const) {
    check('own-ai-chat/accepts-every-channel', `a message on ${channel} is answered`, async (kit) => {
      expect(await say(kit, `channel ${channel}`, { channel })).toBeAccepted();
    });
  }

  for (const state of ['on', 'paused', 'off'] as const) {
    check(
      'own-ai-chat/accepts-every-auto-reply-state',
      `a message while auto-reply is ${state} is answered`,
      async (kit) => {
        const autoReply = kit.sample.autoReplies().find((one) => one.state === state) ?? { state: 'on' };
        expect(
          await say(kit, `auto-reply ${state}`, { autoReply, ...(state === 'on' ? {} : { skills: [] }) }),
        ).toBeAccepted();
      },
    );
  }

  check(
    'own-ai-chat/accepts-unknown-protocol-revision',
    'a later protocol revision is accepted',
    async ({ chat, sample }) => {
      const event = { ...sample.messageReceived(), protocol: '2027-03-01' };
      expect(await chat.deliver(chat.open(event), { label: 'an unknown protocol revision' })).toBeAccepted();
    },
  );

  check('own-ai-chat/accepts-unknown-members', 'unknown fields are ignored at every depth', async (kit) => {
    const { chat, ids, sample } = kit;
    const answers = unknownFields(sample.messageReceived(), kit.settings).map((later) =>
      chat.deliver(chat.open({ ...later, id: ids.event() }), { label: 'unknown fields at every depth' }),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toBeAccepted();
  });

  for (const [what, over] of [
    [
      'a role of a history turn',
      (kit: CheckKit) => ({ history: kit.sample.history(1).map((turn) => ({ ...turn, role: 'bot' })) }),
    ],
    [
      'a kind of skill',
      () => ({ skills: [{ id: 77, key: 'survey', name: 'Survey', kind: 'survey', announcement: null }] }),
    ],
    ['a state of auto-reply', () => ({ autoReply: { state: 'scheduled' }, skills: [] })],
  ] as const) {
    check('own-ai-chat/accepts-unknown-values', `${what} that came later is ignored`, async (kit) => {
      expect(await say(kit, `${what} that came later`, over(kit) as unknown as Partial<ChatData>)).toBeAccepted();
    });
  }

  check(
    'own-ai-chat/accepts-unknown-event-type',
    'an event type that came later is accepted',
    async ({ chat, sample }) => {
      const event = { ...sample.messageReceived(), type: 'message.edited' };
      expect(await chat.post(chat.open(event).delivery, { label: 'an unknown event type' })).toBeAccepted();
    },
  );
});
