import { setTimeout as sleep } from 'node:timers/promises';
import { HarnessFault } from '../harness/checks/faults.ts';
import type { ProcessorWait } from '../harness/wire/processor-wait.ts';
import { usageExitCode } from '../reports/model/verdict.ts';
import type { ListedTarget } from '../run/config/read-targets.ts';
import type { FleetEvent, PermittedWindow } from '../specs/generated/types.ts';
import type { TargetOutcome } from './check-target.ts';
import type { Concurrency } from './concurrency.ts';
import { leaseMs, type Claim, type Ledger } from './ledger.ts';
import { opensAt } from './permitted-windows.ts';
import { timeLimitMs } from './prepare-target.ts';

/** An event without its timestamp. */
type Untimed<Event> = Event extends { at: string } ? Omit<Event, 'at'> : never;

/** What a fleet needs from outside. */
export interface FleetParts {
  ledger: Ledger;
  concurrency: Concurrency;
  /** Checks a target; the signal ends it. */
  check: (
    target: ListedTarget,
    claim: Claim,
    running: { signal: AbortSignal; onWait: (wait: ProcessorWait) => void },
  ) => Promise<TargetOutcome>;
  /** Puts the report of a completed claim in its place. */
  publish: (claim: Claim) => void;
  /** Removes what a check without a result has written. */
  discard: (claim: Claim) => Promise<void>;
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

/** Milliseconds between two attempts to claim a target that another process has claimed. */
const claimAgainMs = 1_000;
/** Renewals of a claim during one lease. */
const renewals = 3;

/**
 * Certifies each target that the ledger does not have for this night, within its windows. Returns why others were not
 * checked. Rejects if the ledger or a report cannot be written; the checks are ended before.
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
  /** When a target is tried next. */
  readonly #notBefore = new Map<string, number>();
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
      const wakeAt = this.#startNext();
      if (this.#open.size === 0 && this.#running.size === 0) break;
      await this.#somethingChanges(wakeAt);
    }
    const left = { state: 'not-checked', reason: 'The command was stopped before.' } as const;
    for (const id of [...this.#open.keys(), ...this.#running.keys()]) this.#without.set(id, left);
    return this.#without;
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** Starts as many checks as may run. Returns when to try again if nothing else changes. */
  #startNext(): number {
    const { ledger, concurrency, now } = this.#parts;
    const { night, beginUntil } = this.#plan;
    let wakeAt = Infinity;
    for (const target of this.#open.values()) {
      if (this.#running.size >= concurrency.limit) break;
      const { id, port } = target;
      if (this.#running.has(id)) continue;
      // The end of the check that uses the port starts this one.
      if (port !== undefined && this.#portsInUse.has(port)) continue;
      const at = this.#mayBeginAt(target);
      if (at === undefined) continue;
      if (at > now()) {
        wakeAt = Math.min(wakeAt, at);
        continue;
      }
      if (now() > beginUntil) {
        this.#giveUp(id, { state: 'not-checked', reason: 'The time of the command was over.' });
        continue;
      }
      const claim = ledger.claim(id, night, now());
      if (claim) this.#start(target, claim);
      else if (ledger.isFinished(id, night)) this.#open.delete(id);
      else {
        this.#notBefore.set(id, now() + claimAgainMs);
        wakeAt = Math.min(wakeAt, now() + claimAgainMs);
      }
    }
    return wakeAt;
  }

  /** The time from which a target may begin; `undefined` if it is given up. */
  #mayBeginAt(target: ListedTarget): number | undefined {
    const now = this.#parts.now();
    const known = this.#notBefore.get(target.id) ?? now;
    if (known > now) return known;
    const limitMs = timeLimitMs(target);
    const at = this.#opensAt(target.windows, limitMs);
    if (at === undefined) {
      const minutes = Math.ceil(limitMs / 60_000);
      const reason = `Expected a window of at least ${minutes} minutes, the time limit of a check; budgetSeconds shortens it.`;
      this.#giveUp(target.id, { state: 'unusable', reason });
      return undefined;
    }
    if (at > Math.max(now, this.#plan.beginUntil)) {
      const reason = `Its next window opens at ${new Date(at).toISOString()}.`;
      this.#giveUp(target.id, { state: 'not-checked', reason });
      return undefined;
    }
    this.#notBefore.set(target.id, at);
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
    const { ledger, concurrency, check, discard, now } = this.#parts;
    const superseded = new AbortController();
    const renewing = setInterval(() => {
      if (!ledger.renew(claim, now())) superseded.abort();
    }, leaseMs / renewals);
    try {
      const signal = AbortSignal.any([this.#plan.signal, superseded.signal]);
      const onWait = (wait: ProcessorWait) => concurrency.report(wait, this.#running.size, now());
      const outcome = await check(target, claim, { signal, onWait }).catch(outcomeOfError);
      if (this.#plan.signal.aborted) {
        ledger.release(claim);
        await discard(claim);
      } else await this.#conclude(claim, outcome, begun);
    } finally {
      clearInterval(renewing);
    }
  }

  async #conclude(claim: Claim, outcome: TargetOutcome, begun: number): Promise<void> {
    const { ledger, concurrency, publish, discard, emit, now } = this.#parts;
    const { target } = claim;
    const finish = (state: 'complete' | 'again' | 'failed' | 'superseded', more: { reason?: string } = {}) =>
      emit({ event: 'target-finished', target, state, durationMs: now() - begun, ...more });
    if (outcome.kind === 'report') {
      if (outcome.isTooSlow && !this.#delayed.has(target)) {
        this.#delayed.add(target);
        concurrency.tooSlow();
        ledger.release(claim);
        await discard(claim);
        finish('again', { reason: 'This machine was too slow to judge a time.' });
        return;
      }
      const { certified } = outcome;
      const isValid = ledger.complete(claim, certified);
      if (isValid) publish(claim);
      else await discard(claim);
      this.#open.delete(target);
      const { verdict, durationMs } = certified;
      if (isValid) emit({ event: 'target-finished', target, state: 'complete', verdict, durationMs });
      else finish('superseded');
      return;
    }
    await discard(claim);
    if (outcome.kind === 'unusable') {
      ledger.release(claim);
      this.#giveUp(target, { state: 'unusable', reason: outcome.reason });
      return;
    }
    const { reason } = outcome;
    const state = ledger.release(claim, reason);
    if (state === 'failed') this.#open.delete(target);
    finish(state === 'open' ? 'again' : state, { reason });
  }

  /** Waits until a check ends, a place becomes free, or a target may begin. */
  async #somethingChanges(wakeAt: number): Promise<void> {
    const { signal } = this.#plan;
    const done = new AbortController();
    const until = AbortSignal.any([signal, done.signal]);
    const waitMs = Math.min(Math.max(0, wakeAt - this.#parts.now()), claimAgainMs);
    const pause = sleep(waitMs, undefined, { signal: until }).catch(() => undefined);
    try {
      await Promise.race([...this.#running.values(), pause]);
    } finally {
      done.abort();
    }
  }
}

/** An error before the check, such as a secrets file that was removed after the start, concerns this target only. */
function outcomeOfError(error: unknown): TargetOutcome {
  const isUsage = error instanceof HarnessFault && error.exitCode === usageExitCode;
  return { kind: isUsage ? 'unusable' : 'failed', reason: error instanceof Error ? error.message : String(error) };
}
