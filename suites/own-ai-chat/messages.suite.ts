import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import { expect } from '../matchers/expect.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { unknownFields } from '../unknown-fields.ts';
import { beginConversations } from './conversation.ts';
import { sayIn, situations } from './situations.ts';
import { say, typicalAnswers } from './typical-answers.ts';

describe.concurrent('own-ai-chat messages', () => {
  check('own-ai-chat/answers-ping', 'a ping is answered with a 2xx status', async (kit) => {
    beginConversations(kit);
    const { chat, sample } = kit;
    expect(await chat.post(chat.sign(sample.ping()), { label: 'ping' })).toBeAccepted();
  });

  check('own-ai-chat/answers-messages', 'messages are answered with a 2xx status', async (kit) => {
    for (const answer of await typicalAnswers(kit)) expect(answer).toBeAccepted();
  });

  check('own-ai-chat/answers-with-a-listed-status', 'messages are answered 200, 202 or 204', async (kit) => {
    const accepted = (await typicalAnswers(kit)).filter(
      ({ answer }) => answer.outcome === 'answered' && isSuccess(answer.status),
    );
    if (accepted.length === 0) return kit.notExercised('No message was answered with a 2xx status.');
    for (const answer of accepted) expect(answer).toHaveStatus(200, 202, 204);
  });

  for (const situation of situations) {
    check(situation.requirement, situation.title, async (kit) => {
      expect(await sayIn(kit, situation)).toBeAccepted();
    });
  }

  check(
    'own-ai-chat/accepts-unknown-protocol-revision',
    'a later protocol revision is accepted',
    async ({ chat, sample }) => {
      const event = deviating({ ...sample.messageReceived(), protocol: '2027-03-01' }, '/protocol');
      expect(await chat.deliver(chat.open(event), { label: 'an unknown protocol revision' })).toBeAccepted();
    },
  );

  check('own-ai-chat/accepts-unknown-members', 'unknown fields are ignored at every depth', async (kit) => {
    const { chat, sample } = kit;
    const answers = unknownFields(sample.messageReceived(), kit.settings).map((later) => {
      // Each is a separate message, whose ids and contact no other one has.
      const { id, data } = sample.messageReceived();
      const contact = { ...later.data.contact, ...data.contact };
      const message = { ...later.data.message, id: data.message.id };
      const own = { ...later, id, data: { ...later.data, projectId: data.projectId, contact, message } };
      return chat.deliver(chat.open(own), { label: 'unknown fields at every depth' });
    });
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
      expect(
        await say(kit, `${what} that came later`, deviating(over(kit), '') as unknown as Partial<ChatData>),
      ).toBeAccepted();
    });
  }

  check(
    'own-ai-chat/accepts-unknown-event-type',
    'an event type that came later is accepted',
    async ({ chat, sample }) => {
      const event = deviating({ ...sample.messageReceived(), type: 'message.edited' }, '/type');
      expect(await chat.post(chat.open(event).delivery, { label: 'an unknown event type' })).toBeAccepted();
    },
  );
});
