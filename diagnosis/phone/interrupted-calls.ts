import { formatMs } from '../format-ms.ts';
import type { Call } from '../../harness/wire/call.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallAnswer, CallFrame } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';
import { unexpectedEnd, describeClose } from './call-end.ts';
import type { PhoneCalls } from './phone-calls.ts';
import { explainClose } from './explain-close.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/** Milliseconds after an interrupt, or the end, in which pieces of the old answer may still arrive. */
const graceMs = 500;
/** Milliseconds after its first piece at which an answer is interrupted: a queue of what the AI writes ahead grows only slowly. */
const interruptAfterMs = [0, 700];
/** Milliseconds to listen to an AI that keeps talking, and the maximum in a separate call. */
const listenMs = 1_600;
const listenLongMs = 8_000;
/** Milliseconds of silence after which speech has ended. */
const settleMs = 400;
/** Fewest pieces and milliseconds of an answer that can be interrupted. */
const fewestPieces = 3;
const shortestAnswerMs = 1_000;
/** Milliseconds after a frame within which a connection went down because of it. */
const atOnceMs = 600;
/** Milliseconds to hold a quiet call beyond the age at which a call was closed. */
const afterAgeMs = 1_500;
/** Fewest characters of a piece, and of the rest of an answer, that identify the old answer. */
const fewestCharacters = 8;
const distinctiveCharacters = 16;
/** Multiple of the usual gap between pieces that counts as a pause, and the shortest pause in milliseconds. */
const gapsOfAPause = 3;
const shortestPauseMs = 150;

/** The rest of an answer after an interruption. */
interface Aftermath {
  /** Milliseconds to the last piece that belongs to it; 0 if none arrived after the grace period. */
  talksOnMs: number;
  /** Pieces after the grace period. */
  late: CallFrame[];
}

/** A call with an interrupted answer. */
interface Interrupted {
  call: Call;
  after: Aftermath;
  next: CallAnswer | undefined;
}

/**
 * Tests how an AI handles events during a long answer: an interrupt, the next sentence, the end of the call. `undefined`
 * without a fault; `not-long` if no answer is long enough.
 *
 * @param plain the answer to a plain sentence without an interruption
 */
export async function interruptedCalls(
  calls: PhoneCalls,
  plain: string,
  seen: string[],
): Promise<Found | 'not-long' | undefined> {
  const { long = calls.sentence } = calls.connection.config.stimuli.phone ?? {};
  const whole = await calls.begin({ label: 'a long answer, heard to its end' });
  if (!whole.isUp) return 'not-long';
  const untouched = await calls.ask(whole, long);
  if (!isLong(untouched)) {
    await calls.end(whole);
    const end = unexpectedEnd(whole.observation);
    return end ? await explainClose(calls, end.atMs + afterAgeMs, seen) : 'not-long';
  }
  for (const afterMs of interruptAfterMs) {
    if (speechMs(untouched) - afterMs < 2 * graceMs) continue;
    const label = 'an answer that is interrupted while it is spoken';
    const call = afterMs === 0 ? whole : await calls.begin({ label });
    const first = await interrupt(calls, long, untouched, call, { afterMs });
    const early = notAtOnce(first);
    // Not because of the interrupt: by its age, or the silence after it.
    if (early !== undefined) return await explainClose(calls, early + afterAgeMs, seen);
    const found = judge(first, untouched, plain, seen);
    if (found === undefined) continue;
    // Confirmed in a separate call: unprompted speech comes at other times.
    const confirming = await calls.begin({ label: 'an interrupted answer, once more' });
    const again = await interrupt(calls, long, untouched, confirming, { afterMs, listen: listenLongMs });
    const same = judge(again, untouched, plain, seen);
    if (same?.id !== found.id) return undefined;
    const end = unexpectedEnd(again.call.observation);
    // An uninterrupted call of the same age shows whether the interrupt is the cause.
    return (end && (await explainClose(calls, end.atMs + afterAgeMs, seen))) ?? same;
  }
  return (await sentenceInAnswer(calls, long, untouched, seen)) ?? (await endInAnswer(calls, long, seen));
}

/** The age in milliseconds at which the call was closed, unless the interrupt caused it. */
function notAtOnce({ call: { observation } }: Interrupted): number | undefined {
  const end = unexpectedEnd(observation);
  const at = observation.frames.findLast(({ value }) => isInterrupt(value))?.atMs ?? 0;
  return end && end.atMs - at > atOnceMs ? end.atMs : undefined;
}

function isInterrupt(value: unknown): boolean {
  return isJsonContainer(value) && 'type' in value && value.type === 'interrupt';
}

function isLong(answer: CallAnswer): boolean {
  return answer.pieces >= fewestPieces && speechMs(answer) >= shortestAnswerMs;
}

/** Milliseconds from the first piece of an answer to its last one. */
function speechMs({ firstPieceMs, wholeMs }: CallAnswer): number {
  return (wholeMs ?? 0) - (firstPieceMs ?? 0);
}

async function interrupt(
  calls: PhoneCalls,
  long: string,
  untouched: CallAnswer,
  call: Call,
  { afterMs, listen = listenMs }: { afterMs: number; listen?: number },
): Promise<Interrupted> {
  const asked = call.speak(long);
  await call.firstPiece(asked);
  if (afterMs > 0) await call.pass(afterMs);
  const at = call.interrupt();
  await call.pass(graceMs + Math.min(listen, listenMs));
  if (listen > listenMs) await call.settle(settleMs * 2);
  const after = aftermath(call, at, { text: untouched.text, pauseMs: pauseOf(untouched) });
  const next = call.isUp ? await calls.ask(call) : undefined;
  await call.settle(settleMs);
  await calls.end(call);
  return { call, after, next };
}

function judge(
  { call, after, next }: Interrupted,
  untouched: CallAnswer,
  plain: string,
  seen: string[],
): Found | undefined {
  const { observation } = call;
  const end = unexpectedEnd(observation);
  if (end) {
    seen.push(`After an interrupt the connection was closed ${describeClose(end)}.`);
    return {
      id: 'phone/closes-at-interrupt',
      summary: `Your endpoint closes the connection ${describeClose(end)} when an answer is interrupted.`,
    };
  }
  const isOld = after.late.some((frame) => isPartOf(untouched.text, wordsOf(frame)));
  if (isOld || after.late.length > 1) {
    seen.push(`After an interrupt the old answer continued for ${formatMs(after.talksOnMs)}.`);
    return {
      id: 'phone/talks-on-at-interrupt',
      summary: `Your endpoint still spoke the old answer ${formatMs(after.talksOnMs)} after the interrupt.`,
    };
  }
  if (next?.outcome === 'nothing') {
    seen.push('After an interrupt the next sentence was not answered.');
    return { id: 'phone/deaf-after-interrupt' };
  }
  const rest = restOf(untouched.text, observation.frames);
  if (next && rest !== '' && next.text.includes(rest) && !plain.includes(rest)) {
    seen.push('The answer to the sentence after an interrupt contained words of the interrupted one.');
    return { id: 'phone/old-answer-after-interrupt' };
  }
  if (next?.outcome === 'not-closed') {
    seen.push('The answer after an interrupt began and never ended.');
    return { id: 'phone/answer-cut-after-interrupt' };
  }
  seen.push('An interrupted answer stopped, and the next sentence was answered.');
  return undefined;
}

/** The next words of the interrupted answer; empty if the answer varies. */
function restOf(old: string, frames: readonly CallFrame[]): string {
  const at = frames.findLastIndex(({ value }) => isInterrupt(value));
  const asked = frames.findLastIndex(({ from }, n) => from === 'service' && n < at);
  const spoken = frames
    .slice(asked + 1, at)
    .map(wordsOf)
    .join('');
  if (spoken === '' || !old.startsWith(spoken)) return '';
  const rest = old.slice(spoken.length).trim().slice(0, distinctiveCharacters);
  return rest.length < distinctiveCharacters ? '' : rest;
}

/** Tests whether a sentence during an answer is answered as well. */
async function sentenceInAnswer(
  calls: PhoneCalls,
  long: string,
  untouched: CallAnswer,
  seen: string[],
): Promise<Found | undefined> {
  const once = async () => {
    const call = await calls.begin({ label: 'a sentence during an answer' });
    await call.firstPiece(call.speak(long));
    if (!call.isAnswering) return { how: 'passed' as const, call };
    const second = call.speak(calls.sentence);
    const answer = await call.answer(second);
    // This may be the rest of the old answer; then the new one follows.
    const isRest = isPartOf(untouched.text, answer.text) && !untouched.text.startsWith(answer.text.trim());
    const { outcome } = isRest ? await call.answer(second, { after: call.length - 1 }) : answer;
    if (outcome === 'nothing') calls.assertTime();
    await calls.end(call);
    const end = unexpectedEnd(call.observation);
    const isItsDoing = end !== undefined && end.atMs - (call.observation.frames[second]?.atMs ?? 0) < atOnceMs;
    if (end) return { how: isItsDoing ? ('closes' as const) : ('passed' as const), call };
    return { how: outcome === 'nothing' ? ('drops' as const) : ('passed' as const), call };
  };
  const first = await once();
  await calls.end(first.call);
  if (first.how === 'passed') return undefined;
  const again = await once();
  await calls.end(again.call);
  seen.push(`A sentence during an answer ${again.how === 'closes' ? 'ended the call' : 'was not answered'}.`);
  if (again.how !== first.how) return undefined;
  const doing = first.how === 'closes' ? 'closes the connection when' : 'never answers when';
  return {
    id: 'phone/sentence-in-answer-dropped',
    summary: `Your endpoint ${doing} the caller says a sentence while an answer is still spoken.`,
  };
}

/** Tests whether the AI stops speaking after the end of the call. */
async function endInAnswer(calls: PhoneCalls, long: string, seen: string[]): Promise<Found | undefined> {
  const once = async () => {
    const call = await calls.begin({ label: 'a call that ends during an answer' });
    await call.firstPiece(call.speak(long));
    const at = call.length;
    await call.end({ listenMs: graceMs + listenMs });
    return aftermath(call, at);
  };
  const first = await once();
  const isTalk = ({ late }: Aftermath) => late.length > 0;
  if (!isTalk(first)) return undefined;
  const again = await once();
  seen.push(`After session.ended speech continued for ${formatMs(again.talksOnMs)}, until the connection was closed.`);
  if (!isTalk(again)) return undefined;
  return {
    id: 'phone/talks-after-end',
    summary: `Your endpoint still spoke ${formatMs(again.talksOnMs)} after session.ended, when the call was over.`,
  };
}

/**
 * Finds speech of the old answer after the grace period. After a closing piece or a pause, speech is a separate utterance,
 * such as a question to the caller, unless it contains words of the old answer.
 */
function aftermath(
  call: Call,
  at: number,
  { text = '', pauseMs = Infinity }: { text?: string; pauseMs?: number } = {},
): Aftermath {
  const { frames } = call.observation;
  const since = frames[at]?.atMs ?? 0;
  const delaysMs = call.stalledSince(at);
  const late: CallFrame[] = [];
  let over = false;
  let previous = since;
  for (const [nth, frame] of frames.slice(at + 1).entries()) {
    if (frame.from !== 'ai') continue;
    const meaning = interpretFrame(frame);
    if (meaning.kind !== 'speech') continue;
    over ||= frame.atMs - previous > pauseMs;
    const until = since + graceMs + (delaysMs[nth] ?? 0);
    if (meaning.text !== '' && frame.atMs > until && (!over || isPartOf(text, meaning.text))) late.push(frame);
    over ||= pauseMs < Infinity && meaning.last;
    previous = frame.atMs;
  }
  return { late, talksOnMs: (late.at(-1)?.atMs ?? since) - since };
}

/** Shortest pause, in milliseconds, between answers at this pace. */
function pauseOf({ firstPieceMs, wholeMs, pieces }: CallAnswer): number {
  return Math.max(shortestPauseMs, (gapsOfAPause * ((wholeMs ?? 0) - (firstPieceMs ?? 0))) / Math.max(pieces - 1, 1));
}

/** Whether a piece contains words of the old answer; a few letters are not enough. */
function isPartOf(old: string, piece: string): boolean {
  const words = piece.trim();
  return [...words].length >= fewestCharacters && old.includes(words);
}

function wordsOf(frame: CallFrame): string {
  if (frame.from !== 'ai') return '';
  const meaning = interpretFrame(frame);
  return meaning.kind === 'speech' ? meaning.text : '';
}
