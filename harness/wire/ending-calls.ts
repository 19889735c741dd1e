import type { Call } from './call.ts';

/** Milliseconds in which most connections close; nothing waits longer. */
const usualClosingMs = 250;

/** Ends calls, and waits for each only as long as usual; the rest continues in the background until it is disposed. */
export class EndingCalls implements AsyncDisposable {
  readonly #ending = new Set<Promise<unknown>>();

  async end(calls: readonly Call[]): Promise<void> {
    const ended = Promise.all(calls.map((call) => call.end()));
    this.#ending.add(ended);
    void ended.finally(() => this.#ending.delete(ended));
    let timer: NodeJS.Timeout | undefined;
    const enough = new Promise((resolve) => {
      timer = setTimeout(resolve, usualClosingMs);
    });
    await Promise.race([ended, enough]);
    clearTimeout(timer);
    for (const { examined } of calls) await examined;
  }

  /** Waits until every connection is down. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#ending);
  }
}
