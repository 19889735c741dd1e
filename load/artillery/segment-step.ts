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
  #arrived = 0;
  #ending: Promise<void> | undefined;

  constructor(step: RunningStep, dueAt: readonly number[], onEnd: (measured: LoadStep) => void) {
    this.#step = step;
    this.#dueAt = dueAt;
    this.#onEnd = onEnd;
  }

  /** Begins all events now, each of which waits until it is due: Artillery gives this worker only a part of them. */
  beginAll(): void {
    while (this.#runs.length < this.#dueAt.length) this.#begin();
  }

  /**
   * Sends the next event when it is due and waits for the answer; the first one also ends the step. Artillery rounds its
   * intervals, and may begin more than are due: those end at once.
   */
  async arrive(): Promise<void> {
    const at = this.#arrived++;
    if (at === this.#runs.length) this.#begin();
    await this.#runs[at];
    if (at === 0) await this.#end();
  }

  /** Begins what Artillery has not, once it begins no more. */
  complete(): void {
    this.beginAll();
    this.#allBegun.resolve();
    // Its failure is that of the first event, if Artillery began any.
    this.#end().catch(() => undefined);
  }

  #begin(): void {
    const dueAt = this.#dueAt[this.#runs.length];
    if (dueAt === undefined) return;
    const run = this.#step.run(dueAt);
    // Its failure is reported by the event that awaits it, perhaps later.
    run.catch(() => undefined);
    this.#runs.push(run);
  }

  async #end(): Promise<void> {
    this.#ending ??= (async () => {
      await this.#allBegun.promise;
      await Promise.all(this.#runs);
      this.#onEnd(await this.#step.end());
    })();
    await this.#ending;
  }
}
