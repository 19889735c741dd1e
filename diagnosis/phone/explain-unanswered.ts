import type { Call } from '../../harness/wire/call.ts';
import type { Found } from '../outcome.ts';
import { reacted, formatTime } from './call-end.ts';
import { minimalAspects, type CallAspect } from './call-aspects.ts';
import { fullGreetingMs, type PhoneCalls } from './phone-calls.ts';
import { otherFirstFrames } from './find-first-frame.ts';
import { smallestSet } from './smallest-set.ts';

/** Fields and types under which other voice interfaces have the caller's sentence. */
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

/** Milliseconds of a greeting that is long: whoever is not ready by then keeps callers waiting. */
const longGreetingMs = 5_000;
/** Milliseconds to which the time is told that an AI needs to be ready. */
const readyWithinMs = 700;
/** Milliseconds for an answer to a sentence that is said in another way: one that reads it so has answers in time. */
const tryMs = 5_000;
/** How many times the patience a late answer is waited for. */
const muchPatience = 3;

type Frame = Record<string, unknown>;

/** Says one sentence in a call of its own, in some way; whether the AI reacts. */
type Try = (options: {
  label: string;
  first?: (typical: Frame) => Frame[];
  prompts?: Frame[];
  firstPieceMs?: number;
  greetingMs?: number;
}) => Promise<boolean>;

/**
 * A plain sentence was not answered, though nothing that the AI sent shows why. `secondAnswered`: the next sentence of
 * the same call was.
 */
export async function explainUnanswered(calls: PhoneCalls, secondAnswered: boolean, seen: string[]): Promise<Found> {
  const { connection } = calls;
  const prompt = { type: 'prompt', text: calls.sentence };
  let lastCall: Call | undefined;
  const isAnswered: Try = async ({
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
    return begun || reacted({ ...call.observation, frames: call.observation.frames.slice(before) });
  };

  const patient = Math.min(muchPatience * connection.patienceMs, connection.remainingMs / 2);
  if (
    patient > 1.5 * connection.patienceMs &&
    (await isAnswered({ label: 'a call with much patience', firstPieceMs: patient }))
  ) {
    const { frames = [] } = lastCall?.observation ?? {};
    const asked = frames.findLastIndex((frame) => isPrompt(frame.value));
    const piece = frames.find(({ from }, at) => from === 'ai' && at > asked);
    const ms = (piece?.atMs ?? 0) - (frames[asked]?.atMs ?? 0);
    seen.push(`With more patience a sentence was answered after ${formatTime(ms)}.`);
    // What comes in time is not a late answer: it is something else than words, or it does not always come.
    if (connection.limitMs === undefined || ms > connection.limitMs) return slowFound(ms, connection.limitMs);
  }
  if (secondAnswered) return await whyOnlyLater(calls, isAnswered, seen);
  seen.push(`No sentence was answered within ${formatTime(patient)}.`);

  const words = Object.fromEntries(otherFields.map((name) => [name, calls.sentence]));
  const withFields = (names: readonly string[]) => [
    { ...prompt, ...Object.fromEntries(names.map((name) => [name, words[name]])) },
  ];
  const withTypes = (types: readonly string[]) => types.map((type) => ({ ...words, text: calls.sentence, type }));
  const named = async (
    what: string,
    names: readonly string[],
    make: (some: readonly string[]) => { first?: (typical: Frame) => Frame[]; prompts?: Frame[] },
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
    seen.push(`A sentence under "${field}" is answered, and one under "text" alone is not.`);
    return {
      id: 'phone/reads-other-member',
      summary: `Your endpoint reads the caller's sentence from "${field}", and the service sends it as "text".`,
    };
  }
  const type = await named('sentences in frames of other types', otherTypes, (some) => ({ prompts: withTypes(some) }));
  if (type !== undefined) {
    seen.push(`A sentence in a frame of the type "${type}" is answered, and one in a prompt is not.`);
    return {
      id: 'phone/reads-other-type',
      summary: `Your endpoint answers frames of the type "${type}", and the service sends the caller's sentence as "prompt".`,
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
      summary: `Your endpoint begins a call at a frame of the type "${first}", and the service sends session.started.`,
    };
  }
  const value = await usualValueNeeded(isAnswered);
  if (value !== undefined) {
    seen.push(`In a call ${value} a sentence is answered.`);
    return {
      id: 'phone/session-value-not-taken',
      summary: `Your endpoint answers only in a call ${value}; a typical one stays unanswered.`,
    };
  }
  seen.push(
    'Neither other names and types of the sentence, nor other first frames, nor a first frame that says less led to a word.',
  );
  return {
    id: 'phone/never-answers',
    summary: 'Your endpoint takes calls and sentences, stays connected, and never sends a frame.',
  };
}

/** The value of the first frame without which the AI answers. */
async function usualValueNeeded(isAnswered: Try): Promise<string | undefined> {
  const made = (aspects: readonly CallAspect[]) => ({
    first: (typical: Frame) => [aspects.reduce((frame, { started }) => started?.(frame) ?? frame, typical)],
  });
  if (!(await isAnswered({ label: 'a call whose first frame says little', ...made(minimalAspects) }))) return undefined;
  const needed = await smallestSet(minimalAspects, (part) =>
    isAnswered({ label: 'a call whose first frame says less', ...made(part) }),
  );
  if (!(await isAnswered({ label: 'the same call once more', ...made(needed) }))) return undefined;
  return needed.map(({ when }) => when).join(' and ');
}

/** The first sentence of a call is lost: by how early it comes, or because it is the first. */
async function whyOnlyLater(calls: PhoneCalls, isAnswered: Try, seen: string[]): Promise<Found> {
  const at = (greetingMs: number) =>
    isAnswered({ label: `a call whose first sentence comes after ${formatTime(greetingMs)}`, greetingMs });
  if (!(await at(longGreetingMs))) {
    seen.push(
      `The first sentence of a call is not answered, also ${formatTime(longGreetingMs)} after its beginning; the second is.`,
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
    `A first sentence is lost ${formatTime(early)} after session.started, and answered ${formatTime(late)} after it.`,
  );
  return {
    id: 'phone/not-ready-at-once',
    summary: `Your endpoint loses what the caller says in the first ${formatTime(late)} or so of a call: it is ready only then.`,
  };
}

/** An answer that begins later than the service waits. */
export function slowFound(ms: number, limitMs: number | undefined): Found {
  const limit = limitMs === undefined ? '' : `, and the waiting time is ${formatTime(limitMs)}`;
  return { id: 'phone/first-piece-slow', summary: `Your endpoint begins to answer after ${formatTime(ms)}${limit}.` };
}

function isPrompt(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'prompt';
}
