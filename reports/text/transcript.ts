import type { CallEndRecord, CallFrameRecord, CallRecord } from '../../specs/generated/types.ts';
import { describeFrame, quoted, speechOf } from './describe-frame.ts';
import type { CallSpeaker } from './describe-frame.ts';
import { counted } from './wording.ts';

/** One line of a call transcript. Contains outside text. */
export interface TranscriptLine {
  /** Milliseconds since the call was dialled. */
  readonly atMs: number;
  /** `undefined` where frames are omitted. */
  readonly who: CallSpeaker | undefined;
  readonly what: string;
  /** Failures of the rules that were violated here. */
  readonly broke?: readonly string[];
}

/** The frame that violated a rule. */
export interface Break {
  /** `n` of the frame. */
  readonly frame: number;
  /** `expected X, received Y`. */
  readonly failure: string;
}

/** A part of a transcript, with the number of lines before and after it. */
export interface Excerpt {
  readonly before: number;
  readonly lines: readonly TranscriptLine[];
  readonly after: number;
}

/**
 * The transcript of a call, in the order of the wire. The pieces of one answer share a line; a frame that violated a rule
 * has its own line.
 */
export function transcript(call: CallRecord, breaks: readonly Break[] = []): TranscriptLine[] {
  const broken = Map.groupBy(breaks, ({ frame }) => frame);
  const lines: TranscriptLine[] = [];
  let pieces: CallFrameRecord[] = [];
  const flush = (next?: CallFrameRecord) => {
    if (pieces.length > 0) lines.push(answerLine(pieces, next === undefined || !isPiece(next)));
    pieces = [];
  };
  const addOmission = (from: number, to: number, atMs: number) => {
    if (to > from) lines.push({ atMs, who: undefined, what: `${counted(to - from, 'frame')} omitted` });
  };
  let expected = 0;
  for (const frame of call.frames) {
    const broke = broken.get(frame.n)?.map(({ failure }) => failure);
    const last = pieces.at(-1);
    if (broke || !isPiece(frame) || frame.n !== expected || (last && speechOf(last)?.last)) flush(frame);
    addOmission(expected, frame.n, frame.atMs);
    expected = frame.n + 1;
    if (!broke && isPiece(frame)) pieces.push(frame);
    else lines.push({ atMs: frame.atMs, ...describeFrame(frame), ...(broke && { broke }) });
  }
  flush();
  addOmission(expected, call.frames.length + call.framesOmitted, call.frames.at(-1)?.atMs ?? 0);
  return call.end ? [...lines, endLine(call.end)] : lines;
}

/** At most `most` lines: those around the first violation, or else the last ones. */
export function excerpt(lines: readonly TranscriptLine[], most: number): Excerpt {
  const broken = lines.findIndex(({ broke }) => broke !== undefined);
  // Two thirds precede the violation, since they explain it.
  const wanted = broken < 0 ? lines.length : broken + Math.ceil(most / 3);
  const end = Math.min(lines.length, Math.max(most, wanted));
  const start = Math.max(0, end - most);
  return { before: start, lines: lines.slice(start, end), after: lines.length - end };
}

function isPiece(frame: CallFrameRecord): boolean {
  return frame.binary !== true && speechOf(frame) !== undefined;
}

function answerLine(pieces: readonly CallFrameRecord[], isAllForNow: boolean): TranscriptLine {
  const said = pieces.flatMap((piece) => speechOf(piece) ?? []);
  const text = said.map((one) => one.text).join('');
  const atMs = pieces[0]?.atMs ?? 0;
  const until = pieces.at(-1)?.atMs ?? atMs;
  const isOpen = said.at(-1)?.last !== true;
  const single = pieces.length === 1 ? pieces[0] : undefined;
  const notes = [
    ...(single ? [] : [`${pieces.length} pieces, ${whole(atMs)}–${whole(until)} ms`]),
    ...(isOpen && isAllForNow ? ['not closed'] : []),
  ];
  const nothing = isOpen ? 'sends empty pieces' : 'closes the answer with empty pieces';
  const what = single ? describeFrame(single).what : text === '' ? nothing : `says ${quoted(text)}`;
  return { atMs, who: 'AI', what: notes.length === 0 ? what : `${what} (${notes.join(', ')})` };
}

function endLine({ by, atMs, code, reason, clean, detail }: CallEndRecord): TranscriptLine {
  const how =
    code === 1006
      ? 'drops the connection without closing it (1006)'
      : `closes the connection ${code === 1005 ? 'without a code (1005)' : `with ${code}`}`;
  const parts = [
    how,
    ...(reason === '' ? [] : [`reason ${quoted(reason)}`]),
    ...(!clean && code !== 1006 ? ['the other side does not answer the close'] : []),
    ...(detail === undefined ? [] : [quoted(detail)]),
  ];
  return { atMs, who: by === 'ai' ? 'AI' : 'service', what: parts.join(', ') };
}

function whole(ms: number): number {
  return Math.round(ms);
}
