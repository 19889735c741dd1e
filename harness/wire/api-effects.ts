import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { header, type Arrival } from './observation.ts';
import { parseJson } from '../checks/json.ts';
import { apiOperations } from '../../specs/api-operations.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** Maximum number of effects kept; more than a run of this size has. */
const maxKept = 5_000;

/** Converts an exchange of API v1 into an arrival, for evidence. `baseUrl` is that of the service. */
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

/** Something that a request of the endpoint created in the simulated service: a note, a message, an appointment … */
export interface ApiEffect {
  /** Method, path and body. */
  signature: string;
  /** The same without what may differ in a repetition: equal contents mean a repeated effect. */
  content: string;
  /** Its Idempotency-Key, if the service processes requests with the same key once. */
  key: string | undefined;
  arrival: Arrival;
}

/** The effect of an exchange; also of one whose answer was ready and not sent. `undefined` if it changed nothing. */
export function effectOf(record: ApiExchangeRecord, baseUrl: string): ApiEffect | undefined {
  const { operation, method, url, response, unsentStatus } = record;
  const status = response === 'cut' ? unsentStatus : response.status;
  // 200 means an existing contact or message, except for a skill, which runs each time.
  const isNew = status === 201 || status === 202 || (operation === 'runSkill' && status === 200);
  if (operation === undefined || !isNew) return undefined;
  const body = parseJson(record.body);
  const describe = (value: unknown) => `${method} ${url} ${'error' in body ? '' : inOneOrder(value)}`;
  const value = 'error' in body ? undefined : body.value;
  return {
    signature: describe(value),
    content: describe(withoutIds(value)),
    key: 'idempotent' in apiOperations[operation] ? header(record, 'idempotency-key') : undefined,
    arrival: apiArrival(record, baseUrl),
  };
}

/** Effects of the endpoint in the simulated service, which its own state may not show. */
export class ApiEffects {
  readonly #effects: ApiEffect[] = [];
  readonly #keys = new Set<string>();

  /** Adds an exchange, unless it changed nothing. */
  add(record: ApiExchangeRecord, baseUrl: string): void {
    if (record.response === 'cut' || this.#effects.length >= maxKept) return;
    const effect = effectOf(record, baseUrl);
    if (effect && !this.#isReplayed(record, effect)) this.#effects.push(effect);
  }

  /** The effects after the first `count`. */
  after(count: number): readonly ApiEffect[] {
    return this.#effects.slice(count);
  }

  get count(): number {
    return this.#effects.length;
  }

  /** A repeated Idempotency-Key is answered from memory without an effect (interface: Limits). */
  #isReplayed({ operation }: ApiExchangeRecord, { key }: ApiEffect): boolean {
    if (key === undefined) return false;
    const known = `${operation ?? ''} ${key}`;
    if (this.#keys.has(known)) return true;
    this.#keys.add(known);
    return false;
  }
}

/** Fields of a request that mark a repetition, or state its time: one that is made anew each time marks nothing. */
function withoutIds(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const { externalId: _, occurredAt: __, ...content } = value;
  return content;
}

/** Serialises a JSON value with sorted fields. */
function inOneOrder(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
