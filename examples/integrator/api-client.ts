import { setTimeout as delay } from 'node:timers/promises';

import { asObject, asText } from './json.ts';
import { Pace } from './pace.ts';

/** Why it is safe to repeat a request whose outcome is unknown. */
export type Repeat =
  /** The service recognises it by this Idempotency-Key for 24 hours: one key per intent, not per attempt. */
  | { idempotencyKey: string }
  /** Repeating it changes nothing: reading, upserting, logging with an externalId. */
  | 'harmless'
  /** Nothing. After a lost answer a person or an event has to confirm whether it was done. */
  | 'never';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, `/v1` included. Put ids through `encodeURIComponent`, and no secrets here at all. */
  path: string;
  body?: Record<string, unknown>;
  repeat: Repeat;
}

/**
 * How a request failed. `refused`: not done, and a repetition would be refused too. `postponed`: not done, and it may
 * be tried again later. `unknown`: it may have been done.
 */
export type Ending = 'refused' | 'postponed' | 'unknown';

/** The message contains no secrets and nothing from outside, so it may go into a log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly ending: Ending;
  /** The service's explanation, for people. It comes from outside: escape it for wherever you show it. */
  readonly detail: string | undefined;

  constructor(ending: Ending, message: string, detail?: string) {
    super(`${ending}: ${message}`);
    this.ending = ending;
    this.detail = detail;
  }
}

export interface ApiClientOptions {
  /** Without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /**
   * Requests in any minute. Default 50 of the 60 that a key has: other users of the key count as well, such as agent
   * replies.
   */
  perMinute?: number;
  /** Milliseconds for one attempt. */
  timeoutMs?: number;
  /** Attempts at one request. */
  attempts?: number;
  /** Milliseconds on a clock that is never set back, and waiting on it; for tests. */
  now?: () => number;
  wait?: (ms: number) => Promise<unknown>;
}

const REQUESTS_PER_MINUTE = 50;
const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_PAUSE_MS = 250;
/** If the service asks for a longer pause than this, the rest waits for the next run. */
const LONGEST_PAUSE_MS = 70_000;

/** Node's codes for a request that was never sent. */
const NOBODY_REACHED = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
]);
/** The one 409 that says that nothing ran (interface: Errors). */
const NOTHING_RAN = 'project_not_with_agent';

/** A failed attempt. */
interface Failure {
  problem: string;
  /** `nobody` was reached, so nothing was processed. */
  status: number | 'nobody' | 'no answer';
  code?: string | undefined;
  detail?: string | undefined;
  /** The pause that the service asks for. */
  pauseMs?: number | undefined;
}

/**
 * Calls API v1: sends the key in a header and nowhere else, keeps to the rate of the key, repeats a message, note or
 * skill under its first Idempotency-Key, pauses as long as the service asks, and never repeats a request that was
 * refused or may have been done. Interface: API v1; Errors; Limits.
 */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #attempts: number;
  readonly #wait: (ms: number) => Promise<unknown>;
  readonly #pace: Pace;

  /** @throws when the address or the key cannot be used */
  constructor(options: ApiClientOptions) {
    const { perMinute = REQUESTS_PER_MINUTE, now, wait = delay } = options;
    this.#baseUrl = checkedBaseUrl(options.baseUrl);
    this.#apiKey = checkedKey(options.apiKey);
    this.#timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.#attempts = options.attempts ?? ATTEMPTS;
    this.#wait = wait;
    this.#pace = new Pace({ perMinute, wait, ...(now !== undefined && { now }) });
  }

  /**
   * @returns the answer's JSON; `undefined` when it has no body
   * @throws ApiError
   */
  async send(request: ApiRequest): Promise<unknown> {
    let mayBeDone = false;
    for (let attempt = 1; ; attempt++) {
      await this.#pace.turn();
      const outcome = await this.#attempt(request);
      if ('answer' in outcome) return outcome.answer;
      const { problem, status, code, detail } = outcome;

      if (isRefusal(status)) {
        // The first attempt may still be under way. Its key returns the answer a little later.
        if (mayBeDone && status === 409 && code !== NOTHING_RAN) throw new ApiError('unknown', problem, detail);
        // The key was refused, not the request; the interface does not show the status for that either.
        if (status === 401) throw new ApiError(mayBeDone ? 'unknown' : 'postponed', problem, detail);
        throw new ApiError('refused', problem, detail);
      }
      mayBeDone ||= status !== 429 && status !== 'nobody';
      const pauseMs = outcome.pauseMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      const mayRepeat = !mayBeDone || request.repeat !== 'never';
      if (!mayRepeat || attempt >= this.#attempts || pauseMs > LONGEST_PAUSE_MS) {
        throw new ApiError(mayBeDone ? 'unknown' : 'postponed', problem, detail);
      }
      // The rate limit applies to the key, across all clients.
      if (status === 429) this.#pace.rest(pauseMs);
      else await this.#wait(pauseMs);
    }
  }

  async #attempt({ method, path, body, repeat }: ApiRequest): Promise<{ answer: unknown } | Failure> {
    const what = `${method} ${path}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(this.#baseUrl + path, {
        method,
        headers: {
          'x-api-key': this.#apiKey,
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(typeof repeat === 'object' && { 'idempotency-key': repeat.idempotencyKey }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        // A redirect would carry the key to another address.
        redirect: 'manual',
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      text = await response.text();
    } catch (error) {
      const why = reasonOf(error);
      const isReached = !NOBODY_REACHED.has(why);
      return { problem: `${what} had no answer (${why})`, status: isReached ? 'no answer' : 'nobody' };
    }
    const { status } = response;
    const json = parsed(text);
    if (response.ok) {
      // It was done. Repeating it would not improve the answer.
      if (text !== '' && json === undefined) throw new ApiError('unknown', `${what} was answered without JSON`);
      return { answer: json };
    }
    const code = plainWord(asObject(json)?.['title']);
    return {
      problem: `${what} was answered ${status}${code === undefined ? '' : ` ${code}`}`,
      status,
      code,
      detail: asText(asObject(json)?.['detail']),
      pauseMs: milliseconds(response.headers.get('retry-after')),
    };
  }
}

/**
 * How too many requests are refused is not shown in the interface; 429 is the usual way, and the one worth a
 * repetition.
 */
function isRefusal(status: Failure['status']): boolean {
  return typeof status === 'number' && status < 500 && status !== 429;
}

function checkedBaseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // The last is the machine of a container.
  const ours = ['localhost', '127.0.0.1', '[::1]', 'host.docker.internal'];
  const isOurs = url !== undefined && ours.includes(url.hostname);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOurs);
  if (url === undefined || !isSafe || `${url.username}${url.password}${url.search}${url.hash}` !== '') {
    throw new Error('The base address is not valid: expected https://host, or http:// for this machine only.');
  }
  return url.href.replace(/\/+$/, '');
}

/** `fetch` puts an invalid header value into the message of its error, and from there a key gets into logs. */
function checkedKey(key: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error('The API key is not valid: expected letters, digits and signs without spaces (not shown).');
}

/** Node's code for the error. Messages are not used: they may contain what was sent. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  return plainWord(asObject(cause)?.['code']) ?? plainWord(name) ?? 'unknown';
}

/** A code or name that is safe to log unchanged. */
function plainWord(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Retry-After has seconds or a date (RFC 9110, 10.2.3). */
function milliseconds(retryAfter: string | null): number | undefined {
  if (retryAfter === null) return undefined;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
  return ms > 0 ? ms : undefined;
}
