import { setTimeout as delay } from 'node:timers/promises';

/** What a request may be repeated for, and how it is told from its repetition. */
export type Repeat =
  /** The service knows it again by this Idempotency-Key, kept for 24 hours: made once per intent, not per attempt. */
  | { idempotencyKey: string }
  /** Doing it twice is doing it once: reading, upserting, logging with an externalId. */
  | 'harmless'
  /** After a lost answer nobody knows whether it was done; a person looks. */
  | 'never';

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below the base address, `/v1` included. */
  path: string;
  body?: Record<string, unknown>;
  repeat: Repeat;
}

/** The service refused a request: a 4xx. Sending it again would change nothing. */
export class ApiRefusal extends Error {
  override readonly name = 'ApiRefusal';
  readonly status: number;
  /** The error code, which stands in `title`. */
  readonly code: string;

  constructor(status: number, code: string, detail: string) {
    super(`${String(status)} ${code}${detail === '' ? '' : `: ${detail}`}`);
    this.status = status;
    this.code = code;
  }
}

export interface ApiClientOptions {
  /** Without `/v1`. */
  baseUrl: string;
  apiKey: string;
  /** Milliseconds for one attempt. */
  timeoutMs?: number;
  /** Attempts at a request that may be repeated. */
  attempts?: number;
}

const TIMEOUT_MS = 10_000;
const ATTEMPTS = 4;
/** Milliseconds before the second attempt; each further pause is twice as long. */
const FIRST_PAUSE_MS = 250;
/** A service that asks for a longer pause than this is left alone until the next run. */
const LONGEST_PAUSE_MS = 70_000;

/**
 * Calls API v1: the key in a header and nowhere else, every attempt of a message, note or skill under the key that its
 * first attempt had, pauses as long as the service asks for, and no second attempt at what was refused.
 */
export class ApiClient {
  readonly #baseUrl: string;
  readonly #apiKey: string;
  readonly #timeoutMs: number;
  readonly #attempts: number;

  constructor({ baseUrl, apiKey, timeoutMs = TIMEOUT_MS, attempts = ATTEMPTS }: ApiClientOptions) {
    this.#baseUrl = baseUrl.replace(/\/+$/, '');
    this.#apiKey = apiKey;
    this.#timeoutMs = timeoutMs;
    this.#attempts = attempts;
  }

  /**
   * @returns the parsed body
   * @throws ApiRefusal for a 4xx; Error when no answer came that can be used
   */
  async send<Body>(request: ApiRequest): Promise<Body> {
    const attempts = request.repeat === 'never' ? 1 : this.#attempts;
    for (let attempt = 1; ; attempt++) {
      const outcome = await this.#attempt<Body>(request);
      if ('body' in outcome) return outcome.body;
      const pause = outcome.pauseMs ?? FIRST_PAUSE_MS * 2 ** (attempt - 1);
      // A 429 was not processed, so it may always come again.
      const mayRepeat = attempt < attempts || (outcome.wasRefused && attempt < this.#attempts);
      if (!mayRepeat || pause > LONGEST_PAUSE_MS) throw new Error(outcome.problem);
      await delay(pause);
    }
  }

  async #attempt<Body>({ method, path, body, repeat }: ApiRequest): Promise<Attempt<Body>> {
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
      const why = error instanceof Error ? error.message : 'unknown';
      return { problem: `${method} ${path} had no answer: ${why}`, wasRefused: false };
    }
    if (response.ok) return { body: (text === '' ? undefined : JSON.parse(text)) as Body };
    const problem = `${method} ${path} was answered ${String(response.status)}`;
    if (response.status === 429 || response.status >= 500) {
      const seconds = Number(response.headers.get('retry-after'));
      return {
        problem,
        wasRefused: response.status === 429,
        ...(seconds > 0 && { pauseMs: seconds * 1000 }),
      };
    }
    const { title = '', detail = '' } = problemOf(text);
    throw new ApiRefusal(response.status, title, detail);
  }
}

type Attempt<Body> = { body: Body } | { problem: string; wasRefused: boolean; pauseMs?: number };

function problemOf(text: string): { title?: string; detail?: string } {
  try {
    return JSON.parse(text) as { title?: string; detail?: string };
  } catch {
    return {};
  }
}
