import { answerFields, documentedAnswer } from './answer-fields.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { ChatData } from '../../harness/checks/samples.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { bodyWith } from '../answer-bodies.ts';
import { bodyOfArrival, jsonObjectOf, unreadBody } from '../json-object.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { once } from '../once.ts';
import { describeNearest, nearestFields } from '../undocumented-fields.ts';
import { playConversation } from './conversation.ts';
import { awaitReplies, misdirectedReplies } from './replies.ts';

/** Messages whose late replies are awaited: any of them is enough. */
const mostAwaited = 50;

/** The answers of the AI in a run. */
export interface CollectedAnswers {
  /** Messages that were accepted. */
  accepted: readonly ChatObservation[];
  /** The first exchange with anything that the service acts on: text, an action, a note or a skill. */
  answer: ChatObservation | Arrival | undefined;
  /** The first exchange with text. */
  text: ChatObservation | Arrival | undefined;
  /** Where answers without text seem to have it. */
  textElsewhere: string | undefined;
  /** Why it is unknown whether there is more: a body that was not read, or whose fault other checks judge. */
  unknown: string | undefined;
  /** Milliseconds from the first accepted message until now. */
  afterMs: number;
}

/** Reads every answer and every reply of the run. If there are none, waits for a late reply. */
export function collectAnswers(kit: CheckKit): Promise<CollectedAnswers> {
  return once(kit.session, 'chat answers of the run', async () => {
    await awaitReplies(kit);
    await playConversation(kit);
    const found = read(kit);
    if (found.answer ?? found.unknown ?? found.accepted.length === 0) return found;
    await anyReply(kit, found);
    return read(kit);
  });
}

function read(kit: CheckKit): CollectedAnswers {
  const { chat } = kit;
  const accepted = chat.delivered.filter(({ answer }) => answer.outcome === 'answered' && isSuccess(answer.status));
  const contents = [...accepted.map(contentOfAnswer), ...chat.delivered.flatMap(contentsOfReplies)];
  const first = (kind: 'answer' | 'text') =>
    contents.find(({ content }) => content === kind || content === 'text')?.exchange;
  const [elsewhere] = misdirectedReplies(kit);
  const requests = requestsForCustomers(kit, accepted);
  const unknown = contents.find(({ content }) => content === 'unknown');
  const firstAt = Math.min(...accepted.map(({ at }) => at));
  return {
    accepted,
    answer: first('answer') ?? requests[0]?.arrival,
    text: first('text') ?? requests.find(({ isMessage }) => isMessage)?.arrival,
    textElsewhere: contents.find(({ textElsewhere }) => textElsewhere !== undefined)?.textElsewhere,
    unknown:
      unknown || elsewhere ? 'An answer or a reply cannot be used as it was sent; other checks judge that.' : undefined,
    afterMs: accepted.length === 0 ? 0 : performance.now() - firstAt,
  };
}

interface RequestForCustomer {
  arrival: Arrival;
  isMessage: boolean;
}

/**
 * A message to one of these customers, or a skill in one of these conversations, that the AI requests through API v1 is
 * an answer as well. The endpoint may send other messages because of CRM events and appointments, so only customers count
 * that no other event is about.
 */
function requestsForCustomers({ inbox, sample }: CheckKit, messages: readonly ChatObservation[]): RequestForCustomer[] {
  const customers = new Set<unknown>();
  const projects = new Set<string>();
  for (const { event } of messages) {
    const { projectId, contact } = event.data as { projectId?: unknown; contact?: unknown };
    const { id, phone, email } = isJsonObject(contact) ? contact : {};
    if (!sample.isSampleContact(id)) continue;
    projects.add(String(projectId));
    for (const one of [id, digitsOf(phone), email]) if (one !== undefined) customers.add(one);
  }
  return inbox.apiEffects.after(0).flatMap(({ arrival }): RequestForCustomer[] => {
    const { pathname } = new URL(arrival.request.url);
    const project = /\/v1\/projects\/(\d+)\/skills\/[^/]+$/.exec(pathname)?.[1];
    if (project !== undefined) return projects.has(project) ? [{ arrival, isMessage: false }] : [];
    if (!pathname.endsWith('/v1/messages')) return [];
    const { contactId, phone, email } = jsonObjectOf(arrival.request.body) ?? {};
    const isForCustomer = [contactId, digitsOf(phone), email].some((one) => customers.has(one));
    return isForCustomer ? [{ arrival, isMessage: true }] : [];
  });
}

/** The digits of a phone number, in whatever notation it is written. */
function digitsOf(phone: unknown): string | undefined {
  return typeof phone === 'string' ? phone.replaceAll(/\D/g, '') : undefined;
}

interface Content {
  content: 'nothing' | 'answer' | 'text' | 'unknown';
  textElsewhere?: string | undefined;
}

/** Content of a 200 answer that the service acts on. */
export function contentOfAnswer(exchange: ChatObservation): Content & { exchange: ChatObservation } {
  const body = bodyWith(200, exchange.answer);
  if (body === undefined) return { exchange, content: 'nothing' };
  return { exchange, ...('unread' in body ? { content: 'unknown' } : contentOf(body.body)) };
}

/** Whether the AI answers a message at once, or by a reply within this time. */
export async function isAnswered({ inbox }: CheckKit, message: ChatObservation, withinMs: number): Promise<boolean> {
  if (['answer', 'text'].includes(contentOfAnswer(message).content)) return true;
  if ((await message.replies.atLeast(1, { withinMs })).length > 0) return true;
  // A reply to the listed address of the project names no message, so it may belong to any message before it.
  const { projectId, message: sent } = message.event.data as ChatData;
  const { turns } = inbox.service.inbox.conversations.get(projectId);
  const at = turns.findIndex(({ messageId }) => messageId === sent.id);
  return at >= 0 && turns.slice(at).some(({ role }) => role === 'agent');
}

function contentsOfReplies({ replies }: ChatObservation): (Content & { exchange: Arrival })[] {
  return replies.arrivals.map((exchange) => ({
    exchange,
    ...(unreadBody(bodyOfArrival(exchange)) ? { content: 'unknown' } : contentOf(exchange.request.body)),
  }));
}

function contentOf(body: Uint8Array): Content {
  if (body.length === 0) return { content: 'nothing' };
  const value = jsonObjectOf(body);
  if (!value) return { content: 'unknown' };
  if (Object.keys(value).length > 0 && !answerFields.some((name) => Object.hasOwn(value, name))) {
    return { content: 'unknown' };
  }
  const { text, action, note, executeSkills } = value;
  if (typeof text === 'string' ? text !== '' : (text ?? '') !== '') return { content: 'text' };
  const acts =
    ![undefined, null, 'none'].includes(action as never) ||
    ![undefined, null, ''].includes(note as never) ||
    (Array.isArray(executeSkills) && executeSkills.length > 0);
  const elsewhere = nearestFields(value, documentedAnswer).filter(({ documented }) => documented === 'text');
  return { content: acts ? 'answer' : 'nothing', textElsewhere: describeNearest(elsewhere) };
}

/**
 * Waits for the first reply to any message. After a 202 a reply is announced, so the wait is that for an answer without
 * a limit; else it is `timeoutSeconds`.
 */
async function anyReply({ chat, settings }: CheckKit, { accepted, afterMs }: CollectedAnswers): Promise<void> {
  const isAnnounced = accepted.some(({ answer }) => answer.outcome === 'answered' && answer.status === 202);
  const withinMs = (isAnnounced ? Math.max(settings.answerTimeoutMs, chat.timeoutMs) : chat.timeoutMs) - afterMs;
  if (withinMs <= 0) return;
  await Promise.race(accepted.slice(-mostAwaited).map(({ replies }) => replies.atLeast(1, { withinMs })));
}
