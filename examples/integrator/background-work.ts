import type { ServerResponse } from 'node:http';

import type { Log } from './exchange.ts';

/** Work that continues after an answer was sent, counted so that shutting down can wait for it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<void>>();
  readonly #log: Log;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Starts `work` when the answer was sent, or when it no longer can be: a 202 is a promise either way. */
  startAfter(response: ServerResponse, work: () => Promise<void>): void {
    if (response.destroyed) this.#start(work);
    else response.once('close', () => this.#start(work));
  }

  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #start(work: () => Promise<void>): void {
    const running = work()
      .catch((error: unknown) =>
        this.#log(`work after an answer failed: ${error instanceof Error ? error.name : 'unknown'}`),
      )
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }
}
