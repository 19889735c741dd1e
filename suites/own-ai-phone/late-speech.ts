import type { Finding } from '../../harness/checks/finding.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { interruptGraceMs, speechIn } from './speech.ts';

/** A call whose connection stayed open for a while after `session.ended`. */
export interface EndedCall {
  observation: CallObservation;
  /** Index of `session.ended`. */
  at: number;
  /** Milliseconds after it in which pieces may still arrive. */
  graceMs: number;
}

/** Speech after `session.ended` that was not in flight. */
export function lateSpeech({ observation: { frames }, at, graceMs }: EndedCall): Finding | undefined {
  const since = frames[at]?.atMs ?? 0;
  const late = frames.findIndex((frame, index) => index > at && frame.atMs - since > graceMs && speechIn(frame) !== '');
  const frame = frames[late];
  return (
    frame && {
      expected: `nothing later than ${interruptGraceMs} ms after session.ended`,
      received: `${quoted(speechIn(frame))} after ${Math.round(frame.atMs - since)} ms`,
      frame: late,
      hint: 'Cancel the running generation at session.ended; the caller no longer hears it.',
    }
  );
}
