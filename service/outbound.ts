import type {
  ApiWebhookEvent,
  CrmEvent,
  MessageReceived,
  Ping,
  SessionStarted,
  SkillOutcome,
} from '../specs/generated/types.ts';

/** A request of the service to the integrator. */
export interface OutboundRequest {
  method: 'POST';
  url: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

/** The answer to a request. */
export type OutboundAnswer =
  | {
      outcome: 'answered';
      status: number;
      headers: readonly (readonly [name: string, value: string])[];
      /** Decoded, and at most as long as requested. */
      body: Uint8Array;
      bodyBytes: number;
      truncated: boolean;
    }
  | { outcome: 'no-answer'; afterMs: number }
  | { outcome: 'closed' | 'malformed' | 'unreachable'; detail: string };

export interface OutboundOptions {
  eventType: CrmEvent['eventType'] | (ApiWebhookEvent | MessageReceived | Ping)['type'];
  /** The service sends the event once more after a slow or failed answer. */
  isRetry?: boolean;
  /** Milliseconds until the answer must be complete. */
  timeoutMs: number;
  /** Bytes of the answer's body that are read. */
  maxBodyBytes?: number;
}

/** Short description of a delivery. */
export function labelDelivery({ eventType, isRetry = false }: OutboundOptions): string {
  return isRetry ? `${eventType}, once more` : eventType;
}

/** How one sentence of the caller was answered. */
export interface SpokenAnswer {
  /** `closed`: completely; `action`: the AI ended the call or handed it over; the others by their names. */
  outcome: 'closed' | 'action' | 'skill' | 'nothing' | 'not-closed' | 'call-ended' | 'begun';
  /** The speech that the caller heard. */
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
  /** Details of a connection that broke or was closed by the AI, where known. */
  detail?: string;
}

/** One established call (interface: Own-AI phone frames). */
export interface LiveCall {
  start(started: SessionStarted): void;
  /**
   * The caller finishes a sentence; resolves once it is answered or will not be; `onlyBegun`: once an answer has begun.
   */
  ask(text: string, options?: { onlyBegun?: boolean }): Promise<SpokenAnswer>;
  press(digit: string): void;
  /** The caller speaks into the answer. */
  interrupt(): void;
  /** Sends session.ended and closes. */
  end(): Promise<void>;
  /** Resolves when the AI's part in the call is over, in whatever way. */
  readonly over: Promise<CallOutcome>;
}

export interface CallRequest {
  callId: string;
  url: string;
  secret: string;
  label: string;
  /** Milliseconds for establishing the connection. */
  setupMs: number;
  /** Milliseconds for the first piece of an answer. */
  answerMs: number;
  /** Runs requested skills, given by keys or ids, and returns the results. */
  runSkills: (named: readonly (string | number)[], said: { note?: string; announcement?: string }) => SkillOutcome[];
  /** Called with each frame in either direction. */
  onFrame?: (from: 'service' | 'ai', text: string) => void;
  /** Called with each piece of speech that the caller hears, except that of actions; `last` closes an answer. */
  onSpeech?: (text: string, last: boolean) => void;
}

/** Connections to the integrator. The owner of the service provides the wire, its limits and its evidence. */
export interface Outbound {
  /** Sends one request; `make` is called at the moment of sending, so that signatures carry the time of sending. */
  post(make: () => OutboundRequest, options: OutboundOptions): Promise<OutboundAnswer & { ms: number }>;
  /** Dials one call. `failed` describes why there is no connection. */
  call(request: CallRequest): Promise<LiveCall | { failed: string }>;
}
