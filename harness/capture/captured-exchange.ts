import type { Answer, CallEnd, CallFrame, Times, WireRequest } from '../wire/observation.ts';

/** A recorded body. */
export interface CapturedBody {
  /** Empty where nothing was recorded. */
  bytes: Uint8Array;
  /**
   * `exact`: has the size that the recording states. `readable`: the recording states no size, and the body is complete
   * JSON in plain ASCII, which every recorder writes alike. The other states cannot be judged: `missing`, `cut`,
   * `altered` (more bytes, or characters that may have been decoded differently).
   */
  state: 'exact' | 'readable' | 'missing' | 'cut' | 'altered';
  /** Bytes of the complete body, if known. */
  size?: number;
}

/** Whether the content of a body can be judged. */
export function isComplete({ state }: CapturedBody): boolean {
  return state === 'exact' || state === 'readable';
}

/** One exchange of a recording, before it is classified. */
export interface CapturedExchange {
  /** Its number in the file, from 1: the entry of a HAR, the line of NDJSON. */
  entry: number;
  startedAt: Date;
  /** `body` is empty unless it is complete. */
  request: WireRequest;
  requestBody: CapturedBody;
  /** `answered` with `truncated` if its body is incomplete. A missing answer does not show who is to blame. */
  answer: Answer;
  answerBody: CapturedBody;
  /** As measured by the recorder; `totalMs` is `null` if it was not measured. */
  times: Times;
  /** Frames of a WebSocket, from the client's point of view. */
  call?: { frames: CallFrame[]; framesOmitted: number; end?: CallEnd };
  /** Data from the log of the simulated service, which has no bodies. */
  logged?: { kind: unknown; eventType?: unknown; attempt?: unknown; deliveryId?: unknown; eventId?: unknown };
}

/** The content of a recording file. */
export interface Recording {
  /** The file name as given. */
  file: string;
  /** In chronological order. */
  exchanges: CapturedExchange[];
  /** Entries that could not be read, by reason. */
  unreadable: Map<string, number[]>;
  /** `log`: events of the simulated service, which have statuses and times and no bodies. */
  kind: 'har' | 'log';
}
