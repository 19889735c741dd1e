import type { Skill } from '../../specs/types.ts';
import type { Arrival } from '../wire/observation.ts';
import type { NamedSecret } from '../../service/redact.ts';

/**
 * The two times that a client is exercised: first undisturbed, then with troubles in its way. Whoever is judged on
 * traffic that came by itself is judged on the first.
 */
export type Round = 'undisturbed' | 'troubled';

/** A trouble that was put in the way of a request, and what the service did with the request. */
export type TroubleKind =
  /** Processed; the connection ended before the answer. */
  | 'cut'
  /** Not processed; 503. */
  | 'unavailable'
  /** Not processed; 429 with Retry-After. */
  | 'throttled'
  /** Processed; the answer was held back. */
  | 'slow'
  /** Not processed; one of the refusals that the interface names for the operation. */
  | 'refused';

/** One request of an integrator's client to API v1, and what became of it. */
export interface ApiExchange extends Arrival {
  kind: 'api';
  /** Path and query below `{base_url}`, as they were sent: `/v1/me`. */
  path: string;
  round: Round;
  /** The service's time when the request was complete, Unix milliseconds; it can be moved. */
  serviceTimeMs: number;
  trouble?: TroubleKind;
  /**
   * `answered`: `response` went out. `cut`: we ended the connection and `response` did not go out. `abandoned`: the
   * client had gone before `response` was there.
   */
  ended: 'answered' | 'cut' | 'abandoned';
  /** Status of an answer that was ready and did not go out: 2xx means that the request took effect. */
  unsentStatus?: number;
  /** `performance.now()` when the answer was handed to the connection, or the connection had ended without one. */
  endedAt: number;
  /** A recording was made without the API key, so that nothing is known about it. */
  credentials?: 'hidden';
}

/** All that a client sent, and what is needed to judge it. */
export interface ClientTraffic {
  /** In the order in which they were complete. */
  exchanges: readonly ApiExchange[];
  /** Keys of the inbox that the service takes. */
  apiKeys: readonly string[];
  /** What the client was given to keep to itself: API key, agent secret, secrets of subscriptions. */
  secrets: readonly NamedSecret[];
  /** The client failed when it was started undisturbed: how, and what it printed last, without secrets. */
  failure?: string;
  /**
   * The client was still running when its time was over, or not all was kept: its number of requests says nothing, and what
   * is missing may only be later.
   */
  cutShort?: true;
  /** How many of its requests were not kept, and why, in sentences: nothing is known about them. */
  leftOut?: string;
  /** The conversation that the client was given in each round: what differs between the rounds by this alone is the same. */
  projectIds?: Readonly<Record<Round, number>>;
  /** Skills of the assistants, as far as they are known. */
  skills: readonly Skill[];
}
