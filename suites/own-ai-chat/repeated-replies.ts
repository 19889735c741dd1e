import { setTimeout as delay } from 'node:timers/promises';
import type { CheckKit } from '../../harness/checks/check.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { rejectionLabel, type ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Arrival, Stop } from '../../harness/wire/observation.ts';
import { jsonObjectOf } from '../json-object.ts';
import { conclude } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { askForLater, firstReply, noReplyReason, type ReadReply } from './replies.ts';
import { say } from './typical-answers.ts';

/** Milliseconds after a refused reply in which an AI that it breaks may still answer. */
const breakingMs = 1_000;
/** Milliseconds for which our answer waits until nothing else is in flight: fewer than any client waits for an answer. */
const quietWaitMs = 300;
/** Milliseconds in which an answer ends a process that cannot handle it. */
const endingMs = 100;

type Refusal = 404 | 409 | 422;

/** A message whose reply is refused, and whether that reply came and its sender got the refusal. */
export interface RefusedReply {
  observation: ChatObservation;
  came: boolean;
}

/** A message whose reply is refused, and the time until that has had its effect on the AI; sent once in a run. */
export function refused(kit: CheckKit, refuse: Refusal): Promise<RefusedReply> {
  return once(kit.session, `chat refused ${refuse}`, async () => {
    const reply = await refuseReply(kit, refuse);
    // Another refusal may have ended the sender before it got this one.
    const isLost = !reply.came && reply.observation.replies.arrivals.length > 0;
    return isLost ? await withoutTraffic(kit, () => refuseReply(kit, refuse)) : reply;
  });
}

async function refuseReply(kit: CheckKit, refuse: Refusal): Promise<RefusedReply> {
  const observation = await askForLater(kit, `a message whose reply is refused with ${refuse}`, {
    replies: { refuse, after: () => inQuiet(kit) },
  });
  const { replies } = observation;
  if (await firstReply(kit, observation)) await replies.atLeast(2, { withinMs: breakingMs });
  return { observation, came: replies.rejected.length > 0 };
}

/**
 * Resolves when nothing else is in flight, and keeps it so for a moment: an AI that our answer ends then shows it. An
 * endpoint that is busy for longer is not waited for.
 */
function inQuiet({ session }: CheckKit): Promise<void> {
  return new Promise((resolve) => {
    let isBusy = false;
    const timer = setTimeout(() => {
      isBusy = true;
      resolve();
    }, quietWaitMs);
    const keepQuiet = async () => {
      clearTimeout(timer);
      resolve();
      if (!isBusy) await delay(endingMs);
    };
    void session.alone(keepQuiet, { isFirst: true });
  });
}

/**
 * Sends a message after a reply was refused. Fails the check if the refusal ended the process of the AI: one that runs
 * again gets message and refusal once more, with nothing else in flight, so that it is the only suspect.
 */
export async function sayAfterRefusal(kit: CheckKit, refuse: Refusal, refused: RefusedReply): Promise<ChatObservation> {
  const sayNext = () => say(kit, `a message after a reply was refused with ${refuse}`);
  const next = await sayNext().catch((error: unknown) => {
    concludeStop(kit, refused);
    throw error;
  });
  if (!stopAfter(kit, refused)) return next;
  return await withoutTraffic(kit, async () => {
    const again = await refuseReply(kit, refuse);
    const afterwards = await sayNext().finally(() => concludeStop(kit, again));
    return afterwards;
  });
}

function stopAfter({ session }: CheckKit, { observation: { replies } }: RefusedReply): Stop | undefined {
  return replies.rejected.map((arrival) => session.stops.stopAfter(rejectionLabel(arrival))).find((stop) => stop);
}

/** Ends the check with a failure if the AI stopped after the refusal and nothing else was in flight. */
function concludeStop(kit: CheckKit, refused: RefusedReply): void {
  const [arrival] = refused.observation.replies.rejected;
  if (!arrival || stopAfter(kit, refused)?.suspects.length !== 1) return;
  conclude(arrival, {
    expected: `the process of the AI to continue after the answer ${arrival.response.status} to its reply`,
    received: 'its end: nothing listened at the address of the AI afterwards',
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

/** The first reply that was refused with 409, and the same reply again if it came. */
export function repeatedAfter409({
  replies,
}: ChatObservation): { first: Arrival; again: Arrival | undefined } | undefined {
  // Other replies to the same message may have been in flight; the same reply again was not dropped.
  const first = replies.arrivals.find(({ response }) => response.status === 409);
  if (!first) return undefined;
  return { first, again: replies.arrivals.find((arrival) => arrival.at > first.at && sameReply(arrival, first)) };
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
