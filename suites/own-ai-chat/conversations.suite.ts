import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import { parseJson } from '../../harness/json.ts';
import type { ChatObservation } from '../../harness/own-ai-chat.ts';
import type { Finding } from '../../harness/finding.ts';
import { conclude } from '../matchers/expect.ts';
import { askForLater, firstReply } from './replies.ts';

/** Conversations that are open at once. */
const atOnce = 4;

describe.concurrent('own-ai-chat conversations', () => {
  check('own-ai-chat/keeps-conversations-apart', 'each of several conversations gets its own reply', async (kit) => {
    const { ids, sample, settings } = kit;
    const conversations = await Promise.all(
      Array.from({ length: atOnce }, async (_, at) => {
        const marker = `Mara Q${(ids.integer() % 1_000_000).toString(36)}x${at}`;
        const contact = { ...sample.messageReceived().data.contact, name: marker };
        return { marker, observation: await askForLater(kit, `conversation ${at + 1} of ${atOnce} at once`, { over: { contact } }) };
      }),
    );
    const [first] = conversations;
    if (first) await firstReply(kit, first.observation);
    await Promise.all(conversations.map(({ observation }) => observation.replies.atLeast(1, { withinMs: settings.quietMs })));
    await new Promise((wake) => setTimeout(wake, settings.quietMs));
    const markers = conversations.map(({ marker }) => marker);
    let judged = 0;
    for (const { marker, observation } of conversations) {
      const others = markers.filter((other) => other !== marker);
      const finding = crossed(observation, others, conversations.map((one) => one.observation));
      if (finding === 'nothing') continue;
      judged++;
      conclude(observation, finding);
    }
    if (judged === 0) kit.notExercised('No conversation got a reply of its own or an answer that names its contact.');
  });
});

function crossed(
  observation: ChatObservation,
  others: readonly string[],
  all: readonly ChatObservation[],
): Finding | undefined | 'nothing' {
  const { arrivals } = observation.replies;
  const texts = [...arrivals.map(({ request }) => textOf(request.body)), answerText(observation)];
  const foreign = others.find((marker) => texts.some((text) => text.includes(marker)));
  if (foreign !== undefined) {
    return { expected: `words for the contact of this conversation`, received: `words for ${foreign}, the contact of another one` };
  }
  const starved = all.filter(({ replies }) => replies.arrivals.length === 0);
  if (arrivals.length > 1 && starved.length > 0) {
    return {
      expected: 'one reply at the replyUrl of each conversation',
      received: `${arrivals.length} replies at one and none at ${starved.length} others`,
      hint: 'Keep the replyUrl with the event it came in, not in a variable that all events share.',
    };
  }
  return arrivals.length > 0 || texts.some((text) => text !== '') ? undefined : 'nothing';
}

function answerText({ answer }: ChatObservation): string {
  return answer.outcome === 'answered' && answer.status === 200 ? textOf(answer.body) : '';
}

function textOf(body: Uint8Array): string {
  const parsed = parseJson(body);
  return 'error' in parsed ? '' : JSON.stringify(parsed.value);
}
