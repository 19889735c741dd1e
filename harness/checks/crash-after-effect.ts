import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { requestKill } from '../start/endpoint-kills.ts';
import { effectOf, type ApiEffect } from '../wire/api-effects.ts';
import type { Inbox } from '../wire/inbox.ts';
import { header } from '../wire/observation.ts';

/** Milliseconds for the simulated service to process a request, whose answer is held. */
const processedMs = 100;
/** Milliseconds for which the answer is held: the endpoint is gone long before. */
const heldMs = 10_000;

/** A request to API v1 that created something. */
export interface SeenEffect {
  effect: ApiEffect;
  /** Its Idempotency-Key: the service processes a request with the same key once. */
  key: string | undefined;
}

/** Kills the endpoint at its first request that may create something, once that is processed and before it is answered. */
export class CrashAfterEffect implements Disposable {
  readonly #inbox: Inbox;
  readonly #watch: Disposable;
  readonly #others: SeenEffect[] = [];
  #interrupted: SeenEffect | undefined;
  #timer: NodeJS.Timeout | undefined;
  #killedAt: Date | undefined;

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
    this.#watch = inbox.watchApi((record) => this.#add(record));
    inbox.apiTrouble = ({ method }) => {
      if (this.#timer || method === 'GET') return undefined;
      this.#timer = setTimeout(() => {
        this.#killedAt = new Date();
        requestKill();
      }, processedMs);
      return { kind: 'slow', ms: heldMs };
    };
  }

  /** When the endpoint was killed; `undefined` if it was not. */
  get killedAt(): Date | undefined {
    return this.#killedAt;
  }

  /** The effect whose request had no answer when the endpoint was killed. */
  get interrupted(): SeenEffect | undefined {
    return this.#interrupted;
  }

  /** The same request in addition, if it took effect once more. */
  get second(): SeenEffect | undefined {
    const first = this.#interrupted;
    return this.#others.find(
      ({ effect, key }) => effect.content === first?.effect.content && (key === undefined || key !== first.key),
    );
  }

  /** Does not kill an endpoint that was not killed so far. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#inbox.apiTrouble = undefined;
  }

  #add(record: ApiExchangeRecord): void {
    const effect = effectOf(record, this.#inbox.service.baseUrl);
    if (!effect) return;
    const seen = { effect, key: header({ headers: record.headers }, 'idempotency-key') };
    if (record.trouble === 'slow' && record.response === 'cut') this.#interrupted ??= seen;
    else this.#others.push(seen);
  }

  [Symbol.dispose](): void {
    this.disarm();
    this.#watch[Symbol.dispose]();
  }
}
