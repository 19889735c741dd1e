import type { Answer, Observation } from '../../harness/wire/observation.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { AnswerFault } from '../answer/answer-fault.ts';
import { readObject } from '../answer/read-object.ts';
import { isSamePage } from '../is-same-page.ts';
import { longTimeoutMs, type Connection } from '../connection.ts';
import { eventTypeName, lookupEventTypes } from '../../specs/crm-event-types.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import { valueAt } from '../../specs/json-pointer.ts';
import type { JsonObject } from '../../specs/json-value.ts';

/** Multiple of the usual timeout that distinguishes a late answer from none, and at most this part of the time that is left. */
const timeoutFactor = 3;
const partOfRest = 1 / 8;

/** Whether an endpoint accepted one event. */
export interface EventReception {
  ok: boolean;
  /** `undefined` without an answer. */
  status: number | undefined;
  /** The answer; completes "is answered with". */
  words: string;
  /** Why the service cannot read the body of a 200. */
  unreadable?: AnswerFault | undefined;
  answer: Answer;
}

export interface EventSendOptions {
  label: string;
  /** Writes the body; default `JSON.stringify`. */
  write?: (event: unknown) => string;
  /** Default: the one of the connection, and a longer one for a second attempt without an answer to the first. */
  timeoutMs?: number;
  /** Statuses that count as accepted; default: any 2xx. */
  isAccepted?: (status: number) => boolean;
}

const plainText = /^[a-z ,.?]*$/i;

/** Answer time in milliseconds from which events are sent concurrently: sequentially they would take minutes. */
const slowMs = 2_000;

/** Largest id that is not sent because it is large: the largest 32-bit integer. */
const largestUsual = 2_147_483_647;

/** Sends events as new deliveries and records the results. */
export class EventSender {
  readonly connection: Connection;
  /** One sentence for each relevant event. */
  readonly seen: string[] = [];
  /** Label of the event that was accepted last. */
  lastAccepted = '';
  /** Label of the event after it, from which on every event was refused; empty if the latest event was accepted. */
  firstRefused = '';
  readonly #accepted: JsonObject[] = [];
  /** The ids of the messages so far: each belongs to one. */
  readonly #messageIds = new Set<number>();
  #latestMs = 0;
  #isStuck = false;
  #forged: Promise<Answer> | undefined;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Whether the latest answer was slow. */
  get isSlow(): boolean {
    return this.#latestMs >= slowMs;
  }

  /** Whether an event of this type was accepted before, and the latest request was answered quickly. */
  hasAccepted({ type = null, eventType = type }: JsonObject): boolean {
    const latest = this.connection.exchanges.findLast(({ kind }) => kind === 'http') as Observation | undefined;
    const isQuick = (latest?.times.totalMs ?? Infinity) < slowMs;
    return isQuick && typeof eventType === 'string' && this.connection.valid.acceptedTypes.has(eventType);
  }

  /** Characters of the longest string of plain letters and punctuation at a place of the accepted events. */
  longestAccepted(pointer: string): number {
    const strings = this.#accepted.map((event) => valueAt(event, pointer)).filter((value) => typeof value === 'string');
    return Math.max(0, ...strings.filter((text) => plainText.test(text)).map(({ length }) => length));
  }

  /** Sends one event with a new id and new URLs. */
  async send(
    event: JsonObject,
    { label, write, timeoutMs, isAccepted = isSuccess }: EventSendOptions,
  ): Promise<EventReception> {
    const { surface, session } = this.connection;
    const own =
      surface === 'own-ai-chat'
        ? { ...event, id: session.ids.event(), ...this.#withOwnMessage(event) }
        : surface === 'api-webhooks'
          ? { ...event, id: `whe_${session.ids.text()}` }
          : event;
    const make = () => this.connection.case({ event: own, ...(write && { write }) }).delivery;
    const observation =
      timeoutMs === undefined
        ? await this.#ask(make, label, isUnlimited(surface, event))
        : await this.connection.ask(make(), { label, timeoutMs });
    this.#latestMs = observation.times.totalMs ?? 0;
    const received = resultOf(observation, isAccepted);
    // A ping needs a 2xx only, whatever its body.
    const reception = event.type === 'ping' ? received : withReadableAnswer(received, surface);
    if (reception.ok) {
      [this.lastAccepted, this.firstRefused] = [label, ''];
      this.#accepted.push(event);
    } else this.firstRefused ||= label;
    return reception;
  }

  /** The data of an event with an id that no earlier message has; a large one stays large. */
  #withOwnMessage({ data }: JsonObject): JsonObject {
    if (!isJsonObject(data) || !isJsonObject(data.message) || typeof data.message.id !== 'number') return {};
    const { id } = data.message;
    const own = !this.#messageIds.has(id)
      ? id
      : id > largestUsual
        ? id - this.#messageIds.size
        : this.connection.session.ids.integer();
    this.#messageIds.add(own);
    return { data: { ...data, message: { ...data.message, id: own } } };
  }

  /** Repeats an unanswered request with a longer timeout, until one still gets no answer: a late answer does not refuse. */
  async #ask(make: () => SignedDelivery, label: string, hasNoLimit: boolean): Promise<Observation> {
    const { connection } = this;
    const first = await connection.ask(make(), { label });
    if (first.answer.outcome !== 'no-answer' || this.#isStuck) return first;
    const timeoutMs = hasNoLimit
      ? longTimeoutMs
      : Math.min(longTimeoutMs, timeoutFactor * connection.timeoutMs, connection.remainingMs * partOfRest);
    if (timeoutMs <= connection.timeoutMs) return first;
    const second = await connection.ask(make(), { label: `${label}, with a longer timeout`, timeoutMs });
    this.#isStuck = second.answer.outcome === 'no-answer';
    if (!this.#isStuck) connection.waitUpTo(timeoutMs);
    return second;
  }

  /** Whether an invalid signature gets the same refusal, so that the signature may be the cause. */
  async looksLikeBadSignature(event: JsonObject, refusal: EventReception): Promise<boolean> {
    if (this.connection.surface === 'crm-webhook' || refusal.unreadable) return false;
    this.#forged ??= this.#askForged(event);
    return isSamePage(await this.#forged, refusal.answer, []);
  }

  async #askForged(event: JsonObject): Promise<Answer> {
    const { delivery } = this.connection.case({ event });
    const forged = forgedSignatures.emptySecret(delivery);
    const options = { label: 'an invalid signature, for comparison', toBeRefused: true };
    return (await this.connection.ask(forged, options)).answer;
  }
}

/** Events without a time limit in the interface; a chat event has `timeoutSeconds`. */
function isUnlimited(surface: Connection['surface'], { eventType }: JsonObject): boolean {
  return (
    surface === 'api-webhooks' ||
    (surface === 'crm-webhook' && !lookupEventTypes.some((lookup) => lookup === eventTypeName(eventType)))
  );
}

function resultOf({ answer }: Observation, isAccepted: (status: number) => boolean): EventReception {
  switch (answer.outcome) {
    case 'answered':
      return { ok: isAccepted(answer.status), status: answer.status, words: `status ${answer.status}`, answer };
    case 'no-answer':
      return { ok: false, status: undefined, words: `nothing within ${answer.afterMs / 1000} s`, answer };
    case 'closed':
      return { ok: false, status: answer.status, words: 'the end of the connection', answer };
    case 'malformed':
      return { ok: false, status: undefined, words: 'something that cannot be parsed as HTTP', answer };
    case 'unreachable':
      return { ok: false, status: undefined, words: 'no connection', answer };
  }
}

/** The service cannot read a 200 whose body is not an object of JSON, so it does not count as accepted. */
function withReadableAnswer(reception: EventReception, surface: Connection['surface']): EventReception {
  const { answer, ok } = reception;
  const isJudged = ok && surface !== 'api-webhooks' && answer.outcome === 'answered';
  if (!isJudged || answer.status !== 200 || answer.bodyBytes === 0 || answer.truncated) return reception;
  const read = readObject(answer.body);
  if (!('fault' in read)) return reception;
  return {
    ...reception,
    ok: false,
    words: 'status 200 and a body that is not an object of JSON',
    unreadable: read.fault,
  };
}
