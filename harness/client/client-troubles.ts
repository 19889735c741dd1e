import { matchOperation, type OperationId } from '../../specs/api-operations.ts';
import type { ApiExchangeRecord, ApiTrouble } from '../../service/api/install-recording.ts';
import type { TroubleKind } from './api-exchange.ts';
import { parseJson } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { header } from '../wire/observation.ts';

/** Delay of a slow answer in milliseconds: longer than the timeout of impatient clients. */
export const slowAnswerMs = 5_000;
/** Seconds of Retry-After: long enough to detect a client that waits, short enough for a run. */
const retryAfterSeconds = 1;

/** A trouble applied to a request. */
export type AppliedTrouble = ApiTrouble & { name: TroubleKind };

interface Planned {
  kind: TroubleKind;
  make: (slowMs: number) => ApiTrouble;
  /** Whether the service could give this answer to such a request; default: always. */
  fits?: (body: Readonly<Record<string, unknown>>) => boolean;
}

const cut: Planned = { kind: 'cut', make: () => ({ kind: 'cut-after' }) };
const slow: Planned = { kind: 'slow', make: (ms) => ({ kind: 'slow', ms }) };
const unavailable: Planned = { kind: 'unavailable', make: () => ({ kind: 'answer-instead', status: 503 }) };
const throttled: Planned = {
  kind: 'throttled',
  make: () => ({ kind: 'answer-instead', status: 429, code: 'rate_limited', retryAfterSeconds }),
};
const notWithAgent = refused(409, 'project_not_with_agent');

/**
 * Troubles of each operation, most informative first. A client may make only one request of an operation, so the first
 * trouble varies. Contacts have none, because most other requests depend on them.
 */
const plan: Partial<Record<OperationId, readonly Planned[]>> = {
  sendMessage: [cut, unavailable, throttled, refused(404, 'not_found', (body) => has(body, 'contactId')), slow],
  addNote: [unavailable, cut, throttled, refused(404, 'project_not_found', (body) => has(body, 'projectId')), slow],
  logMessage: [cut, unavailable],
  runSkill: [cut, notWithAgent, unavailable],
  sendAgentReply: [notWithAgent, refused(422, 'not_deliverable', (body) => has(body, 'text'))],
};

/**
 * Milliseconds for which a request with an Idempotency-Key is delayed before its trouble: a concurrent copy of it
 * (hedging) arrives on another connection in this time, even on a busy machine.
 */
const copyWindowMs = 200;

/** Maximum number of fingerprints; a client with more requests has met every trouble. */
const keptFingerprints = 5_000;

/**
 * Chooses the trouble of each request, deterministically: each trouble of an operation once, and never for a request
 * that has already met one, so that retries succeed.
 */
export class ClientTroubles {
  readonly #left: Map<OperationId, Planned[]>;
  readonly #met = new Set<string>();
  /** Troubles by fingerprint and Idempotency-Key, for copies of a request that arrive before its answer. */
  readonly #underWay = new Map<string, { until: number; trouble: AppliedTrouble }>();
  readonly #slowMs: number;

  constructor({ slowMs = slowAnswerMs }: { slowMs?: number } = {}) {
    this.#slowMs = slowMs;
    this.#left = new Map(Object.entries(plan).map(([id, troubles]) => [id as OperationId, [...troubles]]));
  }

  /** The trouble of an arriving request, the same for its copies; `undefined`: none. */
  meet(
    request: Pick<ApiExchangeRecord, 'method' | 'url' | 'body'> & Partial<Pick<ApiExchangeRecord, 'headers' | 'at'>>,
  ): AppliedTrouble | undefined {
    const matched = matchOperation(request.method, request.url.split('?', 1)[0] ?? '');
    const left = matched && 'id' in matched ? this.#left.get(matched.id) : undefined;
    if (!left || left.length === 0 || this.#met.size >= keptFingerprints) return undefined;
    const parsed = parseJson(request.body);
    const body = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {};
    const fingerprint = fingerprintOf(request, body);
    const { headers = [], at: now = 0 } = request;
    const key = header({ headers }, 'idempotency-key');
    const copied = key === undefined ? undefined : this.#underWay.get(`${fingerprint} ${key}`);
    if (copied && now <= copied.until) return copied.trouble;
    if (this.#met.has(fingerprint)) return undefined;
    const at = left.findIndex(({ fits }) => fits?.(body) ?? true);
    const [next] = at < 0 ? [] : left.splice(at, 1);
    if (!next) return undefined;
    this.#met.add(fingerprint);
    const trouble: AppliedTrouble = { ...next.make(this.#slowMs), name: next.kind };
    if (key === undefined) return trouble;
    const met = trouble.kind === 'slow' ? trouble : { ...trouble, afterMs: copyWindowMs };
    const until = now + (met.kind === 'slow' ? met.ms : copyWindowMs);
    this.#underWay.set(`${fingerprint} ${key}`, { until, trouble: met });
    return met;
  }
}

/** Identifies a request by its content, regardless of headers, layout and field order. */
function fingerprintOf(
  { method, url, body: bytes }: Pick<ApiExchangeRecord, 'method' | 'url' | 'body'>,
  body: Record<string, unknown>,
): string {
  // A repetition may have another externalId, which the checks judge.
  const { externalId: _, ...rest } = body;
  const ordered = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  try {
    return JSON.stringify([method, url, ordered]);
  } catch {
    // Nested too deeply for JSON.stringify.
    return `${method} ${url} ${Buffer.from(bytes).toString()}`;
  }
}

function refused(
  status: 404 | 409 | 422,
  code: 'not_found' | 'project_not_found' | 'project_not_with_agent' | 'not_deliverable',
  fits?: Planned['fits'],
): Planned {
  return { kind: 'refused', make: () => ({ kind: 'answer-instead', status, code }), ...(fits && { fits }) };
}

function has(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const within = isJsonObject(body.target) ? body.target[name] : undefined;
  return (body[name] ?? within ?? '') !== '';
}
