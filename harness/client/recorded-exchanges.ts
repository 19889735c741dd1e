import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';

/** Maximum number of requests kept for a report about a recording: hours of traffic at the limit of one key. */
const mostExchanges = 20_000;
/** Maximum bytes of their bodies and answers, so that a busy client does not exhaust the memory. */
const mostBodyBytes = 32 * 1_048_576;
/**
 * Statuses of requests that were not processed. No rule inspects their bodies, and a client may send them endlessly.
 */
const refused: readonly number[] = [401, 413, 429];
/** Maximum bytes of a rejected body that is kept: it identifies repeated requests. */
const smallBodyBytes = 4_096;

export interface RecordedExchangesOptions {
  /** Maximum number of requests kept; default: 20,000. */
  mostExchanges?: number;
  /** Also keep large bodies of rejected requests. */
  withRefusedBodies?: boolean;
}

/** The traffic of a client: from the first request on, as much as fits. */
export class RecordedExchanges {
  readonly #most: number;
  readonly #withRefusedBodies: boolean;
  readonly #kept: ApiExchangeRecord[] = [];
  #bodyBytes = 0;
  #bodiesOmitted = 0;
  #omitted = 0;

  constructor({ mostExchanges: most = mostExchanges, withRefusedBodies = false }: RecordedExchangesOptions = {}) {
    this.#most = most;
    this.#withRefusedBodies = withRefusedBodies;
  }

  /** In order of their answers. */
  get kept(): ApiExchangeRecord[] {
    return this.#kept;
  }

  /** Number of requests that did not fit. */
  get omitted(): number {
    return this.#omitted;
  }

  /** Describes the limits. */
  get room(): string {
    return `${this.#most} requests and ${mostBodyBytes / 1_048_576} MiB of bodies`;
  }

  /** Sentences about traffic that was not kept. */
  get notes(): string[] {
    return [
      ...(this.#bodiesOmitted > 0
        ? [
            `Bodies of rejected requests that were not kept: ${this.#bodiesOmitted}, each above ${smallBodyBytes} bytes.`,
          ]
        : []),
      ...(this.#omitted > 0
        ? [
            `Requests that were not recorded: ${this.#omitted}. The maximum is ${this.room}; ` +
              `the report covers the first ${this.#kept.length}.`,
          ]
        : []),
    ];
  }

  /** Keeps an exchange if it fits. After the first one that does not fit, all are dropped. */
  add(exchange: ApiExchangeRecord): void {
    const slim = this.#withRefusedBodies ? exchange : withoutRefusedBody(exchange);
    const { body, response } = slim;
    const bytes = body.length + (response === 'cut' ? 0 : Buffer.byteLength(response.body));
    if (this.#omitted > 0 || this.#kept.length >= this.#most || this.#bodyBytes + bytes > mostBodyBytes) {
      this.#omitted++;
      return;
    }
    this.#bodyBytes += bytes;
    this.#kept.push(slim);
    if (slim !== exchange) this.#bodiesOmitted++;
  }
}

function withoutRefusedBody(exchange: ApiExchangeRecord): ApiExchangeRecord {
  const { response, body } = exchange;
  const isRefused = response !== 'cut' && refused.includes(response.status);
  return isRefused && body.length > smallBodyBytes
    ? { ...exchange, body: new Uint8Array(), truncated: true }
    : exchange;
}
