/** Work such as deliveries that its initiator does not wait for, but that others can wait for. */
export class InFlight {
  readonly #running = new Set<Promise<void>>();

  /** Adds work that is under way. Its failure is our defect and is reported as a warning. */
  add(work: Promise<unknown>): void {
    const kept = work.then(() => undefined, warnOfDefect).finally(() => this.#running.delete(kept));
    this.#running.add(kept);
  }

  /** Resolves once nothing is under way, including work that was started meanwhile. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** Errors already reported: everything that waits for the same work would report them again. */
const reported = new WeakSet<Error>();

/** Reports an error of unawaited work as a process warning, once; nothing is stopped. */
export function warnOfDefect(error: unknown): void {
  const defect = error instanceof Error ? error : new Error(String(error));
  if (reported.has(defect)) return;
  reported.add(defect);
  process.emitWarning(defect);
}
