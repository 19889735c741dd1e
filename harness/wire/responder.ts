import type { Arrival } from './observation.ts';

/** The inbox's answer to one arrival. */
export interface Reply {
  status: number;
  body?: unknown;
  /** Delays the answer until this promise resolves. */
  after?: Promise<unknown>;
}

/** Answers the requests that arrive at one address. */
export type Responder = (arrival: Pick<Arrival, 'request' | 'truncated'>) => Reply;
