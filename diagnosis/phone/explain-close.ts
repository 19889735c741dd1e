import type { Found } from '../outcome.ts';
import { brokeOff, describeClose, formatTime } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';

/** Milliseconds after the last frame within which a connection went down because of that frame. */
const atOnceMs = 600;
/** The share by which two times differ at most that count as the same, and the least difference in milliseconds. */
const tolerance = 0.2;
const leastDifferenceMs = 400;

/** How a call that was left alone broke off, in milliseconds since the first frame and since the last one. */
interface BreakOff {
  sinceStartMs: number;
  sinceLastMs: number;
  code: string;
}

/**
 * A call in which nothing but plain sentences was said was closed by the AI. Tells whether the last answer is the reason,
 * the silence since, or the age of the call: by holding calls in which these times differ.
 *
 * @param waitMs milliseconds of silence for which one call is held at most
 */
export async function explainClose(calls: PhoneCalls, waitMs: number, seen: string[]): Promise<Found | undefined> {
  const once = await quietCall(calls, 0, waitMs);
  if (once === undefined) return undefined;
  seen.push(
    `A call was closed ${once.code} ${formatTime(once.sinceLastMs)} after its last frame, ${formatTime(once.sinceStartMs)} after its first.`,
  );
  if (once.sinceLastMs < atOnceMs) {
    const again = await quietCall(calls, 0, waitMs);
    if (again === undefined || again.sinceLastMs >= atOnceMs) return undefined;
    return {
      id: 'phone/closes-after-answer',
      summary: `Your endpoint closes the connection ${once.code} when it has answered a sentence.`,
    };
  }
  // Spoken to half-way through: a clock of silence begins anew then, and one of the call does not.
  const halfway = await quietCall(calls, once.sinceLastMs / 2, waitMs);
  if (halfway === undefined) return undefined;
  seen.push(
    `With a sentence half-way it was closed ${formatTime(halfway.sinceLastMs)} after its last frame, ${formatTime(halfway.sinceStartMs)} after its first.`,
  );
  if (isSame(halfway.sinceLastMs, once.sinceLastMs)) {
    return {
      id: 'phone/closes-when-quiet',
      summary: `Your endpoint closes the connection ${once.code} when nothing is said for ${formatTime(once.sinceLastMs)}.`,
    };
  }
  if (isSame(halfway.sinceStartMs, once.sinceStartMs)) {
    return {
      id: 'phone/closes-after-a-time',
      summary: `Your endpoint closes a call ${once.code} ${formatTime(once.sinceStartMs)} after its beginning, whatever is said.`,
    };
  }
  return undefined;
}

/** One call: a sentence, another one after `againMs`, then silence. `undefined` when it stays up for all of that time. */
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
  const end = brokeOff(observation);
  if (!end) return undefined;
  const [first] = observation.frames;
  return {
    sinceStartMs: end.atMs - (first?.atMs ?? 0),
    sinceLastMs: end.atMs - (observation.frames.at(-1)?.atMs ?? 0),
    code: describeClose(end),
  };
}

function isSame(one: number, other: number): boolean {
  return Math.abs(one - other) <= Math.max(leastDifferenceMs, tolerance * Math.max(one, other));
}
