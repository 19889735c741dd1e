import type { CallFrameRecord, CallRecord } from '../../specs/generated/types.ts';
import { redactedFrameTexts } from '../wire/redacted-frame-texts.ts';
import type { CallFrame, CallObservation } from '../wire/observation.ts';
import type { Redact } from '../../service/redact.ts';

/** Frames of a call in evidence: the first ones, the last ones, and those around the frame that broke a rule. */
const shownFirst = 40;
const shownLast = 60;
export const shownAround = 20;
/** Characters of one frame's text, and the factor for the frame that broke a rule; halved until all frames fit. */
const shownCharacters = 2_000;
const brokenTimesMore = 2;
const fewestCharacters = 40;
/** Bytes of all frames of one call together, as JSON strings. */
const shownBytes = 40_000;
/** Characters of the close reason and of the error of a connection. */
const shownReason = 300;

/** The last record of each call: several checks judge the calls of a whole run, which no longer change. */
const made = new WeakMap<CallObservation, { redact: Redact; seen: string; record: CallRecord }>();

/**
 * The frames of a call for storage and display: redacted, even across frames, and of bounded size. Truncated JSON
 * remains valid JSON.
 *
 * @param brokeAt index of the frame that broke a rule; the record includes it
 */
export function callRecord(call: CallObservation, redact: Redact, brokeAt?: number): CallRecord {
  const seen = JSON.stringify([call.frames.length, call.framesOmitted, call.end, brokeAt]);
  const known = made.get(call);
  if (known?.redact === redact && known.seen === seen) return known.record;
  const record = newRecord(call, redact, brokeAt);
  made.set(call, { redact, seen, record });
  return record;
}

function newRecord(call: CallObservation, redact: Redact, brokeAt: number | undefined): CallRecord {
  const { frames, end } = call;
  const shown = frames.flatMap((_, n) => (isShown(n, frames.length, brokeAt) ? [n] : []));
  const texts = boundedTexts(frames, shown, redact, brokeAt);
  const records = shown.flatMap((n): CallFrameRecord[] => {
    const frame = frames[n];
    if (!frame) return [];
    const { from, atMs, bytes, binary } = frame;
    return [{ n, from, atMs: hundredths(atMs), text: texts.get(n) ?? '', bytes, ...(binary && { binary }) }];
  });
  return {
    callId: redact.foreign(call.callId),
    frames: records,
    framesOmitted: frames.length - records.length + call.framesOmitted,
    ...(end && {
      end: {
        by: end.by,
        atMs: hundredths(end.atMs),
        code: end.code,
        reason: redact.foreign(end.reason).slice(0, shownReason),
        clean: end.clean,
        ...(end.detail !== undefined && { detail: redact(end.detail).slice(0, shownReason) }),
      },
    }),
  };
}

function isShown(n: number, count: number, brokeAt: number | undefined): boolean {
  return n < shownFirst || n >= count - shownLast || (brokeAt !== undefined && Math.abs(n - brokeAt) <= shownAround);
}

function boundedTexts(
  frames: readonly CallFrame[],
  shown: readonly number[],
  redact: Redact,
  brokeAt: number | undefined,
): Map<number, string> {
  const most = new Map(shown.map((n) => [n, n === brokeAt ? brokenTimesMore * shownCharacters : shownCharacters]));
  const textOf = redactedFrameTexts(frames, most, redact);
  for (let part = 1; ; part /= 2) {
    const texts = new Map([...most].map(([n, characters]) => [n, textOf(n, characters * part)]));
    const bytes = [...texts.values()].reduce((sum, text) => sum + Buffer.byteLength(JSON.stringify(text)), 0);
    if (bytes <= shownBytes || shownCharacters * part <= fewestCharacters) return texts;
  }
}

function hundredths(ms: number): number {
  return Math.round(ms * 100) / 100;
}
