import { formatMs } from '../format-ms.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { Found } from '../outcome.ts';
import { hasReacted } from './call-end.ts';
import { minimalAspects, type CallAspect } from './call-aspects.ts';
import { fullGreetingMs, type PhoneCalls } from './phone-calls.ts';
import { otherFirstFrames } from './find-first-frame.ts';
import { smallestSet } from './smallest-set.ts';
import type { JsonObject } from '../../specs/json-value.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/** Fields and types in which other voice interfaces carry the caller's sentence. */
const otherFields = [
  'voicePrompt',
  'transcript',
  'content',
  'message',
  'prompt',
  'input',
  'utterance',
  'speech',
] as const;
const otherTypes = [
  'transcript',
  'message',
  'user_message',
  'user.message',
  'speech',
  'utterance',
  'input',
  'user_input',
] as const;

/** Milliseconds of a long greeting: an AI that is not ready by then keeps callers waiting. */
const longGreetingMs = 5_000;
/** Precision, in milliseconds, of the time that an AI needs to be ready. */
const readyWithinMs = 700;
/** Milliseconds for an answer to a sentence in another form. */
const tryMs = 5_000;
/** Multiple of the timeout to wait for a late answer. */
const lateFactor = 3;

/** Says one sentence in a separate call; resolves to whether the AI reacts. */
type TryCall = (options: {
  label: string;
  first?: (typical: JsonObject) => JsonObject[];
  prompts?: JsonObject[];
  firstPieceMs?: number;
  greetingMs?: number;
}) => Promise<boolean>;

/**
 * Explains an unanswered plain sentence if the frames of the AI do not. `secondAnswered`: the next sentence of the same call
 * was answered.
 */
export async function explainUnanswered(calls: PhoneCalls, secondAnswered: boolean, seen: string[]): Promise<Found> {
  const { connection } = calls;
  const prompt = { type: 'prompt', text: calls.sentence };
  let lastCall: Call | undefined;
  const isAnswered: TryCall = async ({
    label,
    first = (typical) => [typical],
    prompts = [prompt],
    firstPieceMs = Math.min(calls.usualMs, tryMs),
    greetingMs = calls.greetingMs,
  }) => {
    const call = await calls.dial({ label, firstPieceMs });
    lastCall = call;
    for (const frame of first(calls.session(call.observation.callId))) call.send(frame);
    await call.pass(greetingMs);
    const before = call.length;
    for (const frame of prompts) call.send(frame);
    const begun = await call.firstPiece(before, firstPieceMs);
    if (!begun) calls.assertTime();
    await calls.end(call);
    return begun || hasReacted({ ...call.observation, frames: call.observation.frames.slice(before) });
  };

  const patient = Math.min(lateFactor * connection.timeoutMs, connection.remainingMs / 2);
  if (
    patient > 1.5 * connection.timeoutMs &&
    (await isAnswered({ label: 'a call with a long timeout', firstPieceMs: patient }))
  ) {
    const { frames = [] } = lastCall?.observation ?? {};
    const asked = frames.findLastIndex((frame) => isPrompt(frame.value));
    const piece = frames.find(({ from }, at) => from === 'ai' && at > asked);
    const ms = (piece?.atMs ?? 0) - (frames[asked]?.atMs ?? 0);
    seen.push(`With a longer timeout a sentence was answered after ${formatMs(ms)}.`);
    // A piece in time is not a late answer: it is not speech, or it does not always arrive.
    if (connection.limitMs === undefined || ms > connection.limitMs) return slowAnswerCause(ms, connection.limitMs);
  }
  if (secondAnswered) return await explainLostFirst(calls, isAnswered, seen);
  seen.push(`No sentence was answered within ${formatMs(patient)}.`);

  const words = Object.fromEntries(otherFields.map((name) => [name, calls.sentence]));
  const withFields = (names: readonly string[]) => [
    { ...prompt, ...Object.fromEntries(names.map((name) => [name, words[name]])) },
  ];
  const withTypes = (types: readonly string[]) => types.map((type) => ({ ...words, text: calls.sentence, type }));
  const named = async (
    what: string,
    names: readonly string[],
    make: (some: readonly string[]) => { first?: (typical: JsonObject) => JsonObject[]; prompts?: JsonObject[] },
  ): Promise<string | undefined> => {
    if (!(await isAnswered({ label: `a call with ${what}`, ...make(names) }))) return undefined;
    const [name, ...more] = await smallestSet(names, (part) =>
      isAnswered({ label: `a call with ${part.join(', ')}`, ...make(part) }),
    );
    if (name === undefined || more.length > 0) return undefined;
    const isSure =
      !(await isAnswered({ label: 'a plain call once more' })) &&
      (await isAnswered({ label: `a call with ${name} once more`, ...make([name]) }));
    return isSure ? name : undefined;
  };

  const field = await named('the sentence under other names too', otherFields, (some) => ({
    prompts: withFields(some),
  }));
  if (field !== undefined) {
    seen.push(`A sentence under "${field}" is answered, but one under "text" alone is not.`);
    return {
      id: 'phone/reads-other-field',
      summary: `Your endpoint reads the caller's sentence from "${field}", but the service sends it as "text".`,
    };
  }
  const type = await named('sentences in frames of other types', otherTypes, (some) => ({ prompts: withTypes(some) }));
  if (type !== undefined) {
    seen.push(`A sentence in a frame of the type "${type}" is answered, but one in a prompt is not.`);
    return {
      id: 'phone/reads-other-type',
      summary: `Your endpoint answers frames of the type "${type}", but the service sends the caller's sentence as "prompt".`,
    };
  }
  const first = await named('other first frames', otherFirstFrames, (some) => ({
    first: (typical) => [typical, ...some.map((kind) => ({ ...typical, type: kind }))],
    prompts: withFields(otherFields),
  }));
  if (first !== undefined) {
    seen.push(`After a first frame of the type "${first}" a sentence is answered.`);
    return {
      id: 'phone/other-first-frame',
      summary: `Your endpoint expects a first frame of the type "${first}", but the service sends session.started.`,
    };
  }
  const value = await requiredValue(isAnswered);
  if (value !== undefined) {
    seen.push(`In a call ${value} a sentence is answered.`);
    return {
      id: 'phone/session-value-not-handled',
      summary: `Your endpoint answers only in a call ${value}, not in a typical one.`,
    };
  }
  seen.push(
    'Neither other names and types of the sentence, nor other first frames, nor a reduced first frame led to an answer.',
  );
  return {
    id: 'phone/never-answers',
    summary: 'Your endpoint accepts calls and sentences, stays connected, and never sends a frame.',
  };
}

/** The value of the first frame that the AI requires to answer. */
async function requiredValue(isAnswered: TryCall): Promise<string | undefined> {
  const made = (aspects: readonly CallAspect[]) => ({
    first: (typical: JsonObject) => [aspects.reduce((frame, { started }) => started?.(frame) ?? frame, typical)],
  });
  if (!(await isAnswered({ label: 'a call with a minimal first frame', ...made(minimalAspects) }))) return undefined;
  const needed = await smallestSet(minimalAspects, (part) =>
    isAnswered({ label: 'a call with a reduced first frame', ...made(part) }),
  );
  if (!(await isAnswered({ label: 'the same call once more', ...made(needed) }))) return undefined;
  return needed.map(({ when }) => when).join(' and ');
}

/** Explains a lost first sentence: it comes too early, or it is always lost. */
async function explainLostFirst(calls: PhoneCalls, isAnswered: TryCall, seen: string[]): Promise<Found> {
  const at = (greetingMs: number) =>
    isAnswered({ label: `a call whose first sentence comes after ${formatMs(greetingMs)}`, greetingMs });
  if (!(await at(longGreetingMs))) {
    seen.push(
      `The first sentence of a call is not answered, even ${formatMs(longGreetingMs)} after its beginning; the second is.`,
    );
    return { id: 'phone/first-sentence-lost' };
  }
  let early: number = fullGreetingMs;
  let late: number = longGreetingMs;
  while (late - early > readyWithinMs) {
    const middle = (early + late) / 2;
    if (await at(middle)) late = middle;
    else early = middle;
  }
  seen.push(
    `A first sentence is lost ${formatMs(early)} after session.started, and answered ${formatMs(late)} after it.`,
  );
  return {
    id: 'phone/not-ready-at-once',
    summary: `Your endpoint loses speech in the first ${formatMs(late)} of a call, approximately: it is not ready earlier.`,
  };
}

/** The cause for an answer that begins after the timeout of the service. */
export function slowAnswerCause(ms: number, limitMs: number | undefined): Found {
  const limit = limitMs === undefined ? '' : `; the waiting time is ${formatMs(limitMs)}`;
  return { id: 'phone/first-piece-slow', summary: `Your endpoint begins to answer after ${formatMs(ms)}${limit}.` };
}

function isPrompt(value: unknown): boolean {
  return isJsonContainer(value) && 'type' in value && value.type === 'prompt';
}
