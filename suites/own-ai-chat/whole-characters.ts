import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import { bodyWith } from '../answer-bodies.ts';
import { jsonObjectOf } from '../json-object.ts';
import { judgeAll, type JudgeableBody, type Judgement } from '../judgement.ts';
import { bodiesOf, firstReply } from './replies.ts';
import { messagesToQuote, quotedPair, sayIn } from './situations.ts';

/** Fields in which an own AI may quote a message. */
const textFields = ['text', 'note', 'announcement'] as const;

/** What remains of a divided character next to a whole one, in text without halves of surrogate pairs. */
const divided = new RegExp(`[${quotedPair}]\\ufffd|\\ufffd[${quotedPair}]`, 'u');

/**
 * Judges quotes of the long messages of emojis and ideographs, at once or in later replies. A program that replaces one
 * kind of character, or both, has divided none: only a part next to whole ones of both kinds shows a cut.
 */
export async function judgeQuotes(kit: CheckKit): Promise<void> {
  const answers = await Promise.all(messagesToQuote.map((situation) => sayIn(kit, situation)));
  const bodies = await Promise.all(answers.map((answer) => bodiesAbout(kit, answer)));
  const needs = 'No answer quoted a long message of emojis and ideographs.';
  judgeAll(kit, { needs, judge: judgeQuote }, bodies.flat());
}

/** The answer to a message, and its replies so far. */
async function bodiesAbout(
  kit: CheckKit,
  observation: ChatObservation,
): Promise<JudgeableBody<Record<string, unknown>>[]> {
  await firstReply(kit, observation);
  const replies = observation.replies.arrivals.map((arrival) => ({ arrival, observation }));
  const later = bodiesOf(replies).map(({ arrival: exchange, value: body }) => ({ exchange, body }));
  const read = bodyWith(200, observation.answer);
  if (!read) return later;
  if ('unread' in read) return [{ exchange: observation, unread: read.unread }, ...later];
  const body = jsonObjectOf(read.body);
  return body ? [{ exchange: observation, body }, ...later] : later;
}

function judgeQuote(body: Record<string, unknown>): Judgement {
  const quotes = textFields.flatMap((name) => {
    const text = body[name];
    return typeof text === 'string' && [...quotedPair].every((one) => text.includes(one))
      ? [{ name, text: text.toWellFormed() }]
      : [];
  });
  if (quotes.length === 0) return 'nothing';
  const found = quotes.find(({ text }) => divided.test(text));
  if (!found) return true;
  return {
    expected: `whole characters in ${found.name}`,
    received: `half a character, or U+FFFD, after ${found.text.indexOf('\ufffd')} UTF-16 units`,
    part: { body: [found.name] },
  };
}
