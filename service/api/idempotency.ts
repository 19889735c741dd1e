import { hash } from 'node:crypto';
import { limits } from '../../specs/limits.ts';
import { Problem } from '../problem.ts';
import type { ApiResult } from './handler.ts';
import { isJsonObject } from '../../specs/json-object.ts';

const lifeMs = limits.idempotencyKeyHours * 3_600_000;
/** Characters of an Idempotency-Key (assumption idempotency-key-form). */
const longestKey = 255;

interface Kept {
  fingerprint: string;
  until: number;
  /** The result; `undefined` while the request is being processed. */
  outcome: ApiResult | Problem | undefined;
}

/** A request that carries an Idempotency-Key. */
export interface KeyedRequest {
  apiKey: string;
  idempotencyKey: string;
  method: string;
  path: string;
  body: unknown;
}

/**
 * Processes the same request with the same Idempotency-Key once within 24 hours of the service's clock, and repeats the
 * answer (interface: Limits).
 */
export class Idempotency {
  readonly #now: () => number;
  /** By API key, then by Idempotency-Key; the ones that expire first come first. */
  readonly #kept = new Map<string, Map<string, Kept>>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /**
   * The result of `process`, or the earlier one. Throws the same errors, and {@link Problem} idempotency_key_reused for
   * another request, idempotency_key_in_use while the first is being processed. An error that is not a {@link Problem}
   * is our defect and is not kept.
   */
  run(request: KeyedRequest, process: () => ApiResult | Promise<ApiResult>): ApiResult | Promise<ApiResult> {
    const { idempotencyKey } = request;
    if (idempotencyKey === '' || idempotencyKey.length > longestKey) {
      throw new Problem(
        'invalid_request',
        `expected an Idempotency-Key of 1 to ${longestKey} characters, received one of ${idempotencyKey.length}`,
      );
    }
    const kept = this.#ofApiKey(request.apiKey);
    const fingerprint = fingerprintOf(request);
    const known = kept.get(idempotencyKey);
    if (known) {
      if (known.fingerprint !== fingerprint) throw new Problem('idempotency_key_reused');
      if (known.outcome === undefined) throw new Problem('idempotency_key_in_use');
      if (known.outcome instanceof Problem) throw known.outcome;
      return known.outcome;
    }
    const entry: Kept = { fingerprint, until: this.#now() + lifeMs, outcome: undefined };
    kept.set(idempotencyKey, entry);
    const keep = (result: ApiResult) => (entry.outcome = result);
    const fail = (error: unknown): never => {
      if (error instanceof Problem) entry.outcome = error;
      else kept.delete(idempotencyKey);
      throw error;
    };
    try {
      const result = process();
      return result instanceof Promise ? result.then(keep, fail) : keep(result);
    } catch (error) {
      return fail(error);
    }
  }

  /** Kept results of an API key, without expired ones. */
  #ofApiKey(apiKey: string): Map<string, Kept> {
    const kept = this.#kept.get(apiKey) ?? new Map<string, Kept>();
    this.#kept.set(apiKey, kept);
    const now = this.#now();
    for (const [key, { until }] of kept) {
      if (until > now) break;
      kept.delete(key);
    }
    return kept;
  }
}

function fingerprintOf({ method, path, body }: KeyedRequest): string {
  return hash('sha256', `${method} ${path} ${inOneOrder(body)}`, 'base64');
}

/** JSON text of a value with the fields of each object in a fixed order. */
function inOneOrder(value: unknown): string {
  if (value === undefined) return '';
  return JSON.stringify(value, (_, inner: unknown) =>
    isJsonObject(inner) ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1))) : inner,
  );
}
