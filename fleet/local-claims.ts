import type { Release, TargetClaims } from './target-claims.ts';
import { discardWork, publishReport, recoverWork, workPlace } from './fleet-files.ts';
import type { Certified, Claim, Ledger, ReleasedState, SentTraffic } from './ledger.ts';

/** Milliseconds between two attempts to claim a target that another process has claimed. */
const claimAgainMs = 1_000;

/** A night of one machine. */
export interface LocalFleet {
  night: string;
  targets: readonly string[];
  /** Directory of the overview, and its ledger. */
  out: string;
  ledger: Ledger;
  /** Milliseconds since 1970; default: the clock of this machine. */
  now?: () => number;
}

/** The claims of the processes of one machine, which share a directory with its ledger. */
export class LocalClaims implements TargetClaims {
  readonly #ledger: Ledger;
  readonly #out: string;
  readonly #night: string;
  readonly #now: () => number;
  /** Targets that may be open, in the order of the list. */
  readonly #open: Set<string>;
  /** When a target is tried next. */
  readonly #notBefore = new Map<string, number>();

  constructor(fleet: LocalFleet) {
    this.#ledger = fleet.ledger;
    this.#out = fleet.out;
    this.#night = fleet.night;
    this.#now = fleet.now ?? Date.now;
    this.#open = new Set(fleet.targets);
  }

  async claim(waitMs: (target: string) => number): Promise<Claim | undefined> {
    for (const target of this.#open) {
      const now = this.#now();
      if ((this.#notBefore.get(target) ?? now) > now || waitMs(target) > 0) continue;
      const claim = this.#ledger.claim(target, this.#night, now);
      if (claim) return claim;
      this.#notBefore.set(target, now + claimAgainMs);
    }
    return undefined;
  }

  async renew(claim: Claim, sent: SentTraffic): Promise<boolean> {
    return this.#ledger.renew(claim, sent, this.#now());
  }

  async complete(claim: Claim, result: Certified): Promise<boolean> {
    this.#open.delete(claim.target);
    const isValid = this.#ledger.complete(claim, result);
    if (isValid) publishReport(this.#out, this.#ledger, claim);
    else await discardWork(this.#out, claim);
    return isValid;
  }

  async release(claim: Claim, { sent, failure }: Release): Promise<ReleasedState> {
    await discardWork(this.#out, claim);
    return this.#ledger.release(claim, sent, failure);
  }

  async finished(): Promise<readonly string[]> {
    const finished = this.#ledger.finished(this.#night);
    for (const target of finished) this.#open.delete(target);
    return finished;
  }

  place(claim: Claim): string {
    return workPlace(this.#out, claim);
  }

  /** Recovers the work of killed commands, whose leases may not have been over at the start. */
  async collect(): Promise<void> {
    await recoverWork(this.#out, this.#ledger, this.#now());
  }
}
