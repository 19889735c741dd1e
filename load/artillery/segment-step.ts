import type { LoadStep } from '../../specs/generated/types.ts';
import type { RunningStep } from '../running-step.ts';

/** The events of one worker in one step. Artillery begins them one by one, each before it is due. */
export class SegmentStep {
  readonly #step: RunningStep;
  /** Times (`performance.now()`) at which events are due. */
  readonly #dueAt: readonly number[];
  readonly #onEnd: (measured: LoadStep) => void;
  readonly #runs: Promise<void>[] = [];
  readonly #allBegun = Promise.withResolvers<void>();

  constructor(step: RunningStep, dueAt: readonly number[], onEnd: (measured: LoadStep) => void) {
    this.#step = step;
    this.#dueAt = dueAt;
    this.#onEnd = onEnd;
  }

  /**
   * Sends the next event when it is due and waits for the answer; the first one also ends the step. Artillery rounds its
   * intervals, and may begin more than are due: those end at once.
   */
  async arrive(): Promise<void> {
    const isFirst = this.#runs.length === 0;
    const run = this.#begin();
    if (!isFirst) return await run;
    await Promise.all([run, this.#allBegun.promise]);
    await Promise.all(this.#runs);
    this.#onEnd(await this.#step.end());
  }

  /** Begins what Artillery has not, once it begins no more. */
  complete(): void {
    while (this.#runs.length < this.#dueAt.length) void this.#begin();
    this.#allBegun.resolve();
  }

  async #begin(): Promise<void> {
    const dueAt = this.#dueAt[this.#runs.length];
    if (dueAt === undefined) return;
    const run = this.#step.run(dueAt);
    this.#runs.push(run);
    await run;
  }
}
