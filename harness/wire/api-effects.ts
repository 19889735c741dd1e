import type { ApiExchangeRecord } from '../../service/api/recording.ts';
import { header, type Arrival } from './observation.ts';
import { parseJson } from '../checks/json.ts';

/** Exchanges at API v1 that are kept; more than a run of this size has. */
const maxKept = 5_000;

/** An exchange at API v1 as an arrival, for evidence. `baseUrl` is that of the service. */
export function apiArrival(record: ApiExchangeRecord, baseUrl: string): Arrival {
  const { startedAt, at, method, url, headers, body, truncated, operation, response } = record;
  return {
    kind: 'api',
    label: operation ?? 'a request to API v1',
    startedAt,
    at,
    request: { method, url: baseUrl + url, headers, body },
    truncated,
    response: response === 'cut' ? { status: 0, headers: [], body: '' } : response,
  };
}

/** Something that a request of the endpoint made new in the simulated service: a note, a message, an appointment … */
export interface ApiEffect {
  /** Method, path and body: the same twice is the same done twice. */
  signature: string;
  arrival: Arrival;
}

/** What the endpoint has done in the simulated service: effects that its own state need not show. */
export class ApiEffects {
  readonly #effects: ApiEffect[] = [];
  readonly #keys = new Set<string>();

  /** Books an exchange; what changed nothing is not an effect. */
  add(record: ApiExchangeRecord, baseUrl: string): void {
    const { operation, method, url, response } = record;
    if (operation === undefined || response === 'cut' || this.#effects.length >= maxKept) return;
    // 200 is a contact or message that was there already; a skill is run again each time.
    const isNew =
      response.status === 201 || response.status === 202 || (operation === 'runSkill' && response.status === 200);
    if (!isNew || this.#isReplayed(record)) return;
    const body = parseJson(record.body);
    const signature = `${method} ${url} ${'error' in body ? '' : inOneOrder(body.value)}`;
    this.#effects.push({ signature, arrival: apiArrival(record, baseUrl) });
  }

  /** The effects after the first `count` ones. */
  after(count: number): readonly ApiEffect[] {
    return this.#effects.slice(count);
  }

  get count(): number {
    return this.#effects.length;
  }

  /** The same Idempotency-Key again is answered from memory, and nothing happens (interface: Limits). */
  #isReplayed({ operation, headers }: ApiExchangeRecord): boolean {
    const key = header({ headers }, 'idempotency-key');
    if (key === undefined) return false;
    const known = `${operation ?? ''} ${key}`;
    if (this.#keys.has(known)) return true;
    this.#keys.add(known);
    return false;
  }
}

/** A JSON value as text, the fields of each object in one order. */
function inOneOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
