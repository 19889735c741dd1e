import { DueQueue, type Due } from './due-queue.ts';
import { warnOfDefect } from './in-flight.ts';

/** What a due task does. */
export type Task = () => void | Promise<void>;

/** A span by which the time cannot be moved. */
export class SpanError extends RangeError {
  override readonly name = 'SpanError';
}

/** Something that will happen at a time of the service. */
export interface Scheduled {
  /** Takes it back; without effect once it has begun. */
  cancel(): void;
}

/** The longest wait that a timer of the runtime takes, in milliseconds. */
const longestTimerMs = 2_147_483_647;

/** Unix milliseconds of the first and the last second that {@link timestamp} can write. */
const [firstTime, lastTime] = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59Z')];

/**
 * The time of the simulated service: runs like the real one, and can be moved forward, so that what happens in hours
 * (reminders, windows, pauses, the life of idempotency keys) is seen in milliseconds.
 */
export class Clock {
  readonly #wall: () => number;
  #aheadMs: number;
  /** The time of the task that is being run, while one is. */
  #standsAt: number | undefined;
  #isMoving = false;
  readonly #tasks = new DueQueue<Task>();
  #timer: ReturnType<typeof setTimeout> | undefined;
  #moves: Promise<unknown> = Promise.resolve();
  #stopped = false;

  /**
   * @param startAt Unix milliseconds at which it begins; default: now
   * @param wall the real time in Unix milliseconds
   */
  constructor(startAt?: number, wall: () => number = Date.now) {
    this.#wall = wall;
    this.#aheadMs = startAt === undefined ? 0 : startAt - wall();
  }

  /** Unix milliseconds. */
  now(): number {
    return this.#standsAt ?? this.#wall() + this.#aheadMs;
  }

  /**
   * Runs a task at a time in Unix milliseconds; at once, but not in this turn, when that is past. A move waits for the
   * promise of a task, so it must not be one that only a later time or another move fulfils.
   */
  schedule(at: number, run: Task): Scheduled {
    if (Number.isNaN(at)) throw new RangeError('expected a time in Unix milliseconds, received NaN');
    if (this.#stopped) return { cancel: () => undefined };
    const task = this.#tasks.add(Math.max(at, this.now()), run);
    if (this.#tasks.first() === task) this.#setTimer();
    return { cancel: () => this.#tasks.cancel(task) };
  }

  /**
   * Moves the time forward by `ms` milliseconds and waits until everything that falls due on the way is done, each task
   * at its own time. A move that is asked for during another one begins where that one ends. A task that throws keeps
   * no other from running; the first error is thrown at the end. Throws {@link SpanError} for a span that is negative, not a
   * number, or leads past the year 9999.
   */
  async move(ms: number): Promise<void> {
    if (!(ms >= 0)) throw new SpanError(`expected a span of 0 or more milliseconds, received ${ms}`);
    const turn = this.#moves.then(() => this.#moveBy(ms));
    this.#moves = turn.catch(() => undefined);
    await turn;
  }

  /** Nothing that is scheduled happens any more. */
  stop(): void {
    this.#stopped = true;
    this.#tasks.clear();
    clearTimeout(this.#timer);
  }

  async #moveBy(ms: number): Promise<void> {
    const target = this.now() + ms;
    if (target > lastTime)
      throw new SpanError(`expected a span that ends by the year 9999, received ${ms} milliseconds`);
    const errors: unknown[] = [];
    this.#isMoving = true;
    try {
      for (let next = this.#takeDue(target); next; next = this.#takeDue(target)) {
        this.#standsAt = next.at;
        try {
          await next.what();
        } catch (error) {
          errors.push(error);
        }
      }
    } finally {
      this.#isMoving = false;
      this.#standsAt = undefined;
      this.#aheadMs += ms;
      this.#setTimer();
    }
    if (errors.length > 0) throw errors[0];
  }

  /** Takes the next task off, when it is due at `target`. */
  #takeDue(target: number): Due<Task> | undefined {
    const next = this.#tasks.first();
    return next !== undefined && next.at <= target ? this.#tasks.take() : undefined;
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const next = this.#tasks.first();
    // A move runs what falls due meanwhile, and sets the timer at its end.
    if (!next || this.#isMoving) return;
    const wait = Math.min(Math.max(next.at - this.now(), 0), longestTimerMs);
    this.#timer = setTimeout(() => this.#runDue(), wait);
    // A service that nobody uses any more must not keep the process up for a reminder of tomorrow.
    this.#timer.unref();
  }

  /** What the timer does: begins every due task at its own time, and lets the time run on while they go on. */
  #runDue(): void {
    if (this.#isMoving) return;
    const target = this.now();
    for (let next = this.#takeDue(target); next; next = this.#takeDue(target)) {
      this.#standsAt = next.at;
      try {
        void Promise.resolve(next.what()).catch(warnOfDefect);
      } catch (error) {
        warnOfDefect(error);
      }
    }
    this.#standsAt = undefined;
    this.#setTimer();
  }
}

/**
 * A time as the service writes it: UTC, whole seconds, no zone suffix (assumption timestamp-fraction). Four digits write
 * the years 0 to 9999: a time beyond, as the local one of a moment near an edge can be, is written as the edge.
 */
export function timestamp(ms: number): string {
  return new Date(Math.min(Math.max(ms, firstTime), lastTime)).toISOString().slice(0, 19);
}
