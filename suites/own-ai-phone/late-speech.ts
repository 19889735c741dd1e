import type { CheckKit } from '../../harness/checks/check.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { ownDelayFault, timelinessOf, type MeasuredTime } from '../../harness/wire/timeliness.ts';
import { untilCertain } from '../certain-time.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { interruptGraceMs, speechIn } from './speech.ts';

/** A call in which the AI had to stop speaking. */
export interface StoppedSpeech {
  observation: CallObservation;
  /** Index of the frame at which it had to stop. */
  at: number;
  /** Milliseconds of our own delay from then until each later frame. */
  delaysMs: readonly number[];
  /** Index of the next sentence of the caller; default: none followed. */
  next?: number;
}

/** The point at which the AI had to stop, as far as the call has been heard. */
export function stoppedSpeech(call: Call, at: number): StoppedSpeech {
  return { observation: call.observation, at, delaysMs: call.stalledSince(at) };
}

/** Holds such a call, and again in a quiet moment while our own delay decides whether it was silent in time. */
export function holdUntilCertain<T extends StoppedSpeech>(
  kit: Pick<CheckKit, 'session'>,
  hold: () => Promise<T>,
): Promise<T> {
  return untilCertain(kit, hold, (stopped) => speechAfter(stopped).map((index) => timeOf(stopped, index)));
}

/** Indexes of the pieces of speech after the stop and before the next sentence. */
export function speechAfter({ observation: { frames }, at, next = frames.length }: StoppedSpeech): number[] {
  return [...frames.entries()].slice(at + 1, next).flatMap(([index, frame]) => (speechIn(frame) === '' ? [] : [index]));
}

/** The time of a frame after the stop. */
export function timeOf({ observation: { frames }, at, delaysMs }: StoppedSpeech, index: number): MeasuredTime {
  const ms = (frames[index]?.atMs ?? 0) - (frames[at]?.atMs ?? 0);
  return { ms, lagMs: delaysMs[index - at - 1] ?? 0, limitMs: interruptGraceMs };
}

function textOf({ observation: { frames } }: StoppedSpeech, index: number): string {
  const frame = frames[index];
  return frame ? speechIn(frame) : '';
}

/** Throws {@link HarnessFault} `own-delay` if our own delay decides whether one of these frames was in time. */
export function assertCertain(stopped: StoppedSpeech, indexes: readonly number[]): void {
  const uncertain = indexes.map((index) => timeOf(stopped, index)).find((time) => timelinessOf(time) === 'uncertain');
  if (uncertain) throw ownDelayFault(uncertain);
}

/** Speech after `session.ended` that was not in flight. */
export function lateSpeech(ended: StoppedSpeech): Finding | undefined {
  const pieces = speechAfter(ended);
  const late = pieces.find((index) => timelinessOf(timeOf(ended, index)) === 'late');
  if (late === undefined) {
    assertCertain(ended, pieces);
    return undefined;
  }
  return {
    expected: `nothing later than ${interruptGraceMs} ms after session.ended`,
    received: `${quoted(textOf(ended, late))} after ${Math.round(timeOf(ended, late).ms)} ms`,
    frame: late,
  };
}
