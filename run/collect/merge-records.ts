import { shownAround } from '../../harness/checks/call-evidence.ts';
import type { EvidenceRecord } from '../../harness/checks/evidence.ts';
import type { CallFrameRecord, CallRecord } from '../../specs/generated/types.ts';

/** One check's copy of an exchange; `brokeAt` is the place of the frame in the call at which its rule broke. */
export interface RecordCopy {
  readonly record: EvidenceRecord;
  readonly brokeAt?: number | undefined;
}

/**
 * Merges the copies of one exchange. A call continues between the copies, and each copy shows the frames around its own
 * failure: the result is the copy with the most frames, plus the frames around the failures of the others.
 */
export function mergeRecords(copies: readonly RecordCopy[]): EvidenceRecord[] {
  const [longest] = copies.toSorted((a, b) => seen(b.record.call) - seen(a.record.call));
  if (!longest) return [];
  const { call } = longest.record;
  if (!call) return [longest.record];
  const frames = new Map(call.frames.map((frame) => [frame.n, frame]));
  for (const { record, brokeAt } of copies) {
    for (const frame of record.call?.frames ?? []) {
      const known = frames.get(frame.n);
      if (frame.n === brokeAt ? isShorter(known, frame) : !known && copies.some(isNear(frame))) {
        frames.set(frame.n, frame);
      }
    }
  }
  const shown = [...frames.values()].toSorted((a, b) => a.n - b.n);
  return [{ ...longest.record, call: { ...call, frames: shown, framesOmitted: countOf(call) - shown.length } }];
}

function isNear({ n }: CallFrameRecord): (copy: RecordCopy) => boolean {
  return ({ brokeAt }) => brokeAt !== undefined && Math.abs(n - brokeAt) <= shownAround;
}

/** The copy whose check failed at a frame shows more of that frame. */
function isShorter(known: CallFrameRecord | undefined, frame: CallFrameRecord): boolean {
  return (known?.text.length ?? 0) < frame.text.length;
}

function countOf({ frames, framesOmitted }: CallRecord): number {
  return frames.length + framesOmitted;
}

/** The length of a copy, for ordering: more frames first, then those with the end of the call. */
function seen(call: CallRecord | undefined): number {
  return call ? 2 * countOf(call) + Number(call.end !== undefined) : 0;
}
