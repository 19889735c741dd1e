/** Well past the 5 minutes within which the service may still send the same event again. */
const REMEMBER_MS = 60 * 60 * 1000;
const MAX_ENTRIES = 10_000;

interface Entry<T> {
  outcome: Promise<T>;
  since: number;
}

export interface SeenOnceOptions {
  rememberMs?: number;
  maxEntries?: number;
  /** Milliseconds; a clock that tests can set. */
  now?: () => number;
}

/**
 * Runs the work for a key once and gives all callers the same outcome, including those that ask while it runs. It keeps
 * promises and not results: between "not seen yet" and "done", a second delivery would slip through.
 *
 * With several processes behind one address, this belongs in a shared store (a unique key in your database).
 */
export class SeenOnce<T> {
  // A Map keeps the order of insertion, so the oldest entries are always in front.
  readonly #entries = new Map<string, Entry<T>>();
  readonly #rememberMs: number;
  readonly #maxEntries: number;
  readonly #now: () => number;

  constructor({ rememberMs = REMEMBER_MS, maxEntries = MAX_ENTRIES, now = Date.now }: SeenOnceOptions = {}) {
    this.#rememberMs = rememberMs;
    this.#maxEntries = maxEntries;
    this.#now = now;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** `first` is true for the caller whose work ran. Failed work is forgotten, so that a redelivery can fix it. */
  run(key: string, work: () => Promise<T>): { outcome: Promise<T>; first: boolean } {
    this.#forgetOld();
    const known = this.#entries.get(key);
    if (known !== undefined) return { outcome: known.outcome, first: false };

    const entry: Entry<T> = { outcome: work(), since: this.#now() };
    this.#entries.set(key, entry);
    entry.outcome.catch(() => {
      if (this.#entries.get(key) === entry) this.#entries.delete(key);
    });
    while (this.#entries.size > this.#maxEntries) this.#dropOldest();
    return { outcome: entry.outcome, first: true };
  }

  #forgetOld(): void {
    const limit = this.#now() - this.#rememberMs;
    for (const { since } of this.#entries.values()) {
      if (since > limit) return;
      this.#dropOldest();
    }
  }

  #dropOldest(): void {
    for (const key of this.#entries.keys()) {
      this.#entries.delete(key);
      return;
    }
  }
}
