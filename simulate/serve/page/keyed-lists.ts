import type { Markup } from '../../../reports/write/html/markup.ts';

/** An item of a list on the page. */
export interface KeyedItem {
  /** Identifies the item in its list. */
  key: string;
  /** One element. */
  item: Markup;
}

/** A list as the script of the page applies it. */
export interface ListChange {
  /** The keys of all items, in order. */
  order: readonly string[];
  /** The markup of the items that are new or have changed. */
  changed: Readonly<Record<string, string>>;
}

/** The lists of a live page, with the revision in which each item last changed, so that only changes are sent. */
export class KeyedLists {
  readonly #lists = new Map<string, Map<string, { source: string; revision: number }>>();
  #revision = 0;

  /** Counts up with each change. */
  get revision(): number {
    return this.#revision;
  }

  /** Sets the items of a list. */
  update(name: string, items: readonly KeyedItem[]): void {
    const before = this.#lists.get(name);
    const next = items.map(({ key, item: { source } }) => {
      const known = before?.get(key);
      if (known?.source === source) return [key, known] as const;
      this.#revision += 1;
      return [key, { source, revision: this.#revision }] as const;
    });
    this.#lists.set(name, new Map(next));
  }

  /** Every list with what has changed after a revision. */
  changesSince(revision: number): Readonly<Record<string, ListChange>> {
    const changes = [...this.#lists].map(([name, items]) => {
      const changed = [...items].filter(([, item]) => item.revision > revision);
      const markup = Object.fromEntries(changed.map(([key, { source }]) => [key, source]));
      return [name, { order: [...items.keys()], changed: markup }] as const;
    });
    return Object.fromEntries(changes);
  }
}
