import type { ApiExchange, ClientTraffic } from '../../harness/client/api-exchange.ts';
import { agentRules } from '../../suites/api-client/agents.ts';
import { bodyRules } from '../../suites/api-client/bodies.ts';
import { effectRules } from '../../suites/api-client/effects.ts';
import { keepingRules } from '../../suites/api-client/keeping.ts';
import { keyRules } from '../../suites/api-client/keys.ts';
import { paceRules } from '../../suites/api-client/pace.ts';
import { pathRules } from '../../suites/api-client/paths.ts';
import { refusalRules } from '../../suites/api-client/refusals.ts';
import { repetitionRules } from '../../suites/api-client/repetition.ts';
import type { ClientRule } from '../../suites/api-client/rules.ts';
import { readTraffic } from '../../suites/api-client/traffic.ts';
import { valueRules } from '../../suites/api-client/values.ts';

/** Every rule about API clients. */
export const allRules: readonly ClientRule[] = [
  ...keyRules,
  ...pathRules,
  ...bodyRules,
  ...valueRules,
  ...agentRules,
  ...repetitionRules,
  ...refusalRules,
  ...effectRules,
  ...paceRules,
  ...keepingRules,
];

/** A key that was never created. */
export const apiKey = 'svc_sk_unit_5Tg8Rb2Qx7Lm';
export const agentSecret = 'whsec_c3ZjLWNvbmZvcm0gdW5pdA==';

/** Hand-made exchanges: fields that a test does not name are those of an accepted valid request. */
export interface Sketch {
  method?: string;
  path: string;
  /** Sends a value as JSON, a string unchanged, and `undefined` as an empty body. */
  body?: unknown;
  headers?: Record<string, string>;
  key?: string;
  status?: number;
  answer?: unknown;
  answerHeaders?: [string, string][];
  /** Milliseconds since the beginning of the round; default: 100 after the one before. */
  at?: number;
  /** Milliseconds until the answer. */
  took?: number;
  round?: ApiExchange['round'];
  trouble?: ApiExchange['trouble'];
  ended?: ApiExchange['ended'];
  truncated?: boolean;
  unsentStatus?: number;
}

/** Traffic of these exchanges, in this order. */
export function traffic(...sketches: Sketch[]): ClientTraffic {
  let at = 0;
  return {
    exchanges: sketches.map((sketch) => {
      at = sketch.at ?? at + 100;
      return exchange(sketch, at);
    }),
    apiKeys: [apiKey],
    secrets: [{ name: 'agent secret', value: agentSecret }],
    skills: [skill(1, 'sales', 'forward'), skill(2, 'urgent', 'alert'), skill(3, 'workshop', 'forward')],
  };
}

export function ruleOf(requirement: string): ClientRule {
  const rule = allRules.find((one) => one.requirement === `api-client/${requirement}`);
  if (!rule) throw new RangeError(`expected a rule ${requirement}, received none`);
  return rule;
}

/**
 * The result of a rule: `nothing` without anything to judge, `holds`, `open` if it cannot be decided, or the first
 * fault as `expected …, received …`.
 */
export function verdict(requirement: string, judged: ClientTraffic): string {
  const outcomes = ruleOf(requirement).judge(readTraffic(judged));
  const fault = outcomes.find(({ finding }) => finding)?.finding;
  if (fault) return `expected ${fault.expected}, received ${fault.received}`;
  if (outcomes.some(({ open }) => open !== undefined)) return 'open';
  return outcomes.length === 0 ? 'nothing' : 'holds';
}

function skill(id: number, key: string, kind: 'forward' | 'alert') {
  return { id, key, name: key, kind, announcement: null };
}

function exchange(sketch: Sketch, at: number): ApiExchange {
  const { method = 'POST', path, body, headers = {}, key, status = 200, answer = {}, answerHeaders = [] } = sketch;
  const bytes = Buffer.from(body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body));
  const all: Record<string, string> = {
    'X-Api-Key': apiKey,
    ...(bytes.length > 0 && { 'Content-Type': 'application/json' }),
    ...(key !== undefined && { 'Idempotency-Key': key }),
    ...headers,
  };
  const { round = 'undisturbed', trouble, ended = 'answered', took = 20, truncated = false } = sketch;
  return {
    kind: 'api',
    label: path,
    startedAt: new Date('2026-10-11T08:00:00Z'),
    at,
    path,
    request: {
      method,
      url: `http://127.0.0.1:1${path}`,
      // An empty value means a header that is not sent.
      headers: Object.entries(all).filter(([, value]) => value !== ''),
      body: bytes,
    },
    truncated,
    response: { status, headers: answerHeaders, body: typeof answer === 'string' ? answer : JSON.stringify(answer) },
    round,
    serviceTimeMs: Date.parse('2026-10-11T08:00:00Z') + at,
    ...(trouble && { trouble }),
    ...(sketch.unsentStatus !== undefined && { unsentStatus: sketch.unsentStatus }),
    ended,
    endedAt: at + took,
  };
}
