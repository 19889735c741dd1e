import type { CheckKit } from '../../harness/checks/check.ts';
import type { ReplyBehaviour } from '../../harness/wire/agent-replies.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import { jsonObjectOf } from '../json-object.ts';
import { once } from '../once.ts';
import { messageWithText, saySentence, typicalAnswers } from './typical-answers.ts';

/** Why a rule about later replies was not exercised. */
export const noReplyReason =
  'No later reply arrived. Set stimuli.chat.async in the config to a sentence that leads to one.';

/**
 * Sends a message that is answered later, where the config has a sentence for it (else any message), in its own
 * conversation.
 */
export async function askForLater(
  kit: CheckKit,
  label: string,
  { over = {}, replies }: { over?: Partial<ChatData>; replies?: ReplyBehaviour } = {},
): Promise<ChatObservation> {
  const { chat, sample, settings } = kit;
  const sentence = settings.config.stimuli.chat?.async;
  const event = sample.messageReceived({ ...(sentence === undefined ? {} : messageWithText(kit, sentence)), ...over });
  return await chat.deliver(chat.open(event, replies && { replies }), { label });
}

/**
 * Waits for the first reply to a message. Replies are optional, so the wait depends on what announces one:
 * `timeoutSeconds` after a 202 or after the sentence that asks for a later reply, else the quiet time.
 */
export async function firstReply(kit: CheckKit, observation: ChatObservation): Promise<Arrival | undefined> {
  const { chat, settings } = kit;
  const { answer } = observation;
  if (answer.outcome !== 'answered') return undefined;
  const hasAnswered = answer.status === 200 && answer.bodyBytes > 0;
  const expected = answer.status === 202 || (settings.config.stimuli.chat?.async !== undefined && !hasAnswered);
  const withinMs = expected ? chat.timeoutMs : settings.quietMs;
  const [first] = await observation.replies.atLeast(1, { withinMs });
  return first;
}

/** Milliseconds after which no first reply to a message is awaited any more, before its absence decides about a failure. */
export function lastReplyMs({ chat, settings }: CheckKit): number {
  return Math.max(settings.answerTimeoutMs, chat.timeoutMs);
}

/** Every reply of the run by now, with the message that it belongs to. */
export interface ReplyArrival {
  arrival: Arrival;
  observation: ChatObservation;
}

/** Triggers replies, waits for the first one and for the quiet time after it, and returns all replies of the run. */
export function awaitReplies(kit: CheckKit): Promise<ReplyArrival[]> {
  return once(kit.session, 'chat replies', async () => {
    await typicalAnswers(kit);
    const asked = await saySentence(kit, 'async');
    await firstReply(kit, asked ?? (await askForLater(kit, 'a message to be answered later')));
    await new Promise((wake) => setTimeout(wake, kit.settings.quietMs));
    return kit.chat.delivered.flatMap((observation) =>
      observation.replies.arrivals.map((arrival) => ({ arrival, observation })),
    );
  });
}

/** A reply whose body is a JSON object. */
export interface ReadReply extends ReplyArrival {
  value: Record<string, unknown>;
}

/** Replies that came as POST requests with a JSON object. */
export function bodiesOf(replies: readonly ReplyArrival[]): ReadReply[] {
  return replies.flatMap(({ arrival, observation }) => {
    const value = jsonObjectOf(arrival.request.body);
    return value ? [{ arrival, observation, value }] : [];
  });
}

/** Requests that reached us elsewhere but name one of our conversations: replies to an altered address. */
export function misdirectedReplies({ inbox, chat }: CheckKit): Arrival[] {
  const marks = chat.delivered.map(({ replies }) =>
    /\/([0-9a-f]+)(\/v1\/projects\/\d+\/agent-replies)/.exec(replies.url),
  );
  return inbox.strays.filter(({ request }) =>
    marks.some((mark) => mark !== null && (request.url.includes(mark[1] ?? '') || request.url.includes(mark[2] ?? ''))),
  );
}
