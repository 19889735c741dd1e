import type { CauseId } from './causes.ts';
import type { Connection } from './connection.ts';

/** A cause that was told, with the particulars of this endpoint. */
export interface Found {
  id: CauseId;
  /** One sentence; default: the catalogue's. */
  summary?: string | undefined;
  /** Default: the catalogue's. */
  remediation?: string | undefined;
}

/** What may be the cause, and why. */
export interface Suspect extends Found {
  why: string;
}

/**
 * What one probe has learnt. With `found`, something is wrong and known; with `suspects` alone, something is wrong and
 * was not told for certain; with neither, what it looked at is fine or gave nothing to see.
 */
export interface Outcome {
  found?: Found | undefined;
  /** The likeliest first. */
  suspects: readonly Suspect[];
  /** What is known to be fine, a sentence each. Nothing stands here that was not observed. */
  passed: readonly string[];
  /** What was sent and came back, a sentence each, in order. */
  seen: readonly string[];
  /** What gave nothing to judge, so that nothing is known of it: a sentence each. */
  notObserved?: readonly string[] | undefined;
  /** Nothing after this can be looked at, whether the cause is known or not. */
  ends?: true | undefined;
}

/** What is known from a failing check, so that a probe can go straight to it. */
export interface Failing {
  requirement: string;
  /** The event that failed, or the smallest that a property found. */
  event?: unknown;
  /** The exchange that decided, as the report has it. */
  label?: string | undefined;
  message?: string | undefined;
}

/**
 * Asks one connection about one kind of cause. Resolves whatever the endpoint does; rejects with {@link OutOfTime} of
 * the connection, and with a HarnessFault for what is ours.
 */
export type Probe = (connection: Connection, failing?: Failing) => Promise<Outcome>;

/** An outcome in which nothing was seen. */
export const emptyOutcome: Outcome = { suspects: [], passed: [], seen: [] };
