import type { OperationId } from '../../specs/api-operations.ts';
import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { requestKill } from '../start/endpoint-kills.ts';
import { effectOf, type ApiEffect } from '../wire/api-effects.ts';
import type { Inbox } from '../wire/inbox.ts';

/** Milliseconds for the simulated service to process a request, whose answer is held. */
const processedMs = 100;
/** Milliseconds for which the answer is held: the endpoint is gone before. */
const heldMs = 3_000;

/** Operations that create something each time: a contact that exists is only updated, say. */
const creating: readonly (string | undefined)[] = [
  'sendMessage',
  'logMessage',
  'addNote',
  'createAppointment',
  'sendAgentReply',
  'runSkill',
] satisfies OperationId[];

/** Kills the endpoint at its first request that may create something, once that is processed and before it is answered. */
export class CrashAfterEffect implements Disposable {
  readonly #inbox: Inbox;
  readonly #watch: Disposable;
  readonly #from = performance.now();
  readonly #others: ApiEffect[] = [];
  #interrupted: ApiEffect | undefined;
  #timer: NodeJS.Timeout | undefined;
  #killedAt: number | undefined;

  constructor(inbox: Inbox) {
    this.#inbox = inbox;
    this.#watch = inbox.watchApi((record) => this.#add(record));
    inbox.apiTrouble = ({ operation }) => {
      if (this.#timer || !creating.includes(operation)) return undefined;
      this.#timer = setTimeout(() => {
        this.#killedAt = performance.now();
        requestKill();
      }, processedMs);
      return { kind: 'slow', ms: heldMs };
    };
  }

  /** `performance.now()` when the endpoint was killed; `undefined` if it was not. */
  get killedAt(): number | undefined {
    return this.#killedAt;
  }

  /** The effect whose request had no answer when the endpoint was killed. */
  get interrupted(): ApiEffect | undefined {
    return this.#interrupted;
  }

  /** The same request in addition, if it took effect once more. */
  get second(): ApiEffect | undefined {
    const first = this.#interrupted;
    return this.#others.find(
      ({ content, key }) => content === first?.content && (key === undefined || key !== first.key),
    );
  }

  /** Does not kill an endpoint that was not killed so far. */
  disarm(): void {
    clearTimeout(this.#timer);
    this.#inbox.apiTrouble = undefined;
  }

  #add(record: ApiExchangeRecord): void {
    // An earlier request of the endpoint may still be held.
    if (record.at < this.#from) return;
    const effect = effectOf(record, this.#inbox.service.baseUrl);
    if (!effect) return;
    if (record.trouble === 'slow' && record.response === 'cut') this.#interrupted ??= effect;
    else this.#others.push(effect);
  }

  [Symbol.dispose](): void {
    this.disarm();
    this.#watch[Symbol.dispose]();
  }
}
