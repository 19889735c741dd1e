import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessFault } from '../harness/checks/faults.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import type { ListedTarget } from '../run/config/read-targets.ts';
import type { ConfiguredLimits, FleetEvent, PermittedWindow } from '../specs/generated/types.ts';
import type { CheckProgress } from '../run/execute/follow-parent.ts';
import type { TargetOutcome } from './check-target.ts';
import type { Release, TargetClaims } from './target-claims.ts';
import type { Concurrency } from './concurrency.ts';
import { leaseMs, type Claim, type SentTraffic } from './ledger.ts';
import { opensAt } from './permitted-windows.ts';
import { timeLimitMs } from './prepare-target.ts';

/** An event without its timestamp. */
type Untimed<Event> = Event extends { at: string } ? Omit<Event, 'at'> : never;

/** What a fleet needs from outside. */
export interface FleetParts {
  claims: TargetClaims;
  concurrency: Concurrency;
  /** Checks a target; the signal ends it. */
  check: (
    target: ListedTarget,
    claim: Claim,
    running: { signal: AbortSignal; onProgress: (progress: CheckProgress) => void },
  ) => Promise<TargetOutcome>;
  emit: (event: Untimed<FleetEvent>) => void;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A target whose config can be used. */
export interface PlannedTarget extends ListedTarget {
  /** The port of its callbacks, which only one check at a time can use; absent: any free one. */
  port?: number | undefined;
}

/** Which targets are certified, and until when. */
export interface FleetPlan {
  targets: readonly PlannedTarget[];
  night: string;
  /** No target is begun after this time, in milliseconds since 1970. */
  beginUntil: number;
  /** Stops the fleet. */
  signal: AbortSignal;
}

/** Why a target has no entry in the ledger. */
export interface WithoutEntry {
  state: 'unusable' | 'not-checked';
  reason: string;
}

/** Milliseconds after which an idle fleet tries again to claim a target. */
const claimAgainMs = 1_000;
/** Milliseconds between the attempts of a target with a limit per minute. */
const minuteMs = 61_000;
/** Renewals of a claim during one lease. */
const renewals = 3;
/** Milliseconds after the last renewal in which a check may run: it has ended before its lease is over. */
const unrenewedMs = leaseMs - leaseMs / renewals;

/**
 * Certifies each target that has no result for this night, within its windows, until all have one. Returns why others
 * were not checked. Rejects if the ledger or a report cannot be written; the checks are ended before.
 */
export async function runFleet(plan: FleetPlan, parts: FleetParts): Promise<Map<string, WithoutEntry>> {
  const ended = new AbortController();
  const fleet = new RunningFleet({ ...plan, signal: AbortSignal.any([plan.signal, ended.signal]) }, parts);
  try {
    return await fleet.run();
  } finally {
    ended.abort();
    await fleet.settled();
  }
}

class RunningFleet {
  readonly #plan: FleetPlan;
  readonly #parts: FleetParts;
  /** Targets that are neither finished nor given up, in the order of the list. */
  readonly #open: Map<string, PlannedTarget>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #portsInUse = new Set<number>();
  readonly #without = new Map<string, WithoutEntry>();
  /** The next opening of windows, by windows and duration. */
  readonly #openings = new Map<string, { at: number | undefined }>();
  /** Targets that this machine was too slow to judge. */
  readonly #delayed = new Set<string>();

  constructor(plan: FleetPlan, parts: FleetParts) {
    this.#plan = plan;
    this.#parts = parts;
    this.#open = new Map(plan.targets.map((target) => [target.id, target]));
  }

  async run(): Promise<Map<string, WithoutEntry>> {
    const { signal } = this.#plan;
    while (!signal.aborted) {
      await this.#startNext();
      if (this.#open.size === 0 && this.#running.size === 0) break;
      await this.#somethingChanges();
    }
    const left = { state: 'not-checked', reason: 'The command was stopped before.' } as const;
    for (const id of [...this.#open.keys(), ...this.#running.keys()]) this.#without.set(id, left);
    return this.#without;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Starts as many checks as may run. */
  async #startNext(): Promise<void> {
    const { claims, concurrency } = this.#parts;
    while (this.#running.size < concurrency.limit && !this.#plan.signal.aborted) {
      const claim = await claims.claim((id) => this.#waitMs(id));
      const target = claim && this.#open.get(claim.target);
      if (!target) {
        for (const id of await claims.finished()) if (!this.#running.has(id)) this.#open.delete(id);
        // A queue may not offer a target that this process gives up.
        for (const id of this.#open.keys()) this.#waitMs(id);
        return;
      }
      this.#start(target, claim);
    }
  }

  /** Milliseconds before a target may begin; `Infinity` if never in this process, which gives it up then. */
  #waitMs(id: string): number {
    const target = this.#open.get(id);
    if (!target || this.#running.has(id)) return Infinity;
    const now = this.#parts.now();
    const at = this.#mayBeginAt(target);
    if (at === undefined) return Infinity;
    if (at > now) return at - now;
    if (now > this.#plan.beginUntil) {
      this.#giveUp(id, { state: 'not-checked', reason: 'The time of the command was over.' });
      return Infinity;
    }
    return target.port !== undefined && this.#portsInUse.has(target.port) ? claimAgainMs : 0;
  }

  /** The time from which a target may begin; `undefined` if it is given up. */
  #mayBeginAt(target: ListedTarget): number | undefined {
    const limitMs = timeLimitMs(target) + (target.limits.perMinute === undefined ? 0 : minuteMs);
    const at = this.#opensAt(target.windows, limitMs);
    if (at === undefined) {
      const minutes = Math.ceil(limitMs / 60_000);
      const reason = `Expected a window of at least ${minutes} minutes, the time limit of a check; budgetSeconds shortens it.`;
      this.#giveUp(target.id, { state: 'unusable', reason });
      return undefined;
    }
    if (at > Math.max(this.#parts.now(), this.#plan.beginUntil)) {
      const reason = `Its next window opens at ${new Date(at).toISOString()}.`;
      this.#giveUp(target.id, { state: 'not-checked', reason });
      return undefined;
    }
    return at;
  }

  /** Many targets have the same windows, and the search is long while they are closed. */
  #opensAt(windows: readonly PermittedWindow[], durationMs: number): number | undefined {
    const now = this.#parts.now();
    const key = JSON.stringify([windows, durationMs]);
    const known = this.#openings.get(key);
    if (known && (known.at === undefined || known.at > now)) return known.at;
    const at = opensAt(windows, now, durationMs);
    this.#openings.set(key, { at });
    return at;
  }

  #giveUp(id: string, without: WithoutEntry): void {
    this.#open.delete(id);
    this.#without.set(id, without);
  }

  #start(target: PlannedTarget, claim: Claim): void {
    const { emit, now } = this.#parts;
    const begun = now();
    emit({ event: 'target-started', target: target.id, attempt: claim.attempt });
    const { port } = target;
    if (port !== undefined) this.#portsInUse.add(port);
    const ending = this.#certify(target, claim, begun).finally(() => {
      this.#running.delete(target.id);
      if (port !== undefined) this.#portsInUse.delete(port);
    });
    // A failure is reported by the wait for changes.
    ending.catch(() => undefined);
    this.#running.set(target.id, ending);
  }

  async #certify(target: ListedTarget, claim: Claim, begun: number): Promise<void> {
    const { claims, concurrency, check, now } = this.#parts;
    const over = new AbortController();
    let { sent } = claim;
    const onProgress = (progress: CheckProgress) => {
      concurrency.report(progress.wait, this.#running.size, now());
      sent = progress.sent ?? sent;
    };
    using _renewing = keepClaim(() => claims.renew(claim, sent), over);
    const signal = AbortSignal.any([this.#plan.signal, over.signal]);
    const outcome = await pauseBefore(target, claim, signal)
      .then(() => check(target, claim, { signal, onProgress }))
      .catch(outcomeOfError);
    const release = { sent: (outcome.kind === 'report' ? outcome.sent : undefined) ?? sent };
    if (this.#plan.signal.aborted) await claims.release(claim, release);
    else await this.#conclude(target, claim, outcome, { begun, release, isOver: over.signal.aborted });
  }

  async #conclude(
    target: ListedTarget,
    claim: Claim,
    outcome: TargetOutcome,
    { begun, release, isOver }: { begun: number; release: Release; isOver: boolean },
  ): Promise<void> {
    const { claims, concurrency, emit, now } = this.#parts;
    const finish = (state: 'complete' | 'again' | 'failed' | 'superseded', more: { reason?: string } = {}) =>
      emit({ event: 'target-finished', target: target.id, state, durationMs: now() - begun, ...more });
    if (outcome.kind === 'report') {
      if (outcome.isTooSlow && !this.#delayed.has(claim.target) && hasRoom(target.limits, claim.sent, release.sent)) {
        this.#delayed.add(claim.target);
        concurrency.tooSlow();
        await claims.release(claim, release);
        finish('again', { reason: 'This machine was too slow to judge a time.' });
        return;
      }
      const { verdict, durationMs } = outcome.certified;
      const isValid = await claims.complete(claim, outcome.certified);
      this.#open.delete(target.id);
      if (isValid) emit({ event: 'target-finished', target: target.id, state: 'complete', verdict, durationMs });
      else finish('superseded');
      return;
    }
    // A check that was ended with its claim did not fail.
    const reason = isOver ? 'Its claim was over, or could not be renewed.' : outcome.reason;
    if (outcome.kind === 'unusable') {
      await claims.release(claim, release);
      this.#giveUp(target.id, { state: 'unusable', reason });
      return;
    }
    const state = await claims.release(claim, isOver ? release : { ...release, failure: reason });
    if (state === 'failed') this.#open.delete(target.id);
    finish(state === 'open' ? 'again' : state, { reason });
  }

  /** Waits until a check ends, or another attempt to claim a target is due. */
  async #somethingChanges(): Promise<void> {
    const { signal } = this.#plan;
    const done = new AbortController();
    const until = AbortSignal.any([signal, done.signal]);
    const pause = sleep(claimAgainMs, undefined, { signal: until }).catch(() => undefined);
    try {
      await Promise.race([...this.#running.values(), pause]);
    } finally {
      done.abort();
    }
  }
}

/** Renews a claim until it is disposed. Aborts when the claim is over, or may be because no renewal succeeded. */
function keepClaim(renew: () => Promise<boolean>, over: AbortController): Disposable {
  let isKept = true;
  let renewedAt = performance.now();
  let expiry = setTimeout(() => over.abort(), unrenewedMs);
  const renewing = setInterval(() => {
    const at = performance.now();
    const answered = (isValid: boolean) => {
      if (!isKept) return;
      renewedAt = Math.max(renewedAt, at);
      clearTimeout(expiry);
      if (!isValid) over.abort();
      else expiry = setTimeout(() => over.abort(), renewedAt + unrenewedMs - performance.now());
    };
    renew().then(answered, () => undefined);
  }, leaseMs / renewals);
  return {
    [Symbol.dispose]: () => {
      isKept = false;
      clearInterval(renewing);
      clearTimeout(expiry);
    },
  };
}

/** The attempt before may have been that of another machine, so that its end is unknown here. */
async function pauseBefore({ limits }: ListedTarget, { attempt }: Claim, signal: AbortSignal): Promise<void> {
  if (attempt > 1 && limits.perMinute !== undefined) await sleep(minuteMs, undefined, { signal });
}

/** Whether the limits permit another attempt that sends as much: otherwise they would cut it off. */
function hasRoom(limits: ConfiguredLimits, before: SentTraffic, after: SentTraffic): boolean {
  return (['messages', 'calls'] as const).every((kind) => {
    return (limits[kind] ?? Infinity) - after[kind] >= after[kind] - before[kind];
  });
}

/** An error before the check, such as a secrets file that was removed after the start, concerns this target only. */
function outcomeOfError(error: unknown): TargetOutcome {
  const isUsage = error instanceof HarnessFault && error.exitCode === usageExitCode;
  return { kind: isUsage ? 'unusable' : 'failed', reason: error instanceof Error ? error.message : String(error) };
}
