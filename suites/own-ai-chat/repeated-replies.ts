import { setTimeout as delay } from 'node:timers/promises';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { utcTimestamp, type ChatData } from '../../harness/checks/samples.ts';
import { laterStatuses } from '../../harness/checks/acceptance.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import type { Session } from '../../harness/checks/session.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { jsonObjectOf } from '../json-object.ts';
import { describeAnswer, describeExchange } from '../matchers/describe-answer.ts';
import { conclude } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { askForLater, firstReply, noReplyReason, type ReadReply } from './replies.ts';
import { say } from './typical-answers.ts';

/** Milliseconds after a refused reply in which an AI that it breaks may still answer. */
const breakingMs = 1_000;
/** Milliseconds for which our first answer waits until nothing else is in flight. */
const quietWaitMs = 300;
/** Milliseconds after our answer without other traffic, in which it ends a process that cannot handle it. */
const quietMs = 150;
/** Milliseconds after our answer in which connections show whether the process has ended, and between two of them. */
const endingMs = 100;
const lookEveryMs = 20;

type Refusal = 404 | 409 | 422;

/** A message whose reply is refused. */
export interface RefusedReply {
  observation: ChatObservation;
  /** Its reply came, and its sender got the refusal. */
  came: boolean;
  /** Right after the refusal nothing listened at the address of the AI. */
  hasEnded: boolean;
  /** Nothing else was being handled then. */
  wasAlone: boolean;
}

/** The first refusal of a reply in each run: its status, and when it was answered, on the clock of `performance.now()`. */
const firstRefusals = new WeakMap<Session, { status: Refusal; at: number }>();

/** Why no refusal of a reply could be observed. */
export function notRefusedReason({ observation: { replies, answer } }: RefusedReply): string {
  if (answer.outcome === 'answered' && !isSuccess(answer.status)) {
    return `The message whose reply is refused was answered with status ${answer.status}, so no reply came.`;
  }
  return replies.arrivals.length === 0
    ? noReplyReason
    : 'A reply came late, was refused for another reason, or its sender did not wait for our answer.';
}

/** A message whose reply is refused, and the time until that has had its effect on the AI; sent once in a run. */
export function refused(kit: CheckKit, refuse: Refusal): Promise<RefusedReply> {
  return once(kit.session, `chat refused ${refuse}`, async () => {
    const reply = await refuseReply(kit, refuse, () => inQuiet(kit));
    const { rejections, arrivals } = reply.observation.replies;
    // Another refusal may have ended the sender before it got this one.
    return rejections.length === 0 && arrivals.length > 0 ? await refuseAlone(kit, refuse) : reply;
  });
}

function refuseAlone(kit: CheckKit, refuse: Refusal): Promise<RefusedReply> {
  return withoutTraffic(kit, () => refuseReply(kit, refuse, () => Promise.resolve(true)));
}

/** @param awaitQuiet waits until nothing else is in flight; resolves with whether that is so */
async function refuseReply(kit: CheckKit, refuse: Refusal, awaitQuiet: () => Promise<boolean>): Promise<RefusedReply> {
  let quiet: Promise<boolean> | undefined;
  const after = async () => {
    // Those after the first one, such as repetitions, are answered at once.
    if (!quiet) await (quiet = awaitQuiet());
  };
  const label = `a message whose reply is refused with ${refuse}`;
  const observation = await askForLater(kit, label, { replies: { refuse, after } });
  const { replies } = observation;
  if (!(await firstReply(kit, observation))) return { observation, came: false, hasEnded: false, wasAlone: false };
  const wasAlone = (await quiet) === true;
  const isRefused = () => replies.rejections.some(({ arrival: { response } }) => response.status === refuse);
  if (!isRefused()) await replies.nextChange({ withinMs: breakingMs });
  if (isRefused() && !firstRefusals.has(kit.session)) {
    firstRefusals.set(kit.session, { status: refuse, at: performance.now() });
  }
  const hasEnded = isRefused() && (await endsSoon(kit, refuse));
  await replies.atLeast(2, { withinMs: breakingMs });
  return { observation, came: isRefused(), hasEnded, wasAlone };
}

/**
 * Waits until nothing else is being handled and keeps it so for a moment, so that only our answer can end the process of
 * the AI then. Resolves with `false` if the endpoint is busy for longer.
 */
function inQuiet({ session }: CheckKit): Promise<boolean> {
  return new Promise((resolve) => {
    const busy = new AbortController();
    const timer = setTimeout(() => {
      resolve(false);
      busy.abort();
    }, quietWaitMs);
    const keepQuiet = async () => {
      clearTimeout(timer);
      resolve(true);
      if (!busy.signal.aborted) await delay(quietMs);
    };
    session.alone(keepQuiet, { signal: busy.signal, toleratesWaiting: true }).catch(() => undefined);
  });
}

/** Whether nothing listens at the address of the AI at one of several moments from now on. */
async function endsSoon({ session, settings }: CheckKit, refuse: Refusal): Promise<boolean> {
  const { url } = settings.config.chat ?? {};
  if (url === undefined) return false;
  for (const from = performance.now(); performance.now() - from < endingMs; await delay(lookEveryMs)) {
    if (await session.isDownAfter(url, `our answer ${refuse} to a reply`)) return true;
  }
  return false;
}

/**
 * Sends a message after a reply was refused. Fails the check if the refusal ended the process of the AI: one that runs
 * again gets message and refusal once more, with nothing else in flight.
 */
export async function sayAfterRefusal(kit: CheckKit, refuse: Refusal, refused: RefusedReply): Promise<ChatObservation> {
  const sayOne = async () => {
    if (refuse === 409 && isAtReplyUrl(refused)) return await sayNext(kit, refused);
    return await say(kit, `a message after a reply was refused with ${refuse}`);
  };
  const next = await sayOne().catch((error: unknown) => {
    const hasStopped = error instanceof HarnessFault && error.code === 'target-stopped';
    if (refused.hasEnded && refused.wasAlone && hasStopped) concludeEnd(refused);
    throw error;
  });
  if (!refused.hasEnded) return next;
  const again = await refuseAlone(kit, refuse);
  if (again.hasEnded) concludeEnd(again);
  return kit.notExercised('The process of the AI ended once after the refusal, but not when it was repeated.');
}

/**
 * Fails the check if the message whose reply was to be refused came after the refusal of another one and was not accepted,
 * although a later one is: for an AI that recovers soon, it is the only message that shows the effect.
 */
export async function judgeAfterEarlierRefusal(kit: CheckKit, { observation }: RefusedReply): Promise<void> {
  const earlier = firstRefusals.get(kit.session);
  if (!earlier || !isRefusedAfter(kit, observation, earlier.at)) return;
  const { answer } = await say(kit, 'a message after one that was refused');
  if (answer.outcome !== 'answered' || !isSuccess(answer.status)) return;
  conclude(observation, {
    expected: 'a 2xx status, as for a later message',
    received: `${describeAnswer(observation.answer)} ${describeExchange(observation)}`,
    hint: `Our answer ${earlier.status} to the reply to another message came before this message.`,
  });
}

/** Whether a message was refused after this moment although neither a reply to it nor an error that we sent came first. */
function isRefusedAfter({ inbox }: CheckKit, { answer, at, replies, times }: ChatObservation, moment: number): boolean {
  if (answer.outcome !== 'answered' || isSuccess(answer.status) || laterStatuses.includes(answer.status)) return false;
  const isOfReply = replies.count > 0 || replies.rejections.length > 0;
  return at > moment && !isOfReply && !inbox.wasDisturbed(at, at + (times.connectMs ?? 0) + (times.totalMs ?? 0));
}

/**
 * The next message of a conversation whose reply was refused with 409, once the team has answered and handed it back. It
 * is answered later, too, since an AI that keeps the refused reply may send it together with the next one. Sent once in
 * a run.
 */
function sayNext(kit: CheckKit, { observation }: RefusedReply): Promise<ChatObservation> {
  return once(kit.session, 'chat message after 409', async () => {
    const { projectId, contact, history, message } = observation.event.data as ChatData;
    const turns: ChatData['history'] = [
      { role: 'customer', text: message.text, at: message.receivedAt },
      { role: 'team', text: 'I have looked it up: it is done.', at: utcTimestamp(Date.now()) },
    ];
    const next = await askForLater(kit, 'a message after a reply was refused with 409, in the same conversation', {
      over: { projectId, contact, history: [...history, ...turns] },
    });
    await firstReply(kit, next);
    return next;
  });
}

/** The next message of the conversation; `undefined` if it was not answered, which other checks judge. */
export async function nextMessage(kit: CheckKit, refused: RefusedReply): Promise<ChatObservation | undefined> {
  if (!isAtReplyUrl(refused)) return undefined;
  return await sayNext(kit, refused).catch((error: unknown) => {
    if (error instanceof HarnessFault) return undefined;
    throw error;
  });
}

/**
 * Whether the refused reply came to replyUrl itself. A reply to the address of agent-replies below the base address can be
 * assigned to its message only while the conversation has one message.
 */
function isAtReplyUrl({ observation: { replies } }: RefusedReply): boolean {
  return replies.arrivals.every(({ request }) => request.url === replies.url);
}

/** Fails the check for the end of the process after a refusal. */
function concludeEnd({ observation: { replies } }: RefusedReply): void {
  const [rejection] = replies.rejections;
  if (!rejection) return;
  const { arrival } = rejection;
  conclude(arrival, {
    expected: `the process of the AI to continue after the answer ${arrival.response.status} to its reply`,
    received: 'an ended process: nothing listened at the address of the AI afterwards',
    hint: 'The log of the endpoint has the exception that ended its process. Catch errors where the reply is sent.',
    stopped: true,
  });
}

/** An event that was delivered twice. */
export interface ReplayedEvent {
  first: ChatObservation;
  /** Number of replies before the second delivery. */
  before: number;
  /** When the second delivery was answered, on the clock of `performance.now()`. */
  answeredAt: number;
}

/** A message with a later reply, delivered again after it; sent once in a run. */
export function replayed(kit: CheckKit): Promise<ReplayedEvent> {
  const { chat, session, settings } = kit;
  return once(session, 'chat replayed event', async () => {
    const first = await askForLater(kit, 'a message to be answered later');
    if (!(await firstReply(kit, first))) return kit.notExercised(noReplyReason);
    // One message may be answered in several replies, the last of which may be late.
    await new Promise((wake) => setTimeout(wake, settings.quietMs));
    const before = first.replies.arrivals.length;
    const { delivery } = chat.reopen(first);
    await chat.post(delivery, { label: 'the same event again' });
    return { first, before, answeredAt: performance.now() };
  });
}

/**
 * The request to API v1 that sent the text of a refused reply to the same contact as a message of the team, before the next
 * message of the conversation.
 */
export function sentAsMessage(
  { inbox }: CheckKit,
  { event }: ChatObservation,
  { first, refusedAt }: RepeatedReply,
  next: ChatObservation | undefined,
): Arrival | undefined {
  const text = jsonObjectOf(first.request.body)?.text;
  if (typeof text !== 'string' || text === '') return undefined;
  const { contact } = event.data as ChatData;
  const targets = [contact.id, contact.phone, contact.email].filter((target) => target !== undefined);
  return inbox.apiEffects
    .after(0)
    .map(({ arrival }) => arrival)
    .find(({ label, at, request }) => {
      const isBetween = at > refusedAt && at < (next?.at ?? Infinity);
      const body = label === 'sendMessage' && isBetween ? jsonObjectOf(request.body) : undefined;
      return (
        body?.text === text && [body.contactId, body.phone, body.email].some((to) => targets.includes(to as never))
      );
    });
}

/** A reply that was refused with 409, when that was, and the same reply again if it came after the refusal. */
export interface RepeatedReply {
  first: Arrival;
  refusedAt: number;
  again: Arrival | undefined;
}

/**
 * The first reply that was refused with 409 and came again; if none did, the first that was refused.
 *
 * @param next the next message of the conversation: if no reply to it arrives at its own replyUrl, the first one with
 *   the same text at this one may be the reply to it
 */
export function repeatedAfter409(
  { replies: { rejections, arrivals } }: ChatObservation,
  next: ChatObservation | undefined,
): RepeatedReply | undefined {
  const mayBeOfNext = next?.replies.count === 0 && textOfAnswer(next.answer).length === 0;
  const repeated = (first: Arrival, from: number) => {
    const same = arrivals.filter((arrival) => arrival.at > from && sameReply(arrival, first));
    const ofNext = mayBeOfNext ? same.find(({ at }) => at > next.at) : undefined;
    return same.find((arrival) => arrival !== ofNext);
  };
  const refused = rejections
    .filter(({ arrival }) => arrival.response.status === 409)
    // Other replies to the same message may have been in flight; the same reply again was not dropped.
    .map(({ arrival: first, at }) => ({
      first,
      refusedAt: at,
      again: repeated(first, at),
    }));
  return refused.find(({ again }) => again) ?? refused[0];
}

/**
 * The reply that an event caused when it was delivered again: one that repeats an earlier reply, or the one that is more
 * than twice as many as before and arrived soon after, since an AI may write more about the same message later.
 */
export function repeatedReply(
  { first: { replies }, before, answeredAt }: ReplayedEvent,
  { retryWatchMs }: Pick<RunSettings, 'retryWatchMs'>,
): Arrival | undefined {
  const [first, after] = [replies.arrivals.slice(0, before), replies.arrivals.slice(before)];
  const soon = after.filter(({ at }) => at <= answeredAt + retryWatchMs);
  return after.find((arrival) => first.some((earlier) => sameReply(arrival, earlier))) ?? soon[before];
}

/** Judges whether the text of each reply was sent before for the same message, in the answer or in another reply. */
export function judgeTexts(replies: readonly ReadReply[]): { arrival: Arrival; finding: Finding | undefined }[] {
  const seen = new Map<object, string[]>();
  return replies.map(({ arrival, observation, value }) => {
    const texts = seen.get(observation.replies) ?? textOfAnswer(observation.answer);
    const text = typeof value.text === 'string' ? value.text : '';
    seen.set(observation.replies, [...texts, text]);
    if (text === '' || !texts.includes(text)) return { arrival, finding: undefined };
    const received = `${JSON.stringify(text.slice(0, 80))} again`;
    return { arrival, finding: { expected: 'each reply once for one message', received, part: { body: ['text'] } } };
  });
}

/** The text that the service sent because of an answer: only one with status 200 is read. */
function textOfAnswer(answer: ChatObservation['answer']): string[] {
  if (answer.outcome !== 'answered' || answer.status !== 200) return [];
  const text = jsonObjectOf(answer.body)?.text;
  return typeof text === 'string' && text !== '' ? [text] : [];
}

function sameReply(a: Arrival, b: Arrival): boolean {
  return Buffer.compare(a.request.body, b.request.body) === 0 || shown(a) === shown(b);
}

/** The reply as JSON with its fields in one order; its bytes when it is not JSON. */
function shown({ request }: Arrival): string {
  const value = jsonObjectOf(request.body);
  if (!value) return Buffer.from(request.body).toString('latin1');
  return JSON.stringify(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
