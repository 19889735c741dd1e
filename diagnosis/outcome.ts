import type { CauseId } from './causes.ts';
import type { Connection } from './connection.ts';

/** A confirmed cause with the details of this endpoint. */
export interface Found {
  id: CauseId;
  /** One sentence; default: the catalogue's. */
  summary?: string | undefined;
  /** Default: the catalogue's. */
  remediation?: string | undefined;
}

/** A possible cause, and the reason. */
export interface Suspect extends Found {
  why: string;
  /** It was confirmed; the endpoint only ignores advice. */
  isConfirmed?: boolean;
  /** The endpoint answers this event as it answers an invalid signature. */
  isLikeForged?: boolean;
}

/**
 * The result of one probe. With `found`, the cause is certain; with `suspects` alone, something is wrong but the cause is
 * not certain; with neither, everything checked passed or nothing could be observed.
 */
export interface ProbeOutcome {
  found?: Found | undefined;
  /** Most likely first. */
  suspects: readonly Suspect[];
  /** Observations of correct behaviour, one sentence each. */
  passed: readonly string[];
  /** Requests and their answers in order, one sentence each. */
  seen: readonly string[];
  /** Parts that could not be judged, one sentence each. */
  notObserved?: readonly string[] | undefined;
  /** Nothing after this can be checked, whether or not the cause is known. */
  ends?: true | undefined;
}

/** A failed check, for which a probe runs. */
export interface Failing {
  requirement: string;
  /** The event that failed, or the smallest counterexample of a property. */
  event?: unknown;
  /** Label of the deciding exchange in the report. */
  label?: string | undefined;
  message?: string | undefined;
}

/** Limits what a probe of authentication examines. */
export interface ProbeOptions {
  /** Only why valid requests are refused, or only which invalid ones are accepted; default: both. */
  requests?: 'valid' | 'invalid';
  /** Only the most frequent invalid requests, unless one of them is accepted: valid ones are known or suspected to fail. */
  isBrief?: boolean;
}

/**
 * Tests a connection for one kind of cause. Resolves whatever the endpoint does; rejects with {@link OutOfTime} of the
 * connection, and with a HarnessFault for faults of the harness.
 */
export type Probe = (connection: Connection, failing?: Failing, options?: ProbeOptions) => Promise<ProbeOutcome>;

/** The outcome of a probe that observed nothing. */
export const emptyOutcome: ProbeOutcome = { suspects: [], passed: [], seen: [] };
