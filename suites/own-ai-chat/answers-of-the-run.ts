import { answerFields } from './answer-fields.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { bodyWith } from '../answer-bodies.ts';
import { bodyOfArrival, jsonObjectOf, unreadBody } from '../json-object.ts';
import { isSuccess } from '../matchers/answer-status.ts';
import { once } from '../once.ts';
import { playConversation } from './conversation.ts';
import { awaitReplies, misdirectedReplies } from './replies.ts';

/** Messages whose late replies are awaited: any of them is enough. */
const mostAwaited = 50;

/** What the AI has said in a run. */
export interface AnswersOfTheRun {
  /** Messages that were accepted. */
  accepted: readonly ChatObservation[];
  /** The first exchange with anything that the service acts on: text, an action, a note or a skill. */
  answer: ChatObservation | Arrival | undefined;
  /** The first exchange with text. */
  text: ChatObservation | Arrival | undefined;
  /** Why it is unknown whether there is more: a body that was not read, or whose fault other checks judge. */
  unknown: string | undefined;
  /** Milliseconds from the first accepted message until now. */
  afterMs: number;
}

/** Reads every answer and every reply of the run. If there are none, waits for a late reply. */
export function answersOfTheRun(kit: CheckKit): Promise<AnswersOfTheRun> {
  return once(kit.session, 'chat answers of the run', async () => {
    await awaitReplies(kit);
    await playConversation(kit);
    const found = read(kit);
    if (found.answer ?? found.unknown ?? found.accepted.length === 0) return found;
    await anyReply(kit, found);
    return read(kit);
  });
}

function read(kit: CheckKit): AnswersOfTheRun {
  const { chat, inbox } = kit;
  const accepted = chat.delivered.filter(({ answer }) => answer.outcome === 'answered' && isSuccess(answer.status));
  const contents = [...accepted.map(contentOfAnswer), ...chat.delivered.flatMap(contentsOfReplies)];
  const first = (kind: 'answer' | 'text') =>
    contents.find(({ content }) => content === kind || content === 'text')?.exchange;
  const [elsewhere] = misdirectedReplies(kit);
  const sent = inbox.apiEffects.after(0).find(({ signature }) => sendsToCustomer.test(signature));
  const unknown = contents.find(({ content }) => content === 'unknown');
  const startedAt = Math.min(...accepted.map((message) => message.startedAt.getTime()));
  return {
    accepted,
    answer: first('answer') ?? sent?.arrival,
    text: first('text') ?? sent?.arrival,
    unknown:
      unknown || elsewhere
        ? 'An answer or a reply cannot be used as it was sent, which other checks judge.'
        : undefined,
    afterMs: accepted.length === 0 ? 0 : Date.now() - startedAt,
  };
}

/** A message that the AI sends or a skill that it runs through API v1 is an answer as well. */
const sendsToCustomer = /^POST \S*\/v1\/(?:messages|projects\/\d+\/skills\/\S+) /;

type Content = 'nothing' | 'answer' | 'text' | 'unknown';

/** Content of a 200 answer that the service acts on. */
export function contentOfAnswer(exchange: ChatObservation): { exchange: ChatObservation; content: Content } {
  const body = bodyWith(200, exchange.answer);
  if (body === undefined) return { exchange, content: 'nothing' };
  return { exchange, content: 'unread' in body ? 'unknown' : contentOf(body.body) };
}

function contentsOfReplies({ replies }: ChatObservation): { exchange: Arrival; content: Content }[] {
  return replies.arrivals.map((exchange) => ({
    exchange,
    content: unreadBody(bodyOfArrival(exchange)) ? 'unknown' : contentOf(exchange.request.body),
  }));
}

function contentOf(body: Uint8Array): Content {
  if (body.length === 0) return 'nothing';
  const value = jsonObjectOf(body);
  if (!value) return 'unknown';
  if (Object.keys(value).length > 0 && !answerFields.some((name) => Object.hasOwn(value, name))) return 'unknown';
  const { text, action, note, executeSkills } = value;
  if (typeof text === 'string' ? text !== '' : (text ?? '') !== '') return 'text';
  const acts =
    ![undefined, null, 'none'].includes(action as never) ||
    ![undefined, null, ''].includes(note as never) ||
    (Array.isArray(executeSkills) && executeSkills.length > 0);
  return acts ? 'answer' : 'nothing';
}

/**
 * Waits for the first reply to any message. After a 202 a reply is announced, so the wait is that for an answer without
 * a limit; else it is `timeoutSeconds`.
 */
async function anyReply({ chat, settings }: CheckKit, { accepted, afterMs }: AnswersOfTheRun): Promise<void> {
  const isAnnounced = accepted.some(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  const withinMs = (isAnnounced ? Math.max(settings.answerTimeoutMs, chat.timeoutMs) : chat.timeoutMs) - afterMs;
  if (withinMs <= 0) return;
  await Promise.race(accepted.slice(-mostAwaited).map(({ replies }) => replies.atLeast(1, { withinMs })));
}
