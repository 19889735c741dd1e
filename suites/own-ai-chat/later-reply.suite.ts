import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { beginForOthers } from '../../harness/checks/check-record.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { measuredTime } from '../../harness/wire/timeliness.ts';
import { untilCertain } from '../certain-time.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { judgeFurtherConversations } from './further-conversations.ts';
import { findForeignContact, hasOnlyReplies, judgeCrossed, judgeForeignNames } from './judge-crossed.ts';
import { judgeAfterEarlierRefusal, notRefusedReason, refused, replayed, sayAfterRefusal } from './repeated-replies.ts';
import { askForLater, firstReply, lastReplyMs, noReplyReason } from './replies.ts';
import { sentAtOnce } from './sent-at-once.ts';
import { messageWithText } from './typical-answers.ts';

/** Number of concurrent conversations, and of those in which the customer asks for their name and for nothing later. */
const atOnce = 4;
const askingForName = 2;

describe.concurrent('own-ai-chat later replies', () => {
  check(
    'own-ai-chat/keeps-conversations-apart',
    'each of several conversations gets its own reply',
    async (kit) => {
      const { ids, settings } = kit;
      // The sentence that asks for a later reply cannot contain a name, which an AI may quote to another customer.
      const count = askingForName + atOnce;
      const begin = async (at: number) => {
        const marker = `Mara Q${(ids.integer() % 1_000_000).toString(36)}x${at}`;
        const contact = { id: ids.integer(), name: marker };
        const label = `conversation ${at + 1} of ${count}`;
        const over = { contact, ...(at < askingForName && messageWithText(kit, nameQuestion(marker))) };
        return { marker, observation: await askForLater(kit, label, { over }) };
      };
      const beginTogether = (places: readonly number[]) =>
        sentAtOnce(kit, places.length, () => Promise.all(places.map(begin)));
      const places = Array.from({ length: count }, (_, at) => at);
      const asking = await beginTogether(places.slice(0, askingForName));
      const conversations = [...asking, ...(await beginTogether(places.slice(askingForName)))];
      const observations = conversations.slice(askingForName).map(({ observation }) => observation);
      await Promise.race(observations.map((observation) => firstReply(kit, observation)));
      const arrived = await Promise.all(
        conversations.map(({ observation: { replies } }) => replies.atLeast(1, { withinMs: settings.quietMs })),
      );
      if (arrived.some((arrivals) => arrivals.length === 0)) {
        await new Promise((wake) => setTimeout(wake, settings.quietMs));
      }
      const isSuspect = observations.some((one) => hasOnlyReplies(one, observations));
      if (isSuspect) await awaitOtherReplies(kit, observations);
      let judged = 0;
      for (const [at, { marker, observation }] of conversations.entries()) {
        const others = conversations.map((one) => one.marker).filter((other) => other !== marker);
        const finding =
          at < askingForName
            ? (judgeForeignNames(observation, marker, others) ?? 'nothing')
            : judgeCrossed(observation, { own: marker, others, all: observations });
        if (finding === 'nothing') continue;
        judged++;
        conclude(observation, finding);
      }
      // What an AI keeps in one place for all conversations may show only in the next one; a name that it keeps shows only
      // until another one replaces it.
      const foreignNames = conversations.map(({ marker }) => marker);
      for (const own of [undefined, 'Mara']) {
        for (const next of await askAfterwards(kit, own)) {
          const leaked = judgeForeignNames(next, own, foreignNames);
          if (leaked) conclude(next, leaked);
        }
      }
      // Some AIs mix contacts up only after several messages.
      const foreign = findForeignContact(kit);
      if (foreign) conclude(foreign.observation, foreign.finding);
      if (judged === 0) kit.notExercised('No conversation got its own reply or an answer that names its contact.');
    },
    // Messages of other checks between these would take the replies of an endpoint that mixes conversations up.
    { alone: 'surface' },
  );

  check(
    'own-ai-chat/keeps-conversations-apart',
    'a further conversation of one contact gets its own reply',
    judgeFurtherConversations,
  );

  check(
    'own-ai-chat/stays-well-while-a-reply-is-slow',
    'a message is answered in time while a reply waits for its answer',
    async (kit) => {
      const { chat, sample } = kit;
      const answered = Promise.withResolvers<void>();
      const measure = async () => {
        const replies = { after: () => answered.promise };
        const observation = await askForLater(kit, 'a message whose reply waits for its answer', { replies });
        if (!(await firstReply(kit, observation))) throw new NotExercised(noReplyReason, { mayBeOfTraffic: true });
        const send = () =>
          chat.deliver(chat.open(sample.messageReceived()), {
            label: 'a message while a reply waits for its answer',
            limitMs: chat.timeoutMs,
            timeoutMs: chat.timedAnswerMs,
          });
        const meanwhile = await untilCertain(kit, send, (answer) => [measuredTime(answer)]);
        expect(meanwhile).toBeAccepted();
        expect(meanwhile).toBeInTime();
      };
      try {
        await sentAtOnce(kit, 2, measure);
      } finally {
        answered.resolve();
      }
    },
    { alone: 'surface-first' },
  );

  for (const status of [404, 409, 422] as const) {
    check(
      'own-ai-chat/stays-well-after-a-refused-reply',
      `messages are answered after a reply was refused with ${status}`,
      async (kit) => {
        beginReplay(kit);
        const refusal = await refused(kit, status);
        if (!refusal.came) {
          await judgeAfterEarlierRefusal(kit, refusal);
          return kit.notExercised(notRefusedReason(refusal));
        }
        expect(await sayAfterRefusal(kit, status, refusal)).toBeAccepted();
      },
    );
  }
});

/** Sends messages in conversations that begin after others were answered. Resolves when replies have had time to arrive. */
async function askAfterwards(kit: CheckKit, name: string | undefined): Promise<ChatObservation[]> {
  const { ids, sample, settings } = kit;
  const { message } = sample.messageReceived().data;
  const messages = [{}, { message }, messageWithText(kit, nameQuestion())];
  const label = `a conversation after these, of a contact ${name === undefined ? 'without' : 'with'} a name`;
  const send = (over: Partial<ChatData>) => {
    const contact = { id: ids.integer(), ...(name !== undefined && { name }) };
    return askForLater(kit, label, { over: { contact, ...over } });
  };
  const after = await sentAtOnce(kit, messages.length, () => Promise.all(messages.map(send)));
  await Promise.race(after.map((next) => firstReply(kit, next)));
  await Promise.all(after.map(({ replies }) => replies.atLeast(1, { withinMs: settings.quietMs })));
  return after;
}

/** Asks the AI for the name of the customer, who may have said it. */
function nameQuestion(name?: string): string {
  const question = 'What is my name?';
  return name === undefined ? question : `My name is ${name}. ${question}`;
}

/** Waits for replies in those conversations that have none: a queue with one worker sends them one after the other. */
async function awaitOtherReplies(kit: CheckKit, conversations: readonly ChatObservation[]): Promise<void> {
  const silent = conversations.filter(({ replies }) => replies.arrivals.length === 0);
  await Promise.race(silent.map(({ replies }) => replies.atLeast(1, { withinMs: lastReplyMs(kit) })));
}

/** Delivers an event again early, so that the time for its second reply passes alongside everything else. */
function beginReplay(kit: CheckKit): void {
  if (kit.settings.only.length === 0) beginForOthers(() => replayed(kit));
}
