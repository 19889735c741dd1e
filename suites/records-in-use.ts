import { isJsonContainer } from '../specs/json-object.ts';
import { withOwnKeys } from './own-keys.ts';

/** Fields that name a record, wherever they are in an event, and the kind of record. */
const kindOf: Readonly<Record<string, string>> = {
  agentId: 'agent',
  contactId: 'contact',
  svcContactId: 'contact',
  projectId: 'project',
  svcProjectId: 'project',
};

/** Ids up to this one are alike: each has one byte, however it is stored. */
const largestSmallId = 127;

/** The event with other ids: those that `idOf` returns for the records that it is about. */
function withRecordIds(event: unknown, idOf: (kind: string, id: number) => number): unknown {
  const visit = (value: unknown, within: string): unknown => {
    if (!isJsonContainer(value)) return value;
    if (Array.isArray(value)) return value.map((item) => visit(item, ''));
    const fields = Object.entries(value).map(([name, field]) => {
      const kind = kindOf[name] ?? (name === 'id' && within !== '' ? within : undefined);
      if (kind !== undefined && Number.isSafeInteger(field)) return [name, idOf(kind, field as number)];
      if (name === 'history' || name === 'skills') return [name, field];
      return [name, visit(field, name === 'appointmentData' ? 'data' : name)];
    });
    return Object.fromEntries(fields) as unknown;
  };
  return visit(event, 'event');
}

function keyOf(kind: string, id: number): string {
  return `${kind} ${String(id)}`;
}

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
  withRecordIds(event, (kind, id) => {
    records.add(keyOf(kind, id));
    return id;
  });
  return [...records];
}

/**
 * The events, each about other records than those before it, so that none waits for another at an endpoint that answers
 * slowly. The first event about a record keeps its id; later ones get the nearest id of as many bits, which tests the
 * same.
 */
export function aboutDifferentRecords<Event>(events: readonly Event[]): Event[] {
  const used = new Set<string>();
  const owners = new Map<string, string>();
  return events.map((event) => {
    const own = new Map<string, number>();
    const firstOf = new Map<string, string>();
    const changed = withRecordIds(event, (kind, id) => {
      const key = keyOf(kind, id);
      const other = own.get(key) ?? nearestFree(id, (near) => !used.has(keyOf(kind, near)));
      own.set(key, other);
      used.add(keyOf(kind, other));
      if (!firstOf.has(kind)) firstOf.set(kind, keyOf(kind, other));
      return other;
    });
    return withOwnKeys(changed, (kind) => firstOf.get(kind), owners) as Event;
  });
}

/** The nearest id of as many bits that is free; `id` itself if none near it is, and for other numbers. */
export function nearestFree(id: number, isFree: (id: number) => boolean): number {
  if (bitsOf(id) === 0) return id;
  for (let distance = 0; distance <= largestSmallId; distance++) {
    const near = [id - distance, id + distance].find((other) => bitsOf(other) === bitsOf(id) && isFree(other));
    if (near !== undefined) return near;
  }
  return id;
}

/** Bits of an id; 0 for other numbers. */
function bitsOf(id: number): number {
  return id > 0 && Number.isSafeInteger(id) ? Math.max(id, largestSmallId).toString(2).length : 0;
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
