import type { ApiExchangeRecord } from '../../service/api/recording.ts';

/** Requests of a client that are kept for a report about a recording: hours at the limit of one key. */
const mostExchanges = 20_000;
/** Bytes of their bodies and answers that are kept, so that a client that sends much does not fill the memory. */
const mostBodyBytes = 32 * 1_048_576;
/** Nothing was processed, and no rule looks into a body of these; a client may send them without end. */
const refused: readonly number[] = [401, 413, 429];
/** Bytes of a refused body that are kept all the same: whether a request came again is seen by its body. */
const smallBodyBytes = 4_096;

export interface RecordedExchangesOptions {
  /** Requests that are kept; default: 20,000. */
  mostExchanges?: number;
  /** Also large bodies of refused requests are kept, and count. */
  withRefusedBodies?: boolean;
}

/** What a client sent: from the first request on, as much as there is room for. */
export class RecordedExchanges {
  readonly #most: number;
  readonly #withRefusedBodies: boolean;
  readonly #kept: ApiExchangeRecord[] = [];
  #bodyBytes = 0;
  #bodiesLeftOut = 0;
  #leftOut = 0;

  constructor({ mostExchanges: most = mostExchanges, withRefusedBodies = false }: RecordedExchangesOptions = {}) {
    this.#most = most;
    this.#withRefusedBodies = withRefusedBodies;
  }

  /** In the order in which they were answered. */
  get kept(): ApiExchangeRecord[] {
    return this.#kept;
  }

  /** Requests for which there was no room. */
  get leftOut(): number {
    return this.#leftOut;
  }

  /** What there is room for, in words. */
  get room(): string {
    return `${this.#most} requests and ${mostBodyBytes / 1_048_576} MiB of bodies`;
  }

  /** What was not kept, a sentence each. */
  get notes(): string[] {
    return [
      ...(this.#bodiesLeftOut > 0
        ? [`Bodies of refused requests that were not kept: ${this.#bodiesLeftOut}, each above ${smallBodyBytes} bytes.`]
        : []),
      ...(this.#leftOut > 0
        ? [
            `Requests that were not recorded any more: ${this.#leftOut}. There is room for ${this.room}; ` +
              `the report is about the first ${this.#kept.length}.`,
          ]
        : []),
    ];
  }

  /** Keeps an exchange, as long as there is room. Those after the first for which there is none are omitted, too. */
  add(exchange: ApiExchangeRecord): void {
    const slim = this.#withRefusedBodies ? exchange : withoutRefusedBody(exchange);
    const { body, response } = slim;
    const bytes = body.length + (response === 'cut' ? 0 : Buffer.byteLength(response.body));
    if (this.#leftOut > 0 || this.#kept.length >= this.#most || this.#bodyBytes + bytes > mostBodyBytes) {
      this.#leftOut++;
      return;
    }
    this.#bodyBytes += bytes;
    this.#kept.push(slim);
    if (slim !== exchange) this.#bodiesLeftOut++;
  }
}

function withoutRefusedBody(exchange: ApiExchangeRecord): ApiExchangeRecord {
  const { response, body } = exchange;
  const isRefused = response !== 'cut' && refused.includes(response.status);
  return isRefused && body.length > smallBodyBytes
    ? { ...exchange, body: new Uint8Array(), truncated: true }
    : exchange;
}
