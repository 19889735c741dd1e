import { matchOperation } from '../../specs/api-operations.ts';
import { Brand } from '../../specs/brand.ts';
import { problems } from '../../specs/api-problems.ts';
import { apiKeyOf } from '../wire/agent-replies.ts';
import { isSuccess } from '../wire/answer-status.ts';
import type { ApiExchange, ClientTraffic } from '../client/api-exchange.ts';
import { parseJson } from '../checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Answered, Arrival } from '../wire/observation.ts';
import { secretsOf, type ResolvedConfig } from '../config/settings.ts';
import { isComplete, type CapturedExchange } from './captured-exchange.ts';
import { isHidden } from './credential-state.ts';

/** Converts a recorded request to the service. Times are Unix milliseconds. */
export function toArrival(exchange: CapturedExchange, kind: 'callback', label: string): Arrival;
export function toArrival(exchange: CapturedExchange, kind: 'api', label: string): Arrival & { kind: 'api' };
export function toArrival(exchange: CapturedExchange, kind: Arrival['kind'], label: string): Arrival {
  const { request, requestBody, answer, answerBody, startedAt } = exchange;
  return {
    kind,
    label,
    startedAt,
    at: startedAt.getTime(),
    request,
    truncated: !isComplete(requestBody),
    response:
      answer.outcome === 'answered'
        ? {
            status: answer.status,
            headers: answer.headers,
            body: isComplete(answerBody) ? Buffer.from(answerBody.bytes).toString('utf8') : '',
          }
        : { status: 0, headers: [], body: '' },
  };
}

/** The requests of a client to the API, as input of the client rules; `undefined` without any. */
export function apiTraffic(
  requests: readonly { exchange: CapturedExchange; base: string }[],
  config: ResolvedConfig,
): ClientTraffic | undefined {
  if (requests.length === 0) return undefined;
  const areKeysShown = requests.some(({ exchange }) => apiKeyOf(exchange.request) !== undefined);
  return {
    exchanges: requests.map(({ exchange, base }) => apiExchange(exchange, base, areKeysShown)),
    apiKeys: keysNotRefused(requests, config.service.apiKey),
    keyPrefix: Brand.named(config.brand).keyPrefix,
    secrets: secretsOf(config),
    skills: config.skills,
  };
}

/**
 * The configured key belongs to the simulated service, and the recorded service may know other keys: only a key that
 * was always rejected is wrong. Without a configured key none is judged.
 */
function keysNotRefused(requests: readonly { exchange: CapturedExchange }[], configured: string | undefined): string[] {
  if (configured === undefined) return [];
  const others = requests.flatMap(({ exchange: { request, answer } }) => {
    const key = apiKeyOf(request);
    const isRefused = answer.outcome === 'answered' && answer.status === 401;
    return key === undefined || isRefused || isHidden(key) ? [] : [key];
  });
  return [...new Set([configured, ...others])];
}

function apiExchange(exchange: CapturedExchange, base: string, areKeysShown: boolean): ApiExchange {
  const { request, answer, startedAt, times } = exchange;
  const path = request.url.slice(base.length);
  const matched = matchOperation(request.method, path.split(/[?#]/, 1)[0] ?? '');
  const label = matched && 'id' in matched ? matched.id : 'a request to API v1';
  const at = startedAt.getTime();
  return {
    ...toArrival(exchange, 'api', label),
    path,
    round: 'undisturbed',
    serviceTimeMs: at,
    ended: answer.outcome === 'answered' ? 'answered' : 'cut',
    // The answer came after the request, even if its time is unknown.
    endedAt: at + Math.max(1, times.totalMs ?? 1),
    ...(isKeyHidden(exchange, areKeysShown) && { credentials: 'hidden' as const }),
  };
}

/** A request that the service accepted had a key, whether the recording shows it or not. */
function isKeyHidden({ request, answer }: CapturedExchange, areKeysShown: boolean): boolean {
  const key = apiKeyOf(request);
  if (key !== undefined) return isHidden(key);
  if (!areKeysShown) return true;
  if (answer.outcome !== 'answered') return false;
  return isSuccess(answer.status) || impliesKey(answer);
}

/** Problems with these codes concern the contents of an inbox, so the key was valid. */
function impliesKey({ status, body }: Answered): boolean {
  const parsed = parseJson(body);
  const code = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value.title : undefined;
  return Object.entries(problems).some(
    ([title, problem]) => problem.named && title === code && problem.status === status,
  );
}
