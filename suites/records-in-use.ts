import { isJsonContainer } from '../specs/json-object.ts';

/** Fields that name a record, wherever they are in an event, and the kind of record. */
const kindOf: Readonly<Record<string, string>> = {
  agentId: 'agent',
  contactId: 'contact',
  svcContactId: 'contact',
  projectId: 'project',
  svcProjectId: 'project',
};

/**
 * Records that an event is about: contacts, projects, assistants, appointments. While it is handled, API v1 must have the
 * data of this event, so no other event about them is sent meanwhile.
 */
export function recordsOf(event: unknown): readonly string[] {
  const records = new Set<string>();
  const visit = (value: unknown, within: string): void => {
    if (!isJsonContainer(value)) return;
    for (const [name, field] of Object.entries(value)) {
      if (Number.isSafeInteger(field)) {
        const kind = kindOf[name] ?? (name === 'id' && !Array.isArray(value) ? within : undefined);
        if (kind !== undefined) records.add(`${kind} ${String(field)}`);
      }
      if (name !== 'history' && name !== 'skills') visit(field, name === 'appointmentData' ? 'data' : name);
    }
  };
  visit(event, 'event');
  return [...records];
}

/** The records that events in flight are about. */
export class RecordsInUse {
  readonly #used = new Set<string>();
  #released = Promise.withResolvers<void>();

  /**
   * Takes the first of the waiting events that is about no record in use, as soon as there is one, and uses its records
   * until `use` is disposed of. `undefined` when no event is left.
   */
  async takeFirst<Waiting extends { records: readonly string[] }>(
    waiting: Waiting[],
  ): Promise<(Waiting & { use: Disposable }) | undefined> {
    while (waiting.length > 0) {
      const at = waiting.findIndex(({ records }) => records.every((record) => !this.#used.has(record)));
      const [first] = at < 0 ? [] : waiting.splice(at, 1);
      if (first) return { ...first, use: this.#use(first.records) };
      await this.#released.promise;
    }
    return undefined;
  }

  #use(records: readonly string[]): Disposable {
    for (const record of records) this.#used.add(record);
    return {
      [Symbol.dispose]: () => {
        for (const record of records) this.#used.delete(record);
        this.#released.resolve();
        this.#released = Promise.withResolvers();
      },
    };
  }
}
