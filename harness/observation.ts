/** A request as it goes over the wire. Header names keep their case; the body is raw bytes. */
export interface WireRequest {
  method: string;
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** A complete HTTP answer. `body` is decoded from its content coding and never longer than the reader's bound. */
export interface Answered {
  outcome: 'answered';
  status: number;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
  /** Bytes of the body as read; at least this many when `truncated`. */
  bodyBytes: number;
  /** The body went on past the bound and was not read further. */
  truncated: boolean;
}

/** What came back, whatever it was. */
export type Answer =
  | Answered
  /** The connection stood, but no complete answer came within the patience. `status` when headers had come. */
  | { outcome: 'no-answer'; afterMs: number; status?: number }
  /** The endpoint ended the connection before the answer was complete. `status` when headers had come. */
  | { outcome: 'closed'; detail: string; status?: number }
  /** Bytes came that are not HTTP. */
  | { outcome: 'malformed'; detail: string }
  /** No connection could be made: says nothing about the endpoint's conduct. */
  | { outcome: 'unreachable'; detail: string };

/** Milliseconds on the harness's clock, from the first byte sent; `connectMs` is counted apart. */
export interface Times {
  /** `null` on a connection that was kept alive. */
  connectMs: number | null;
  firstByteMs: number | null;
  /** Until the answer was complete; `null` without a complete answer. */
  totalMs: number | null;
  /** How long the harness itself stood still in between; it is taken off before a limit is judged. */
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

/** A request that the endpoint sent to us, and what we answered. */
export interface Arrival {
  kind: 'callback' | 'api';
  label: string;
  startedAt: Date;
  /** `performance.now()` when the request was complete. */
  at: number;
  request: WireRequest;
  /** The body went on past the bound and was not read further. */
  truncated: boolean;
  response: { status: number; headers: readonly (readonly [string, string])[]; body: string };
}

/** First value of a header by its name in any case. */
export function header(message: { headers: Answered['headers'] }, name: string): string | undefined {
  return message.headers.find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];
}
