import type { IncomingHttpHeaders } from 'node:http';

/** One request with its body still as the bytes that arrived. Signatures cover these, not their meaning. */
export interface ReceivedRequest {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** What is sent back. `body` goes out as JSON; without it the answer is empty. */
export interface Answer {
  status: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** Work that starts when the answer is out of the house, so that a callback never overtakes its own 202. */
  afterwards?: () => Promise<void>;
}

export type Handler = (request: ReceivedRequest) => Promise<Answer> | Answer;

/** `now`: answer in the response. `later`: answer 202 and send the content in a request of our own. */
export type AnswerMode = 'now' | 'later';

/** Takes one line for whoever operates the integrator. Gets no secrets and no text from outside. */
export type Log = (line: string) => void;
