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
  if (!isJsonContainer(event)) return [];
  let records = recordsOfEvents.get(event);
  if (!records) recordsOfEvents.set(event, (records = findRecords(event)));
  return records;
}

const recordsOfEvents = new WeakMap<object, readonly string[]>();

function findRecords(event: object): readonly string[] {
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

  /** Whether none of these records is in use. */
  areFree(records: readonly string[]): boolean {
    return !records.some((record) => this.#used.has(record));
  }

  /** Waits until none of these records is in use, and uses them until the result is disposed of. */
  async take(records: readonly string[]): Promise<Disposable> {
    while (!this.areFree(records)) await this.#released.promise;
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
