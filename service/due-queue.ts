/** Something that waits for its time. */
export interface Due<T> {
  readonly at: number;
  readonly what: T;
  /** Counts up, so that what is due at the same time keeps the order in which it was added. */
  readonly nth: number;
  /** Taken back or taken off: it only waits to be passed over. */
  isGone: boolean;
}

/** Entries taken back that are kept at the least: fewer are not worth the work. */
const mostGone = 64;

/** What is due when, the earliest first: a binary heap, since there may be one entry for each of many thousand messages. */
export class DueQueue<T> {
  #heap: Due<T>[] = [];
  #added = 0;
  /** Entries of the heap that were taken back. */
  #gone = 0;

  /** Entries that are held, those that only wait to be passed over included: never many more than the others. */
  get size(): number {
    return this.#heap.length;
  }

  add(at: number, what: T): Due<T> {
    const due = { at, what, nth: this.#added++, isGone: false };
    let place = this.#heap.push(due) - 1;
    while (place > 0) {
      const parent = (place - 1) >>> 1;
      if (!this.#swapUnlessInOrder(parent, place)) break;
      place = parent;
    }
    return due;
  }

  /** Takes an entry back; without effect on one that is gone already. */
  cancel(due: Due<T>): void {
    if (due.isGone) return;
    due.isGone = true;
    this.#gone++;
    if (this.#gone <= mostGone || this.#gone <= this.#heap.length / 2) return;
    // What is in order is a heap.
    this.#heap = this.#heap.filter(({ isGone }) => !isGone).toSorted((a, b) => a.at - b.at || a.nth - b.nth);
    this.#gone = 0;
  }

  /** The earliest, which stays. */
  first(): Due<T> | undefined {
    while (this.#heap[0]?.isGone) {
      this.#drop();
      this.#gone--;
    }
    return this.#heap[0];
  }

  /** Takes the earliest off. */
  take(): Due<T> | undefined {
    const first = this.first();
    if (first) {
      this.#drop();
      first.isGone = true;
    }
    return first;
  }

  clear(): void {
    this.#heap = [];
    this.#gone = 0;
  }

  /** Takes the root off. */
  #drop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    for (let place = 0; ;) {
      const [left, right] = [2 * place + 1, 2 * place + 2];
      const earlier = this.#isBefore(right, left) ? right : left;
      if (!this.#swapUnlessInOrder(place, earlier)) return;
      place = earlier;
    }
  }

  #isBefore(one: number, other: number): boolean {
    const [a, b] = [this.#heap[one], this.#heap[other]];
    if (!a || !b) return false;
    return a.at < b.at || (a.at === b.at && a.nth < b.nth);
  }

  #swapUnlessInOrder(parent: number, child: number): boolean {
    const [a, b] = [this.#heap[parent], this.#heap[child]];
    if (!a || !b || !this.#isBefore(child, parent)) return false;
    this.#heap[parent] = b;
    this.#heap[child] = a;
    return true;
  }
}
