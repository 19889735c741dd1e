import type { Certified, Claim, ClaimKey, Ledger, LedgerEntry, ReleasedState, SentTraffic } from '../ledger.ts';

/** A target that the queue delivers, perhaps to several processes: only the ledger decides which result counts. */
export interface Job {
  target: string;
  night: string;
  /** Keeps the queue from delivering it to another process. */
  renew(): Promise<void>;
  /** Removes it from the queue. */
  done(): Promise<void>;
  /** Puts it back into the queue, which delivers it again after this time. */
  putBack(afterMs: number): Promise<void>;
}

/** Delivers targets to the processes of several machines, at least once. */
export interface JobQueue {
  /** Puts targets into the queue that are not there yet. */
  offer(night: string, targets: readonly string[]): Promise<void>;
  /** Takes the next target; `undefined` if none is due. */
  next(): Promise<Job | undefined>;
}

/** The files of a report, by name. */
export type ReportFiles = ReadonlyMap<string, Buffer>;

/**
 * The ledger of several machines: one certification for each target and night, whatever ends in between. Leases follow
 * the clock of the store.
 */
export interface SharedLedger {
  /**
   * Claims a target, unless it is finished or another claim is valid. Finishes it as failed if `mostAttempts` were made
   * and the last claim was never given back.
   */
  claim(target: string, night: string): Promise<Claim | 'finished' | 'claimed'>;
  /** Extends the lease and records what was sent. `false`: the claim is no longer valid. */
  renew(claim: ClaimKey, sent: SentTraffic): Promise<boolean>;
  /** Finishes a target and stores its report. `false`: the claim is no longer valid, and the result was rejected. */
  complete(claim: ClaimKey, result: Certified, report: ReportFiles): Promise<boolean>;
  /** Gives a target back, with a reason after a failed attempt. */
  release(claim: ClaimKey, sent: SentTraffic, failure?: string): Promise<ReleasedState>;
  /** Ids of the finished targets of a night. */
  finished(night: string): Promise<string[]>;
  /** The finished entries of a night. */
  entries(night: string): Promise<LedgerEntry[]>;
  /** The nights that have entries. */
  nights(): Promise<string[]>;
  report(target: string, night: string): Promise<ReportFiles>;
}

/** A database with the queue and the ledger of a fleet. */
export interface FleetStore extends AsyncDisposable {
  jobs: JobQueue;
  ledger: SharedLedger;
}

/** A night of several machines. */
export interface QueuedFleet {
  night: string;
  targets: readonly string[];
  /** Directory of this process for reports that are being written. */
  work: string;
  /** Directory of the overview; absent: another process writes it. */
  out?: string | undefined;
  ledger: Ledger;
}

/** Seconds for which the store keeps the entries of a night: the ledger in the directory of an overview has them longer. */
export const keptSeconds = 90 * 86_400;
/** Seconds for which the store keeps reports. */
export const reportsKeptSeconds = 2 * 86_400;
/** Name of the queue. */
export const queueName = 'svc-conform-fleet';
