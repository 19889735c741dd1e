import { isJsonContainer } from '../specs/json-object.ts';

/** Fields that name a record, wherever they are in an event, and the kind of record. */
const kindOf: Readonly<Record<string, string>> = {
  agentId: 'agent',
  contactId: 'contact',
  svcContactId: 'contact',
  projectId: 'project',
  svcProjectId: 'project',
};

/** Ids up to this one are alike: each has one byte, however it is stored. */
const smallId = 64;

/** The id of a record in an event. */
interface EventRecord {
  kind: string;
  id: number;
}

/** The event with the id that `idOf` returns for each record that it is about, in place of the one it has. */
function withRecords(event: unknown, idOf: (record: EventRecord) => number): unknown {
  const visit = (value: unknown, within: string): unknown => {
    if (!isJsonContainer(value)) return value;
    if (Array.isArray(value)) return value.map((item) => visit(item, within));
    const fields = Object.entries(value).map(([name, field]) => {
      const kind = kindOf[name] ?? (name === 'id' ? within : undefined);
      if (kind !== undefined && Number.isSafeInteger(field)) return [name, idOf({ kind, id: field as number })];
      if (name === 'history' || name === 'skills') return [name, field];
      return [name, visit(field, name === 'appointmentData' ? 'data' : name)];
    });
    return Object.fromEntries(fields) as unknown;
  };
  return visit(event, 'event');
}

/**
 * The records that events in flight are about: contacts, projects, assistants, appointments. While an event is handled,
 * API v1 must have its data, and an endpoint may lock the record.
 */
export class RecordsInUse {
  readonly #used = new Set<string>();

  /**
   * An event that is about no record in use: those of an event in flight get the nearest free id of as many bits, which
   * tests the same. Its records are in use until the result is disposed of.
   */
  take<Event>(event: Event): Disposable & { readonly event: Event } {
    const ids = new Map<string, number>();
    const taken: string[] = [];
    const own = withRecords(event, ({ kind, id }) => {
      const known = ids.get(keyOf(kind, id));
      if (known !== undefined) return known;
      const free = this.#nearestFree(kind, id);
      ids.set(keyOf(kind, id), free);
      this.#used.add(keyOf(kind, free));
      taken.push(keyOf(kind, free));
      return free;
    });
    return {
      event: own as Event,
      [Symbol.dispose]: () => {
        for (const record of taken) this.#used.delete(record);
      },
    };
  }

  #nearestFree(kind: string, id: number): number {
    for (let distance = 0; distance < smallId; distance++) {
      const near = [id + distance, id - distance].find(
        (other) => bitsOf(other) === bitsOf(id) && !this.#used.has(keyOf(kind, other)),
      );
      if (near !== undefined) return near;
    }
    return id;
  }
}

function keyOf(kind: string, id: number): string {
  return `${kind} ${id}`;
}

/** Bits of an id; negative for a negative one. */
function bitsOf(id: number): number {
  return Math.sign(id) * Math.max(Math.abs(id), smallId).toString(2).length;
}
