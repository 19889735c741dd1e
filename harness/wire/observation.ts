/** A request as sent. Header names keep their case; the body is raw bytes. */
export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Has the valid signature or token; not set where it is forged or omitted. */
  authentic?: true;
}

/** A complete HTTP answer. `body` is content-decoded and never longer than the reader's limit. */
export interface Answered {
  outcome: 'answered';
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /**
   * Bytes of the complete decoded body, even if `truncated`; counted up to `mostBodyBytes`, compressed ones up to 1
   * MiB.
   */
  bodyBytes: number;
  /** The body exceeds the reader's limit; `body` contains its beginning. */
  truncated: boolean;
}

/** The endpoint closed connections without an answer, and then nothing listened at its address. */
export interface Stop {
  /** Labels of the deliveries whose connections it closed, in the order of sending. */
  suspects: readonly string[];
  /** A proxy reported that it could not connect, so the proxy may be the reason. */
  viaProxy?: true;
}

/** The outcome of a request. */
export type Answer =
  | Answered
  /**
   * The request was sent, but no complete answer arrived before our timeout. If headers arrived: `status`, and the
   * received bytes of the body.
   */
  | { outcome: 'no-answer'; afterMs: number; status?: number; bodyBytes?: number }
  /**
   * The endpoint closed the connection before the answer was complete. `status` if headers arrived; `unreachable` if
   * nothing listened right afterwards; `stop` if the endpoint is known to have stopped.
   */
  | { outcome: 'closed'; detail: string; status?: number; unreachable?: true; stop?: Stop }
  /**
   * The response is not HTTP, or has interim answers (1xx) without end. `isUndecodable`: it is HTTP, but its body does
   * not match its content coding.
   */
  | { outcome: 'malformed'; detail: string; isUndecodable?: true }
  /**
   * No connection could be made, which says nothing about the endpoint's behaviour. `needsClientCertificate`: the
   * server requires a client certificate, or another one than ours, in TLS 1.3 after the request was sent.
   * `isRefused`: nothing listens at the address.
   */
  | { outcome: 'unreachable'; detail: string; needsClientCertificate?: 'any' | 'another'; isRefused?: true };

/** Milliseconds on the harness's clock, from the first byte sent; `connectMs` is not included. */
export interface Times {
  /** `null` on a kept-alive connection. */
  connectMs: number | null;
  firstByteMs: number | null;
  /** Until the answer was complete; `null` without a complete answer. */
  totalMs: number | null;
  /** Upper bound of the delay in the total by us and by our proxy. A limit is judged only if this makes no difference. */
  lagMs: number;
  /** The part of `lagMs` that is the share of the proxy; absent without a proxy. */
  proxyMs?: number;
}

/** One request and its outcome. Drivers return observations; checks judge them. */
export interface Observation {
  kind: 'http';
  /** Short description of the request and its purpose. */
  label: string;
  startedAt: Date;
  /** `performance.now()` at the start: durations do not change when the system's clock is set. */
  at: number;
  request: WireRequest;
  answer: Answer;
  times: Times;
  /** The limit in milliseconds for this exchange, if it has one. */
  limitMs?: number;
  /** Sent again after a pause that the endpoint had requested. */
  wasPaused?: true;
  /** Set where nothing was sent, since so many deliveries of this kind got no answer; this is the latest of them. */
  knownSilences?: number;
}

/** One frame of a call, in order of transmission. */
export interface CallFrame {
  from: 'service' | 'ai';
  /** Milliseconds since the call was dialled, on the harness's clock. */
  atMs: number;
  /** The frame as text, truncated to what is kept. */
  text: string;
  /** Bytes of the complete frame. */
  bytes: number;
  /** It is a binary frame. */
  binary?: true;
  /** The parsed JSON; `undefined` when it is not JSON, or was not read. */
  value: unknown;
  /** The bound that a frame of possible JSON exceeds, so that it was not read. */
  unread?: string;
}

/** Outcomes of waiting for an answer of the AI. */
export type CallAnswerOutcome =
  /** Speech has begun; the wait ended there. */
  | 'begun'
  /** A piece with `last: true` closed it. */
  | 'closed'
  /** An action arrived: the service ends the call or hands it over. */
  | 'action'
  /** A skill was requested, and no speech is open. */
  | 'skill'
  /** Nothing arrived before the timeout. */
  | 'nothing'
  /** Speech arrived, then nothing before the timeout, and no piece had `last: true`. */
  | 'not-closed'
  /** The connection ended first. */
  | 'call-ended';

/** The AI's reaction to one sentence of the caller, or to another frame. */
export interface CallAnswer {
  outcome: CallAnswerOutcome;
  /** Index of the frame that was answered. */
  toFrame: number;
  /** Index of the frame that decided the outcome, if any. */
  byFrame?: number;
  /** All speech, as the caller hears it, without empty pieces. */
  text: string;
  /** Number of pieces with speech. */
  pieces: number;
  /** Milliseconds from the prompt to the first speech, action or skill; `null` without one. */
  firstPieceMs: number | null;
  /** Milliseconds from the prompt to the outcome; `null` without an answer. */
  wholeMs: number | null;
  /** Milliseconds from the prompt until we knew the outcome. */
  waitedMs: number;
  /**
   * The wait for the closing piece was shortened: an earlier answer remained open for the whole timeout, or this one
   * was endless.
   */
  shortened?: true;
  /** Only an empty closing piece, from an AI that should have spoken: the caller heard nothing. */
  isUnheard?: true;
  /**
   * Upper bound of the delay in the time until the first piece by us and by our proxy. A limit is judged only if this
   * makes no difference.
   */
  lagMs: number;
  /** The part of `lagMs` that is the share of the proxy. */
  proxyMs?: number;
}

/** The end of a call. */
export interface CallEnd {
  /** `service`: we closed it first; `ai`: the other side did. */
  by: 'service' | 'ai';
  atMs: number;
  /** Close code (RFC 6455, 7.4); 1005 without one, 1006 when no close frame came. */
  code: number;
  reason: string;
  /** The other side completed the closing handshake; `false` when the connection was terminated. */
  clean: boolean;
  /** The error of a broken connection. */
  detail?: string;
  /** We ended it because the AI exceeded the bound in `detail`. Consequences of this are not faults. */
  isCutOff?: true;
  /** Nothing listened at the address afterwards. */
  stop?: Stop;
}

/** One call: the upgrade, its answer, and every frame. It grows while the call continues. */
export interface CallObservation {
  kind: 'call';
  label: string;
  startedAt: Date;
  /** `performance.now()` at the start. */
  at: number;
  /** The upgrade request. */
  request: WireRequest;
  /** The answer to the upgrade: status 101 when the connection was established. */
  answer: Answer;
  /** `totalMs`: from dialling until the connection was established. */
  times: Times;
  limitMs?: number;
  callId: string;
  frames: CallFrame[];
  /** Number of frames that were not kept. */
  framesOmitted: number;
  answers: CallAnswer[];
  /** Absent while the connection is open. */
  end?: CallEnd;
}

/** Any exchange: what checks judge and evidence shows. */
export type WireExchange = Observation | Arrival | CallObservation;

/** A request from the endpoint to us, and our answer. */
export interface Arrival {
  kind: 'callback' | 'api';
  label: string;
  startedAt: Date;
  /** `performance.now()` when the request was complete. */
  at: number;
  request: WireRequest;
  /** `request` contains only the beginning of the body. */
  truncated: boolean;
  /** Bytes of the complete body; absent if `request` contains all of it, or its size is unknown. */
  bodyBytes?: number;
  response: { status: number; headers: readonly (readonly [string, string])[]; body: string };
}

/** First value of a header, by case-insensitive name. */
export function header(message: { headers: Answered['headers'] }, name: string): string | undefined {
  return message.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
