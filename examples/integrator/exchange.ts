import type { IncomingHttpHeaders } from 'node:http';

/** One request with its body as the bytes that arrived. Signatures cover these, not their meaning. */
export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The answer. `body` is sent as JSON; without it the answer is empty. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Work that starts after the answer was sent, so that a callback never overtakes its own 202. */
  afterwards?: () => Promise<void>;
}

export type Handler = (request: ReceivedRequest) => Promise<Answer> | Answer;

/** `now`: answer in the response. `later`: answer 202 and send the content in a separate request. */
export type AnswerMode = 'now' | 'later';

/** Logs one line for the operator. Must contain no secrets and nothing from outside. */
export type Log = (line: string) => void;
