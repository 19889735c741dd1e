import { beforeEnd } from './end-on-signals.ts';

/**
 * Lets a run end with what it has judged when a signal arrives: the process waits for its report. An error that nothing
 * caught ends the process without one.
 */
export class EarlyEnd implements Disposable {
  readonly #task: Disposable;
  readonly #arrived = Promise.withResolvers<void>();
  readonly #reported = Promise.withResolvers<void>();
  #isInterrupted = false;

  /**
   * @param onSignal called when a signal arrives
   * @param onError called before the process ends for another reason
   */
  constructor(onSignal: () => void, onError: (error: Error) => void) {
    this.#task = beforeEnd(async (reason) => {
      if (reason instanceof Error) return onError(reason);
      this.#isInterrupted = true;
      onSignal();
      this.#arrived.resolve();
      await this.#reported.promise;
    });
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted;
  }

  /** Returns the result of `work`, or that of `otherwise` as soon as a signal arrives; `work` is not awaited any more. */
  async unlessInterrupted<T>(work: () => Promise<T>, otherwise: () => T): Promise<T> {
    if (this.#isInterrupted) return otherwise();
    const working = work();
    return await Promise.race([
      working.catch((error: unknown) => {
        if (this.#isInterrupted) return otherwise();
        throw error;
      }),
      this.#arrived.promise.then(otherwise),
    ]);
  }

  /** The process may end. */
  [Symbol.dispose](): void {
    this.#reported.resolve();
    this.#task[Symbol.dispose]();
  }
}
