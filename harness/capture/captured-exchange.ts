import type { Answer, CallEnd, CallFrame, Times, WireRequest } from '../wire/observation.ts';

/** A body as far as a recording has it. */
export interface CapturedBody {
  /** Empty where nothing was recorded. */
  bytes: Uint8Array;
  /**
   * `exact`: as many bytes as the recording says that there were. `readable`: the recording gives no size, and what it
   * has is whole JSON text of plain ASCII, which no recorder writes in two ways. The others cannot be judged: `missing`,
   * `cut`, `altered` (more bytes, or characters that may have been read in another encoding).
   */
  state: 'exact' | 'readable' | 'missing' | 'cut' | 'altered';
  /** Bytes of the whole body, where they are known. */
  size?: number;
}

/** Whether what a body says can be judged. */
export function isComplete({ state }: CapturedBody): boolean {
  return state === 'exact' || state === 'readable';
}

/** One exchange of a recording, before it is known what it is. */
export interface CapturedExchange {
  /** Which one of the file it is, from 1: the entry of a HAR, the line of NDJSON. */
  entry: number;
  startedAt: Date;
  /** `body` is empty unless it is whole. */
  request: WireRequest;
  requestBody: CapturedBody;
  /** `answered` with `truncated` where its body is not whole. An answer that is missing says nothing about who is to blame. */
  answer: Answer;
  answerBody: CapturedBody;
  /** As the recorder measured it; `totalMs` is `null` where it did not. */
  times: Times;
  /** Frames of a WebSocket, as seen from whoever dialled. */
  call?: { frames: CallFrame[]; framesLeftOut: number; end?: CallEnd };
  /** What the log of the simulated service tells in place of a body. */
  logged?: { kind: unknown; eventType?: unknown; attempt?: unknown; deliveryId?: unknown; eventId?: unknown };
}

/** What a file holds. */
export interface Recording {
  /** The file as it was named. */
  file: string;
  /** In the order of time. */
  exchanges: CapturedExchange[];
  /** Entries that could not be read at all, by the reason. */
  unreadable: Map<string, number[]>;
  /** `log`: events of the simulated service, which have statuses and times and no bodies. */
  kind: 'har' | 'log';
}
