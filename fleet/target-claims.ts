import type { Certified, Claim, ReleasedState, SentTraffic } from './ledger.ts';

/** How a claim is given back. */
export interface Release {
  /** What the target received in this night. */
  sent: SentTraffic;
  /** The reason of a failed attempt; absent: it counts as none. */
  failure?: string;
}

/**
 * Distributes the targets of a night to the processes that certify them, and records one certification for each. It has
 * the reports, too: each check writes into its own place until its result is accepted.
 */
export interface TargetClaims {
  /**
   * Claims a target that may begin; `undefined` if there is none now.
   *
   * @param waitMs how long a target must not begin in this process, in milliseconds; `Infinity`: never
   */
  claim(waitMs: (target: string) => number): Promise<Claim | undefined>;
  /** Keeps a claim valid, and records what was sent. `false`: it is no longer valid, so stop the work. */
  renew(claim: Claim, sent: SentTraffic): Promise<boolean>;
  /** Finishes a target and publishes its report. `false`: the claim is no longer valid, and the result was rejected. */
  complete(claim: Claim, result: Certified): Promise<boolean>;
  /** Gives a target back and discards its report. */
  release(claim: Claim, release: Release): Promise<ReleasedState>;
  /** Ids of the targets that are finished, by whichever process. */
  finished(): Promise<readonly string[]>;
  /** Directory into which the check of a claim writes its report. */
  place(claim: Claim): string;
  /** Completes the ledger and the reports in the directory of the overview. */
  collect(): Promise<void>;
}
