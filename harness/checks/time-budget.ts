import { isCutOffCode } from '../../specs/faults/cut-off-codes.ts';
import { HarnessFault } from './faults.ts';
import { phaseOf, suiteGroups, type SuiteGroup } from './run-order.ts';

/** Share of the budget for the causes of failures, which are searched for after the checks. */
const diagnosisShare = 1 / 6;
/** Maximum share of what is left of the budget when the first check fails. */
const mostOfTheRest = 1 / 3;
/** Maximum milliseconds for all causes of one run: as long as a user waits for causes that were not asked for. */
const longestDiagnosisMs = 20_000;
/** Share of the budget that is left at least when the endpoint stops answering, so that no part is cut off at once. */
const shareAfterSilence = 1 / 4;
/** Share of the budget for watching what must not follow, for calls to end, and for writing the report. */
const endingShare = 1 / 12;

/**
 * Share of the budget that stays reserved for each surface in a group of suites until this group has begun there: enough
 * for what an endpoint that answers at once needs. The phases of one host and port follow one another, so what is cut off is defined: the
 * plain checks of a surface are not cut off for its generated events.
 */
const reservedShares: Readonly<Partial<Record<SuiteGroup, number>>> = {
  timed: 0.04,
  types: 0.02,
  waiting: 0.04,
  effects: 0.03,
  forged: 0.01,
  plain: 0.05,
  generated: 0.02,
  last: 0.01,
  final: 0.005,
  crash: 0.005,
};

/** Surfaces with such suites, if not all of them. */
const surfacesOf: Readonly<Partial<Record<SuiteGroup, readonly string[]>>> = {
  explaining: [],
  timed: ['crm-webhook', 'own-ai-chat', 'own-ai-phone'],
  types: ['crm-webhook', 'api-webhooks'],
  waiting: ['own-ai-chat', 'own-ai-phone'],
  forged: ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone'],
  last: ['crm-webhook', 'own-ai-chat', 'own-ai-phone'],
  final: ['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone'],
  client: [],
  crash: ['crm-webhook', 'api-webhooks'],
};

/** Whether the time budget or a limit of the config cut something off. */
export function isCutOff(error: unknown): boolean {
  return error instanceof HarnessFault && isCutOffCode(error.code);
}

/** The parts of a run of these surfaces, in order. */
export function partsOf(surfaces: readonly string[]): RunPart[] {
  return suiteGroups.flatMap((group) =>
    surfaces.filter((surface) => surfacesOf[group]?.includes(surface) !== false).map((surface) => ({ surface, group })),
  );
}

/** A part of a run: one surface in one group of suites. */
export interface RunPart {
  readonly surface: string;
  readonly group: SuiteGroup;
}

/** Milliseconds after which the end is determined again: it is earlier once the endpoint leaves something unanswered. */
const longestTimerMs = 1_000;

/** Seconds that `--budget` is suggested with, from the used ones: the next round number. */
const suggestedSeconds = [120, 300, 600, 1_800, 3_600, 7_200] as const;

/** Maximum milliseconds that a search takes beyond its time, and that the report takes. */
const publishingMs = 5_000;

/** Milliseconds of a time budget for the causes of failures, after the run has taken `elapsedMs` so far. */
export function diagnosisMs(budgetMs: number, elapsedMs = 0): number {
  const most = Math.min(longestDiagnosisMs, budgetMs * diagnosisShare);
  const endingMs = Math.min(publishingMs, budgetMs * endingShare);
  // The wait for a missing callback is not part of the budget.
  return elapsedMs > budgetMs ? most : Math.min(most, Math.max(0, budgetMs - elapsedMs - endingMs));
}

export interface TimeBudgetOptions {
  /** Milliseconds for the whole run; absent: unlimited. */
  budgetMs: number | undefined;
  /** The same while the endpoint answers everything; default: `budgetMs`. */
  answeringMs?: number | undefined;
  /** Whether the endpoint has answered everything so far. */
  isAnswering?: () => boolean;
  /** The surfaces of the run, in order. */
  surfaces: readonly string[];
  /** Milliseconds on a clock that is never set back. */
  now?: () => number;
  /** Milliseconds since the start in which this process waited for a processor, which do not count. */
  starvedMs?: () => number;
}

/**
 * The time of a run. Each part of it (a surface in a group of suites) may use what later phases do not need, so that an
 * endpoint that is slow in one phase still gets a verdict on the others. It only decides what is still sent and
 * awaited: what it cuts off is never judged.
 */
export class TimeBudget {
  readonly #now: () => number;
  readonly #budgetMs: number | undefined;
  readonly #answeringMs: number | undefined;
  readonly #isAnswering: () => boolean;
  readonly #from: number;
  /** When the endpoint was first observed to leave requests unanswered. */
  #answeredUntil: number | undefined;
  /** Milliseconds for the causes of failures. */
  #reservedMs = 0;
  #hasFailure = false;
  /** Why the run ends before its time. */
  #stopped: HarnessFault | undefined;
  readonly #stop = Promise.withResolvers<never>();
  readonly #parts: readonly RunPart[];
  readonly #deadlines = new Map<string, number>();

  constructor({
    budgetMs,
    answeringMs = budgetMs,
    isAnswering = () => false,
    surfaces,
    now = () => performance.now(),
    starvedMs = () => 0,
  }: TimeBudgetOptions) {
    let deductedMs = 0;
    this.#now = () => {
      // The endpoint must not pay for a busy machine, whose run still ends in twice the time.
      deductedMs = Math.max(deductedMs, Math.min(starvedMs(), budgetMs ?? 0));
      return now() - deductedMs;
    };
    this.#budgetMs = budgetMs;
    this.#answeringMs = answeringMs;
    this.#isAnswering = isAnswering;
    this.#from = this.#now();
    this.#parts = partsOf(surfaces);
    // Nothing may be running when it stops.
    this.#stop.promise.catch(() => undefined);
  }

  /** Ends the run: nothing further is sent, and whatever {@link unlessEnded} waits for is given up. */
  stop(): void {
    this.#stopped ??= new HarnessFault('run-stopped');
    this.#stop.reject(this.#stopped);
  }

  /** Throws `run-stopped` when the run is stopped before `run` has ended; what it still does has no effect. */
  async unlessEnded<T>(run: () => Promise<T>): Promise<T> {
    if (this.#stopped) throw this.#stopped;
    return await Promise.race([run(), this.#stop.promise]);
  }

  /** Milliseconds for the run as the endpoint has behaved so far; infinite without a limit. */
  get #wholeMs(): number {
    if (this.#budgetMs === undefined || this.#answeringMs === undefined) return Infinity;
    if (this.#answeredUntil === undefined && this.#isAnswering()) return this.#answeringMs;
    this.#answeredUntil ??= this.#now();
    const latestMs = (this.#answeredUntil - this.#from + this.#budgetMs * shareAfterSilence) / (1 - endingShare);
    return Math.max(this.#budgetMs, Math.min(latestMs, this.#answeringMs));
  }

  /** On the clock of `now`: nothing is sent or awaited after it. */
  get #end(): number {
    return this.#from + this.#wholeMs * (1 - endingShare) - this.#reservedMs;
  }

  /** Milliseconds until nothing is sent or awaited any more. */
  get leftMs(): number {
    return this.#stopped ? 0 : Math.max(0, this.#end - this.#now());
  }

  /** Reserves time for the causes of failures, when the first check has failed. */
  reserveDiagnosis(): void {
    if (this.#hasFailure || this.#budgetMs === undefined) return;
    this.#hasFailure = true;
    this.#reservedMs = Math.min(diagnosisMs(this.#budgetMs), this.leftMs * mostOfTheRest);
  }

  /** Milliseconds in which the running check may still send; its part gets its time when the first check begins. */
  leftFor(part: RunPart | undefined): number {
    if (this.#stopped) return 0;
    if (this.#budgetMs === undefined) return Infinity;
    return Math.max(0, Math.min(part ? this.#deadline(part) : this.#end, this.#end) - this.#now());
  }

  /** Throws {@link fault} unless the running check may still send after this many milliseconds. */
  assertLeft(part: RunPart | undefined, afterMs = 0): void {
    if (this.leftFor(part) <= afterMs) throw this.fault();
  }

  /** The reason of what the budget cuts off. */
  fault(): HarnessFault {
    if (this.#stopped) return this.#stopped;
    const seconds = ((this.#answeredUntil === undefined ? this.#answeringMs : this.#budgetMs) ?? 0) / 1000;
    const suggested = suggestedSeconds.find((more) => more >= 2 * seconds) ?? Math.ceil(2 * seconds);
    return new HarnessFault('budget-used', { seconds, suggested });
  }

  /** Rejects with {@link fault} when the budget ends before `run` does. `run` continues, but its result is dropped. */
  async within<T>(run: Promise<T>): Promise<T> {
    if (this.#budgetMs === undefined) return await run;
    const over = Promise.withResolvers<never>();
    let timer: NodeJS.Timeout | undefined;
    const wait = () => {
      const { leftMs } = this;
      if (leftMs > 0) timer = setTimeout(wait, Math.min(leftMs, longestTimerMs));
      else over.reject(this.fault());
    };
    wait();
    // Both may be rejected later, when nothing waits for them.
    run.catch(() => undefined);
    over.promise.catch(() => undefined);
    try {
      return await Promise.race([run, over.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  #deadline(part: RunPart): number {
    const key = JSON.stringify([part.surface, part.group]);
    let deadline = this.#deadlines.get(key);
    if (deadline === undefined) this.#deadlines.set(key, (deadline = this.#plan(part)));
    return deadline;
  }

  #plan(part: RunPart): number {
    const budgetMs = this.#budgetMs ?? 0;
    const share = ({ group }: RunPart) => budgetMs * (reservedShares[group] ?? 0);
    // The parts of one phase run at the same time, and share its time.
    const later = this.#parts.filter(({ group }) => phaseOf(group) > phaseOf(part.group));
    const reservedMs = later.reduce((sum, one) => sum + share(one), 0);
    return Math.min(this.#end, Math.max(this.#end - reservedMs, this.#now() + share(part)));
  }
}
