import { formatMs } from '../format-ms.ts';
import type { CallEnd, CallObservation } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';
import { describeClose, fixForTooLarge, unexpectedEnd } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds after the last frame within which a connection went down because of that frame. */
const atOnceMs = 600;
/** Relative and absolute (milliseconds) tolerance within which two times count as equal. */
const tolerance = 0.2;
const leastDifferenceMs = 400;

/** How a quiet call broke off, in milliseconds since the first and the last frame. */
export interface BreakOff {
  sinceStartMs: number;
  sinceLastMs: number;
  end: CallEnd;
  after: 'answer' | 'sentence' | 'session.started';
}

/**
 * Explains why the AI closed a plain call: because of the last answer, the silence since then, or the age of the call.
 * Compares calls in which these times differ.
 *
 * @param waitMs most milliseconds of silence in one call
 * @param first the first of these calls, if it has been made
 */
export async function explainClose(
  calls: PhoneCalls,
  waitMs: number,
  seen: string[],
  first?: BreakOff,
): Promise<Found | undefined> {
  const once = first ?? (await quietCall(calls, 0, waitMs));
  if (typeof once !== 'object') return undefined;
  seen.push(
    `A call was closed ${describeClose(once.end)} ${formatMs(once.sinceLastMs)} after its last frame, ${formatMs(once.sinceStartMs)} after its first.`,
  );
  if (once.sinceLastMs < atOnceMs) {
    const again = await quietCall(calls, 0, waitMs);
    if (typeof again !== 'object' || again.sinceLastMs >= atOnceMs || again.after !== once.after) return undefined;
    if (once.after === 'sentence') return await closedAtSentence(calls, seen);
    if (once.after === 'session.started') return await closedAtStart(calls, once.end, seen);
    return {
      id: 'phone/closes-after-answer',
      summary: `Your endpoint closes the connection ${describeClose(once.end)} when it has answered a sentence.`,
    };
  }
  // A sentence half-way restarts a silence timer, but not the timer of the call.
  const halfway = await quietCall(calls, once.sinceLastMs / 2, waitMs);
  if (typeof halfway !== 'object') return undefined;
  seen.push(
    `With a sentence half-way it was closed ${formatMs(halfway.sinceLastMs)} after its last frame, ${formatMs(halfway.sinceStartMs)} after its first.`,
  );
  if (isSame(halfway.sinceLastMs, once.sinceLastMs)) {
    return {
      id: 'phone/closes-when-quiet',
      summary: `Your endpoint closes the connection ${describeClose(once.end)} when nothing is said for ${formatMs(once.sinceLastMs)}.`,
    };
  }
  if (isSame(halfway.sinceStartMs, once.sinceStartMs)) {
    return {
      id: 'phone/closes-after-a-time',
      summary: `Your endpoint closes a call ${describeClose(once.end)} ${formatMs(once.sinceStartMs)} after its beginning, regardless of speech.`,
    };
  }
  return undefined;
}

/** Confirms that a sentence ends the call, by comparison with a silent call. */
export async function closedAtSentence(calls: PhoneCalls, seen: string[]): Promise<Found | undefined> {
  const call = await calls.begin({ label: 'a call with one plain sentence' });
  await calls.ask(call);
  await calls.end(call);
  const end = unexpectedEnd(call.observation);
  if (!end || latestOf(call.observation) !== 'sentence') return undefined;
  const silent = await calls.begin({ label: 'a call in which nothing is said' });
  await silent.pass(calls.greetingMs);
  const { isUp } = silent;
  await calls.end(silent);
  seen.push(
    `A plain sentence ended two calls ${describeClose(end)}; one without a sentence ${isUp ? 'stayed up' : 'ended as well'}.`,
  );
  return isUp
    ? {
        id: 'phone/closes-at-a-sentence',
        summary: `Your endpoint closes the connection ${describeClose(end)} when the caller says a sentence.`,
        ...fixForTooLarge(end),
      }
    : undefined;
}

/** Confirms that session.started ends the call, by comparison with a call without any frame. */
async function closedAtStart(calls: PhoneCalls, end: CallEnd, seen: string[]): Promise<Found | undefined> {
  const silent = await calls.dial({ label: 'a call without session.started' });
  await silent.pass(calls.greetingMs);
  const { isUp } = silent;
  await silent.vanish('close');
  seen.push(`Without session.started a call ${isUp ? 'stays up' : 'is also closed'}.`);
  return isUp
    ? {
        id: 'phone/closed-at-session-started',
        summary: `Your endpoint closes the connection ${describeClose(end)} at session.started.`,
        ...fixForTooLarge(end),
      }
    : undefined;
}

/**
 * One call: a sentence, another one after `againMs`, then silence. `undefined` if the AI may have ended it as the interface
 * allows.
 */
export async function quietCall(
  calls: PhoneCalls,
  againMs: number,
  waitMs: number,
): Promise<BreakOff | 'stays-up' | undefined> {
  const call = await calls.begin({ label: againMs > 0 ? 'a quiet call with two sentences' : 'a quiet call' });
  const { observation } = call;
  await calls.ask(call);
  if (againMs > 0 && call.isUp) {
    await call.pass(againMs);
    if (call.isUp) await calls.ask(call);
  }
  await call.pass(Math.min(waitMs, calls.connection.remainingMs));
  const { isUp } = call;
  if (!isUp) await call.end();
  else calls.assertTime();
  await calls.end(call);
  if (isUp) return 'stays-up';
  const end = unexpectedEnd(observation);
  if (!end) return undefined;
  const [first] = observation.frames;
  return {
    sinceStartMs: end.atMs - (first?.atMs ?? 0),
    sinceLastMs: end.atMs - (observation.frames.at(-1)?.atMs ?? 0),
    end,
    after: latestOf(observation),
  };
}

/** The last frame of a call. */
function latestOf({ frames }: CallObservation): BreakOff['after'] {
  if (frames.at(-1)?.from === 'ai') return 'answer';
  return frames.filter(({ from }) => from === 'service').length > 1 ? 'sentence' : 'session.started';
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(leastDifferenceMs, tolerance * Math.max(one, other));
}
