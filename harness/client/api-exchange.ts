import type { Skill } from '../../specs/generated/types.ts';
import type { Arrival } from '../wire/observation.ts';
import type { NamedSecret } from '../../service/redact.ts';

/**
 * The two rounds of exercising a client: first undisturbed, then with troubles. Recorded traffic counts as undisturbed.
 */
export type Round = 'undisturbed' | 'troubled';

/** A trouble inflicted on a request, and whether the service processed the request. */
export type TroubleKind =
  /** Processed; the connection ended before the answer. */
  | 'cut'
  /** Not processed; 503. */
  | 'unavailable'
  /** Not processed; 429 with Retry-After. */
  | 'throttled'
  /** Processed; the answer was delayed. */
  | 'slow'
  /** Not processed; one of the errors that the interface lists for the operation. */
  | 'refused';

/** One request of an integrator's client to API v1, and its outcome. */
export interface ApiExchange extends Arrival {
  kind: 'api';
  /** Path and query below `{base_url}`, as sent: `/v1/me`. */
  path: string;
  round: Round;
  /** The service's time when the request was complete, Unix milliseconds; it can be moved. */
  serviceTimeMs: number;
  trouble?: TroubleKind;
  /**
   * `answered`: `response` was sent. `cut`: we closed the connection without sending `response`. `abandoned`: the
   * client had disconnected before `response` was ready.
   */
  ended: 'answered' | 'cut' | 'abandoned';
  /** Status of an answer that was ready but not sent: 2xx means that the request took effect. */
  unsentStatus?: number;
  /** `performance.now()` when the answer was written, or the connection was closed without one. */
  endedAt: number;
  /** The recording does not contain the API key, so the key cannot be judged. */
  credentials?: 'hidden';
}

/** The traffic of a client, with the context needed to judge it. */
export interface ClientTraffic {
  /** In order of completion. */
  exchanges: readonly ApiExchange[];
  /** The endpoint sent them on its own, while it handled the events of a run. */
  isObserved?: true;
  /** API keys that the service accepts. */
  apiKeys: readonly string[];
  /** The beginning of API keys; absent: as in the document. */
  keyPrefix?: string;
  /** Secrets issued to the client: API key, agent secret, secrets of subscriptions. */
  secrets: readonly NamedSecret[];
  /** Why the client failed in the undisturbed round, with its latest output, redacted. */
  failure?: string;
  /**
   * The client was still running at its timeout, or not everything was kept: its number of requests is not meaningful,
   * and missing requests may only be late.
   */
  cutShort?: true;
  /** A sentence with the number of requests that were not kept, and why. */
  omitted?: string;
  /** The conversation of the client in each round; requests that differ only by it count as the same. */
  projectIds?: Readonly<Record<Round, number>>;
  /** Known skills of the assistants. */
  skills: readonly Skill[];
}
