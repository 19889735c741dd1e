import type { JsonObject } from './json.ts';
import { asInteger, asText } from './json.ts';

export type Change = 'kept' | 'older than what is known' | 'not an appointment';

/** Replace it with your calendar: the newest known state of each appointment. */
export class AppointmentBook {
  readonly #byId = new Map<number, JsonObject>();

  /**
   * Events can arrive in another order than they happened, so the newest `updatedAt` wins, not the last arrival. With a
   * database, make the comparison part of the update (`... WHERE updated_at <= $1`): another delivery may arrive
   * between a read and a write.
   */
  keep(appointment: JsonObject): Change {
    const id = asInteger(appointment['id']);
    if (id === undefined) return 'not an appointment';
    const known = this.#byId.get(id);
    if (known !== undefined && updatedAt(known) > updatedAt(appointment)) return 'older than what is known';
    this.#byId.set(id, appointment);
    return 'kept';
  }

  state(): JsonObject[] {
    return [...this.#byId.values()].map(({ id, externalId, status, title, start, updatedAt }) => ({
      id,
      externalId,
      status,
      title,
      start,
      updatedAt,
    }));
  }
}

function updatedAt(appointment: JsonObject): number {
  const at = asText(appointment['updatedAt']);
  return at === undefined ? -Infinity : utcMilliseconds(at);
}

/** Timestamps of the interface have no zone and mean UTC, but `Date` would read them as local time. */
function utcMilliseconds(timestamp: string): number {
  const hasZone = /(?:z|[+-]\d\d:?\d\d)$/i.test(timestamp);
  const milliseconds = Date.parse(hasZone ? timestamp : `${timestamp}Z`);
  return Number.isNaN(milliseconds) ? -Infinity : milliseconds;
}
