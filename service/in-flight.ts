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

/** Errors that were told: whoever waits for the same work would tell them again. */
const told = new WeakSet<Error>();

/** Tells of an error that nobody waits for where people see it, once; nothing else ends. */
export function warnOfDefect(error: unknown): void {
  const defect = error instanceof Error ? error : new Error(String(error));
  if (told.has(defect)) return;
  told.add(defect);
  process.emitWarning(defect);
}
