import type { LimitedKind } from '../harness/wire/traffic-counts.ts';
import type { RunVerdict, Summary } from '../specs/generated/types.ts';

/** Messages and calls that a target received in one night. */
export type SentTraffic = Readonly<Record<LimitedKind, number>>;

/** The right to certify one target in one night. Only the claim with the newest token can complete it. */
export interface Claim {
  target: string;
  /** The date on which the night began: `2026-10-12`. */
  night: string;
  /** Number of claims so far, this one included. */
  attempt: number;
  /** Fencing token: greater than that of every earlier claim. */
  token: number;
  /** What earlier attempts of the night sent: the limits of the target apply to all of them together. */
  sent: SentTraffic;
}

/** What identifies a claim. */
export type ClaimKey = Pick<Claim, 'target' | 'night' | 'token'>;

/** What a target is after its claim was given back. */
export type ReleasedState = 'open' | 'failed' | 'superseded';

/** A cause of failures of one target. */
export interface TargetCause {
  /** Equal for the same cause in other targets and nights. */
  key: string;
  id: string | null;
  surface: string;
  requirement: string;
  status: 'fail' | 'blocked' | 'warn';
  summary: string;
  remediation: string | null;
}

/** A certification that has a report. */
export interface Certified {
  state: 'complete';
  verdict: RunVerdict;
  /** Of the check: waivers of the config may excuse failures. */
  exitCode: 0 | 1 | 3;
  /** Of svc-conform. */
  version: string;
  startedAt: string;
  durationMs: number;
  /** Of report.json: `sha256:…`. */
  digest: string;
  requirements: Summary;
  causes: TargetCause[];
  /** Ids of failed requirements of the level must. */
  failed: string[];
}

/** A certification without a report. */
export interface NotCertified {
  state: 'failed';
  reason: string;
}

/** Number of targets with one result in one night; without a verdict there is no report. */
export interface NightResult {
  night: string;
  verdict: RunVerdict | null;
  count: number;
}

/** A certification as the ledger has it. */
export interface LedgerEntry {
  target: string;
  night: string;
  attempt: number;
  token: number;
  /** `undefined` while it is not finished. */
  result: Certified | NotCertified | undefined;
  /** Until when a claim excludes others, in milliseconds since 1970; `undefined` if none does. */
  leaseUntil: number | undefined;
}

/**
 * Records one certification for each target and night, whatever ends in between. A claim excludes others while its lease
 * is renewed; then the target can be claimed again, and the result of the earlier claim is rejected. Times are those of
 * the clock in milliseconds since 1970.
 */
export interface Ledger extends Disposable {
  /**
   * Claims a target; `undefined` if it is finished, or another claim is valid. Finishes it as failed if `mostAttempts`
   * were made and the last claim was never given back.
   */
  claim(target: string, night: string, now: number): Claim | undefined;
  /** Extends the lease and records what was sent. `false`: the claim is no longer valid, so stop the work. */
  renew(claim: ClaimKey, sent: SentTraffic, now: number): boolean;
  /** Finishes a target. `false`: the claim is no longer valid, and the result was rejected. */
  complete(claim: ClaimKey, result: Certified): boolean;
  /**
   * Gives a target back. With a reason, it is a failed attempt; after `mostFailures` of them the target is finished as
   * failed. Returns what the target is now; `superseded` if the claim was no longer valid.
   */
  release(claim: ClaimKey, sent: SentTraffic, failure?: string): ReleasedState;
  /** Ids of the finished targets of a night. */
  finished(night: string): string[];
  /** The entries of a night. */
  entries(night: string): LedgerEntry[];
  /** The entry of a target with this token, of any night. Merged ledgers have the same token for several targets. */
  withToken(target: string, token: number): LedgerEntry | undefined;
  /** Finished targets of the nights up to and including this one, by verdict, the oldest night first. */
  results(until: string): NightResult[];
  /** Number of targets with each cause, by night, of the nights up to and including this one. */
  causesByNight(key: string, until: string): ReadonlyMap<string, number>;
  /** The latest finished entry of a target before a night that another version made. */
  lastOfOtherVersion(target: string, night: string, version: string): LedgerEntry | undefined;
  /** Runs an action while no other process changes the ledger, or runs such an action. */
  exclusively<Result>(action: () => Result): Result;
  /**
   * Adds finished entries of another ledger, all or none. Returns the first for whose target and night this one has
   * another result.
   */
  add(entries: readonly LedgerEntry[]): LedgerEntry | undefined;
}

/** Nothing was sent. */
export const nothingSent: SentTraffic = { messages: 0, calls: 0 };

/** Milliseconds for which a claim excludes others; it is renewed several times in between. */
export const leaseMs = 30_000;
/** Attempts without a report after which a target is not tried again in the same night. */
export const mostFailures = 3;
/** Attempts of which the last may end with its process: then the target may be what ends it. */
export const mostAttempts = 10;
/** The result of a target whose last attempt ended with its process. */
export const lostResult: NotCertified = {
  state: 'failed',
  reason: `Its worker ended without a result, after ${mostAttempts} attempts or more.`,
};
