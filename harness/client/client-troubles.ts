import { matchOperation, type OperationId } from '../../specs/api-operations.ts';
import type { ApiExchangeRecord, ApiTrouble } from '../../service/api/recording.ts';
import type { TroubleKind } from './api-exchange.ts';
import { isJsonObject, parseJson } from '../checks/json.ts';
import { header } from '../wire/observation.ts';

/** Milliseconds for which a slow answer is held back: longer than a client with a short patience waits. */
export const slowAnswerMs = 5_000;
/** Seconds of Retry-After: long enough to tell a client that waits, short enough for a run. */
const retryAfterSeconds = 1;

/** A trouble that a request meets. */
export type AppliedTrouble = ApiTrouble & { name: TroubleKind };

/** One trouble of an operation. */
interface Planned {
  kind: TroubleKind;
  make: (slowMs: number) => ApiTrouble;
  /** Whether the service could answer such a request so; default: always. */
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
 * What comes in the way of each operation, in this order: first what shows most. A client may make only one request of
 * an operation, so the first trouble is not the same for all. Contacts stay untroubled: mostly the rest follows from
 * them.
 */
const plan: Partial<Record<OperationId, readonly Planned[]>> = {
  sendMessage: [cut, unavailable, throttled, refused(404, 'not_found', (body) => has(body, 'contactId')), slow],
  addNote: [unavailable, cut, throttled, refused(404, 'project_not_found', (body) => has(body, 'projectId')), slow],
  logMessage: [cut, unavailable],
  runSkill: [cut, notWithAgent, unavailable],
  sendAgentReply: [notWithAgent, refused(422, 'not_deliverable', (body) => has(body, 'text'))],
};

/**
 * Milliseconds for which a request with an Idempotency-Key is held before its trouble: a copy of it that was sent at the
 * same time (hedging) arrives meanwhile on another connection, also while the machine is busy.
 */
const copyWindowMs = 200;

/** Fingerprints that are kept; a client that makes more requests than this has met every trouble. */
const keptFingerprints = 5_000;

/**
 * Decides what comes in the way of each request of a client, the same for the same requests: each trouble of an
 * operation once, and never to a request that has already met one, so that whoever tries again gets through.
 */
export class ClientTroubles {
  readonly #left: Map<OperationId, Planned[]>;
  readonly #met = new Set<string>();
  /** By fingerprint and Idempotency-Key: what copies of a request meet that arrive before its answer. */
  readonly #underWay = new Map<string, { until: number; trouble: AppliedTrouble }>();
  readonly #slowMs: number;

  constructor({ slowMs = slowAnswerMs }: { slowMs?: number } = {}) {
    this.#slowMs = slowMs;
    this.#left = new Map(Object.entries(plan).map(([id, troubles]) => [id as OperationId, [...troubles]]));
  }

  /** The trouble that an arriving request meets, its copies alike. `undefined`: none. */
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

/** What a request says, whatever its headers, layout and order. */
function fingerprintOf(
  { method, url, body: bytes }: Pick<ApiExchangeRecord, 'method' | 'url' | 'body'>,
  body: Record<string, unknown>,
): string {
  // A repetition may carry another externalId, which is for the checks to judge.
  const { externalId: _, ...rest } = body;
  const ordered = Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1));
  try {
    return JSON.stringify([method, url, ordered]);
  } catch {
    // Nested deeper than the engine can write.
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
