/** A request as it goes over the wire. Header names keep their case; the body is raw bytes. */
export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** A complete HTTP answer. `body` is decoded from its content coding and never longer than the reader's limit. */
export interface Answered {
  outcome: 'answered';
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Bytes of the whole decoded body, also when `truncated`; counted up to `mostBodyBytes`, compressed ones up to 1 MiB. */
  bodyBytes: number;
  /** The body is longer than the reader's limit; only its beginning is in `body`. */
  truncated: boolean;
}

/** The endpoint closed connections without an answer, and then nothing listened at its address. */
export interface Stop {
  /** Labels of the deliveries whose connections it closed, in the order of sending. */
  suspects: readonly string[];
}

/** What came back, whatever it was. */
export type Answer =
  | Answered
  /**
   * The request was sent, but no complete answer came before our timeout. When its headers had come: `status`, and the
   * bytes of its body up to then, as they came.
   */
  | { outcome: 'no-answer'; afterMs: number; status?: number; bodyBytes?: number }
  /**
   * The endpoint ended the connection before the answer was complete. `status` when headers had come; `unreachable` when
   * nothing listened right afterwards; `stop` when it is known what that means.
   */
  | { outcome: 'closed'; detail: string; status?: number; unreachable?: true; stop?: Stop }
  /** Bytes came that are not HTTP. */
  | { outcome: 'malformed'; detail: string }
  /**
   * No connection could be made: says nothing about the endpoint's conduct. `needsClientCertificate`: the server says that
   * it accepts none without a certificate of the client, in TLS 1.3 after the request was sent. `isRefused`: nothing listens
   * at the address.
   */
  | { outcome: 'unreachable'; detail: string; needsClientCertificate?: true; isRefused?: true };

/** Milliseconds on the harness's clock, from the first byte sent; `connectMs` is counted apart. */
export interface Times {
  /** `null` on a connection that was kept alive. */
  connectMs: number | null;
  firstByteMs: number | null;
  /** Until the answer was complete; `null` without a complete answer. */
  totalMs: number | null;
  /** How much of the total, at most, is our own delay. A limit is judged only where that decides nothing. */
  lagMs: number;
}

/** One request and what came back. Drivers return observations; checks judge them. */
export interface Observation {
  kind: 'http';
  /** What was sent and why, in a few words. */
  label: string;
  startedAt: Date;
  request: WireRequest;
  answer: Answer;
  times: Times;
  /** The limit in milliseconds that this exchange is held to, where there is one. */
  limitMs?: number;
}

/** One frame of a call, in the order in which they went over the wire. */
export interface CallFrame {
  from: 'service' | 'ai';
  /** Milliseconds since the call was dialled, on the harness's clock. */
  atMs: number;
  /** What the frame says, as text; cut when it is longer than is kept. */
  text: string;
  /** Bytes of the whole frame. */
  bytes: number;
  /** It came as a binary frame. */
  binary?: true;
  /** The frame as JSON; `undefined` when it is not JSON, or was not read. */
  value: unknown;
  /** Why a frame that may be JSON was not read: it exceeds the bounds of what we parse. */
  unread?: string;
}

/** How a wait for an answer of the AI came out. */
export type CallAnswerOutcome =
  /** Speech has begun, and no more was waited for. */
  | 'begun'
  /** A piece with `last: true` closed it. */
  | 'closed'
  /** An action came: the service ends the call or hands it over. */
  | 'action'
  /** A skill was asked for, without speech that is still open. */
  | 'skill'
  /** Nothing came within the patience. */
  | 'nothing'
  /** Speech came, then nothing within the patience, and no piece had `last: true`. */
  | 'not-closed'
  /** The connection came down before. */
  | 'call-ended';

/** What the AI did about one sentence of the caller, or about a frame of another kind that was waited on. */
export interface CallAnswer {
  outcome: CallAnswerOutcome;
  /** Index of the frame that was answered. */
  toFrame: number;
  /** Index of the frame that decided the outcome, where one did. */
  byFrame?: number;
  /** All speech together, as the caller hears it; empty pieces count for nothing. */
  text: string;
  /** Pieces with speech in them. */
  pieces: number;
  /** Milliseconds from the prompt to the first speech, action or skill; `null` without any. */
  firstPieceMs: number | null;
  /** Milliseconds from the prompt until the outcome was there; `null` without an answer. */
  wholeMs: number | null;
  /** Milliseconds from the prompt until we knew the outcome. */
  waitedMs: number;
  /**
   * The closing piece was not waited for to the end: an earlier answer had been left open for the whole patience, or this
   * one went on and on.
   */
  shortened?: true;
  /** How much of the time until the first piece, at most, is our own delay. A limit is judged only where that decides nothing. */
  lagMs: number;
}

/** How a call came down. */
export interface CallEnd {
  /** `service`: we closed it; `ai`: the other side closed it first. */
  by: 'service' | 'ai';
  atMs: number;
  /** Close code (RFC 6455, 7.4); 1005 without one, 1006 when no close frame came. */
  code: number;
  reason: string;
  /** The other side took part in the closing; `false` when it had to be cut. */
  clean: boolean;
  /** What the connection said, when it broke. */
  detail?: string;
  /** We ended it because more came than we read; `detail` is the bound. Nothing that follows from this is a fault. */
  isCutOff?: true;
  /** Nothing listened at the address afterwards. */
  stop?: Stop;
}

/** One call: the upgrade, what came back, and every frame. It grows while the call goes on. */
export interface CallObservation {
  kind: 'call';
  label: string;
  startedAt: Date;
  /** The upgrade request. */
  request: WireRequest;
  /** What the upgrade brought: status 101 when the connection came about. */
  answer: Answer;
  /** `totalMs`: from dialling until the connection had come about. */
  times: Times;
  limitMs?: number;
  callId: string;
  frames: CallFrame[];
  /** Frames that came beyond those that are kept. */
  framesLeftOut: number;
  answers: CallAnswer[];
  /** Absent while the connection stands. */
  end?: CallEnd;
}

/** Anything that went over the wire: what checks judge and evidence shows. */
export type WireExchange = Observation | Arrival | CallObservation;

/** A request that the endpoint sent to us, and what we answered. */
export interface Arrival {
  kind: 'callback' | 'api';
  label: string;
  startedAt: Date;
  /** `performance.now()` when the request was complete. */
  at: number;
  request: WireRequest;
  /** Only the beginning of the body is in `request`. */
  truncated: boolean;
  /** Bytes of the whole body; absent where all of it is in `request`, or its size is not known. */
  bodyBytes?: number;
  response: { status: number; headers: readonly (readonly [string, string])[]; body: string };
}

/** First value of a header by its name in any case. */
export function header(message: { headers: Answered['headers'] }, name: string): string | undefined {
  return message.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
