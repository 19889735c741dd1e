import type { SessionStarted, SkillOutcome } from '../specs/generated/types.ts';

/** A request of the service to the integrator. */
export interface OutboundRequest {
  method: 'POST';
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** What came back. */
export type OutboundAnswer =
  | {
      outcome: 'answered';
      status: number;
      headers: readonly (readonly [name: string, value: string])[];
      /** Decoded, and at most as long as was asked for. */
      body: Uint8Array;
      bodyBytes: number;
      truncated: boolean;
    }
  | { outcome: 'no-answer'; afterMs: number }
  | { outcome: 'closed' | 'malformed' | 'unreachable'; detail: string };

export interface OutboundOptions {
  /** What is sent and why, in a few words. */
  label: string;
  /** Milliseconds until the answer must be complete. */
  timeoutMs: number;
  /** Bytes of the answer's body that are read. */
  maxBodyBytes?: number;
}

/** How one sentence of the caller was answered. */
export interface SpokenAnswer {
  /** `closed`: to its end; `action`: the AI ended the call or handed it over; the others as they say. */
  outcome: 'closed' | 'action' | 'skill' | 'nothing' | 'not-closed' | 'call-ended' | 'begun';
  /** What the caller heard. */
  text: string;
}

/** How the AI's part in a call ended. */
export interface CallOutcome {
  /**
   * `end` and `handover`: the AI's action. `forward`: the caller was put through. `closed-by-ai`: without an action.
   * `ended-by-service`: hung up or taken over. `frame-too-large`: a frame over 64 KB.
   */
  how: 'end' | 'handover' | 'forward' | 'closed-by-ai' | 'ended-by-service' | 'frame-too-large';
  /** Text of the action. */
  text: string;
  note?: string;
  /** What is known about the end of a connection that broke or was closed by the AI. */
  detail?: string;
}

/** One call that stands (interface: Own-AI phone frames). */
export interface LiveCall {
  start(started: SessionStarted): void;
  /** The caller finishes a sentence; resolves once it is answered, or will not be; `onlyBegun`: once an answer has begun. */
  ask(text: string, options?: { onlyBegun?: boolean }): Promise<SpokenAnswer>;
  press(digit: string): void;
  /** The caller speaks into the answer. */
  interrupt(): void;
  /** Sends session.ended and closes. */
  end(): Promise<void>;
  /** Resolves when the AI's part in the call is over, however that came. */
  readonly over: Promise<CallOutcome>;
}

export interface CallRequest {
  callId: string;
  url: string;
  secret: string;
  label: string;
  /** Milliseconds until the connection must have come about. */
  setupMs: number;
  /** Milliseconds for the first piece of an answer. */
  answerMs: number;
  /** Decides what becomes of requested skills, by keys or ids. */
  runSkills: (named: readonly (string | number)[], said: { note?: string; announcement?: string }) => SkillOutcome[];
  /** Each frame as it goes or comes. */
  onFrame?: (from: 'service' | 'ai', text: string) => void;
  /** Each piece of speech that the caller hears, that of actions omitted; `last` closes an answer. */
  onSpeech?: (text: string, last: boolean) => void;
}

/** How the service reaches the integrator. The wire itself, its bounds and its evidence are whoever opens the service's. */
export interface Outbound {
  /** Sends one request; `make` is called at the moment of sending, so that signatures carry the time of sending. */
  post(make: () => OutboundRequest, options: OutboundOptions): Promise<OutboundAnswer & { ms: number }>;
  /** Dials one call. A text tells why no connection came about. */
  call(request: CallRequest): Promise<LiveCall | { failed: string }>;
}
