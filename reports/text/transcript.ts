import type { CallEndRecord, CallFrameRecord, CallRecord } from '../../specs/generated/types.ts';
import { describeFrame, quoted, speechOf } from './describe-frame.ts';
import type { Speaker } from './describe-frame.ts';
import { counted } from './wording.ts';

/** One line of a call as it is read, like a play's. Texts hold what came from outside as it is. */
export interface TranscriptLine {
  /** Milliseconds since the call was dialled. */
  readonly atMs: number;
  /** Nobody, where frames are omitted. */
  readonly who: Speaker | undefined;
  readonly what: string;
  /** The rules that broke here, in the words of their findings. */
  readonly broke?: readonly string[];
}

/** Where a rule broke. */
export interface Break {
  /** `n` of the frame. */
  readonly frame: number;
  /** The finding: expected X, received Y. */
  readonly failure: string;
}

/** A part of a transcript, with the number of lines before and after it. */
export interface Excerpt {
  readonly before: number;
  readonly lines: readonly TranscriptLine[];
  readonly after: number;
}

/**
 * The call as a play: a line for each thing that somebody did, in the order of the wire. The pieces of one answer are
 * drawn together; a frame at which a rule broke has a line of its own.
 */
export function transcript(call: CallRecord, breaks: readonly Break[] = []): TranscriptLine[] {
  const broken = Map.groupBy(breaks, ({ frame }) => frame);
  const lines: TranscriptLine[] = [];
  let pieces: CallFrameRecord[] = [];
  const tell = (next?: CallFrameRecord) => {
    if (pieces.length > 0) lines.push(answerLine(pieces, next === undefined || !isPiece(next)));
    pieces = [];
  };
  const leaveOut = (from: number, to: number, atMs: number) => {
    if (to > from) lines.push({ atMs, who: undefined, what: `${counted(to - from, 'frame')} omitted` });
  };
  let expected = 0;
  for (const frame of call.frames) {
    const broke = broken.get(frame.n)?.map(({ failure }) => failure);
    const last = pieces.at(-1);
    if (broke || !isPiece(frame) || frame.n !== expected || (last && speechOf(last)?.last)) tell(frame);
    leaveOut(expected, frame.n, frame.atMs);
    expected = frame.n + 1;
    if (!broke && isPiece(frame)) pieces.push(frame);
    else lines.push({ atMs: frame.atMs, ...describeFrame(frame), ...(broke && { broke }) });
  }
  tell();
  leaveOut(expected, call.frames.length + call.framesLeftOut, call.frames.at(-1)?.atMs ?? 0);
  return call.end ? [...lines, endLine(call.end)] : lines;
}

/** At most so many lines: around the first at which a rule broke, or else the last ones. */
export function excerpt(lines: readonly TranscriptLine[], most: number): Excerpt {
  const broken = lines.findIndex(({ broke }) => broke !== undefined);
  // Two thirds before the break: what led to it explains it.
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
      ? 'breaks the connection off without closing it (1006)'
      : `closes the connection ${code === 1005 ? 'without a code (1005)' : `with ${code}`}`;
  const parts = [
    how,
    ...(reason === '' ? [] : [`reason ${quoted(reason)}`]),
    ...(!clean && code !== 1006 ? ['the other side takes no part in it'] : []),
    ...(detail === undefined ? [] : [quoted(detail)]),
  ];
  return { atMs, who: by === 'ai' ? 'AI' : 'service', what: parts.join(', ') };
}

function whole(ms: number): number {
  return Math.round(ms);
}
