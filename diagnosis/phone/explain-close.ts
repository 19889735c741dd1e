import { formatMs } from '../format-ms.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds after the last frame within which a connection went down because of that frame. */
const atOnceMs = 600;
/** Relative and absolute (milliseconds) tolerance within which two times count as equal. */
const tolerance = 0.2;
const leastDifferenceMs = 400;

/** How a quiet call broke off, in milliseconds since the first and the last frame. */
interface BreakOff {
  sinceStartMs: number;
  sinceLastMs: number;
  code: string;
  after: 'answer' | 'sentence' | 'session.started';
}

/**
 * Explains why the AI closed a plain call: because of the last answer, the silence since then, or the age of the call.
 * Compares calls in which these times differ.
 *
 * @param waitMs most milliseconds of silence in one call
 */
export async function explainClose(calls: PhoneCalls, waitMs: number, seen: string[]): Promise<Found | undefined> {
  const once = await quietCall(calls, 0, waitMs);
  if (once === undefined) return undefined;
  seen.push(
    `A call was closed ${once.code} ${formatMs(once.sinceLastMs)} after its last frame, ${formatMs(once.sinceStartMs)} after its first.`,
  );
  if (once.sinceLastMs < atOnceMs) {
    const again = await quietCall(calls, 0, waitMs);
    if (again === undefined || again.sinceLastMs >= atOnceMs || again.after !== once.after) return undefined;
    return closeAfter(once);
  }
  // A sentence half-way restarts a silence timer, but not the timer of the call.
  const halfway = await quietCall(calls, once.sinceLastMs / 2, waitMs);
  if (halfway === undefined) return undefined;
  seen.push(
    `With a sentence half-way it was closed ${formatMs(halfway.sinceLastMs)} after its last frame, ${formatMs(halfway.sinceStartMs)} after its first.`,
  );
  if (isSame(halfway.sinceLastMs, once.sinceLastMs)) {
    return {
      id: 'phone/closes-when-quiet',
      summary: `Your endpoint closes the connection ${once.code} when nothing is said for ${formatMs(once.sinceLastMs)}.`,
    };
  }
  if (isSame(halfway.sinceStartMs, once.sinceStartMs)) {
    return {
      id: 'phone/closes-after-a-time',
      summary: `Your endpoint closes a call ${once.code} ${formatMs(once.sinceStartMs)} after its beginning, regardless of speech.`,
    };
  }
  return undefined;
}

function closeAfter({ after, code }: BreakOff): Found {
  // RFC 6455, 7.4.1: the message is too big to be processed.
  const limit = code.includes('1009')
    ? ' Code 1009 means that the frame is longer than the WebSocket library accepts; raise its maximum message size.'
    : '';
  if (after === 'answer') {
    return {
      id: 'phone/closes-after-answer',
      summary: `Your endpoint closes the connection ${code} when it has answered a sentence.`,
    };
  }
  if (after === 'sentence') {
    return {
      id: 'phone/closes-at-a-sentence',
      summary: `Your endpoint closes the connection ${code} at a sentence, before any answer.${limit}`,
    };
  }
  return {
    id: 'phone/closed-at-session-started',
    summary: `Your endpoint closes the connection ${code} at session.started, before any answer.${limit}`,
  };
}

/** One call: a sentence, another one after `againMs`, then silence. `undefined` if it stays up all the time. */
async function quietCall(calls: PhoneCalls, againMs: number, waitMs: number): Promise<BreakOff | undefined> {
  const call = await calls.begin({ label: againMs > 0 ? 'a quiet call with two sentences' : 'a quiet call' });
  const { observation } = call;
  await calls.ask(call);
  if (againMs > 0 && call.isUp) {
    await call.pass(againMs);
    if (call.isUp) await calls.ask(call);
  }
  await call.pass(Math.min(waitMs, calls.connection.remainingMs));
  if (!call.isUp) await call.end();
  else calls.assertTime();
  await calls.end(call);
  const end = unexpectedEnd(observation);
  if (!end) return undefined;
  const [first] = observation.frames;
  return {
    sinceStartMs: end.atMs - (first?.atMs ?? 0),
    sinceLastMs: end.atMs - (observation.frames.at(-1)?.atMs ?? 0),
    code: describeClose(end),
    after: latestOf(observation),
  };
}

/** What came last in a call, apart from what a service sends when it ends. */
function latestOf({ frames }: CallObservation): BreakOff['after'] {
  if (frames.some(({ from }) => from === 'ai')) return 'answer';
  return frames.length > 1 ? 'sentence' : 'session.started';
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(leastDifferenceMs, tolerance * Math.max(one, other));
}
