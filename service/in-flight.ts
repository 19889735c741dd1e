/** Deliveries and the like that nobody waits for where they begin, and that can be waited for all the same. */
export class InFlight {
  readonly #running = new Set<Promise<void>>();

  /** Takes up work that is under way. That it fails is a defect of ours, and is told as a warning. */
  add(work: Promise<unknown>): void {
    const kept = work.then(() => undefined, warnOfDefect).finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  /** Resolves once nothing is under way, what was begun meanwhile included. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Tells of an error that nobody waits for where people see it; nothing else ends. */
export function warnOfDefect(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : new Error(String(error)));
}
