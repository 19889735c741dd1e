import { subscribedType } from '../../harness/config/subscribed-types.ts';
import { randomInt } from 'node:crypto';
import { Brand } from '../../specs/brand.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { header, type CallObservation, type Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import type { Connection } from '../connection.ts';
import type { PreparedEvent } from '../prepared-event.ts';
import type { Facts } from './content-readings.ts';
import { dateOffsetSeconds } from './date-offset-seconds.ts';
import type { SignatureParts } from './signature-parts.ts';
import { needsSentence, numbersFor, shapes, sentenceFor, writeShape, type BodyShape } from './question-bodies.ts';
import { classifyReception, describeReception, type Offer } from './reception.ts';
import { signatureHeaderName, signedHeaders } from './signed-headers.ts';

/** Ids of calls: of digits only, where case and hyphens cannot matter, and one in which they do. */
const callIds = [() => randomDigits(), (text: string) => `aB-${text}-Zy`] as const;
const digits = 20;
/** Milliseconds that a question waits for an answer of an endpoint which leaves refused deliveries without one. */
const silentTimeoutMs = 1_500;
/** Seconds by which a clock may be off before `t` is moved along with it. */
const clockSlackSeconds = 60;

/** Options of one question. */
export interface AskOptions {
  /** Candidate headers of a scheme with an unknown one; default: all. */
  names?: readonly string[] | undefined;
  /** A second signature, in headers of other names. */
  second?: SignatureParts | undefined;
  /** Makes `t` from our clock (Unix milliseconds); default: Unix seconds. */
  t?: (now: number) => number;
}

/** Sends deliveries or calls in the shapes of questions with any signature, each with new ids. */
export class Questioner {
  readonly #connection: Connection;
  /** Chat only: plain questions are pings, which cost nothing. */
  usesPings: boolean;
  /** Seconds to add to `t`, from the Date header of the answers. */
  offsetSeconds = 0;
  /** Whether a Date header shows that the clock of the endpoint is right. */
  isClockRight = false;
  #isSilent = false;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.usesPings = connection.surface === 'own-ai-chat';
  }

  get isCall(): boolean {
    return this.#connection.surface === 'own-ai-phone';
  }

  /** Key of the kind of bodies. */
  get kind(): string {
    return `${this.#connection.surface} ${String(this.usesPings)}`;
  }

  /** Bodies or call ids as questions have them, by their numbers: 0 is plain, 1 is rich. */
  examples(): Uint8Array[] {
    if (this.isCall) return callIds.map((make) => Buffer.from(make('qR3sT4')));
    return shapes.map((shape) => this.#draft(shape).delivery.body);
  }

  /** Method of the requests. */
  get brand(): Brand {
    return Brand.named(this.#connection.config.brand);
  }

  get method(): string {
    return this.isCall ? 'GET' : 'POST';
  }

  /** Sends one question, signed according to `parts`. Throws OutOfTime, and HarnessFault `target-unreachable`. */
  async ask(body: number, parts: SignatureParts, label: string, options: AskOptions = {}): Promise<Offer> {
    const observation = this.isCall
      ? await this.#dial(body, parts, label, options)
      : await this.#deliver(body, parts, label, options);
    const reception = classifyReception(observation);
    if (reception === 'unreachable') throw unreachable(this.#connection.url);
    return { label, reception, observation };
  }

  /** Learns from a refusal: the clock of the endpoint, and whether it answers at all. */
  learn({ reception, observation }: Offer): void {
    this.#isSilent ||= reception === 'silent';
    const offset = dateOffsetSeconds(observation);
    if (offset === undefined) return;
    this.isClockRight = Math.abs(offset) <= clockSlackSeconds;
    if (!this.isClockRight) this.offsetSeconds = offset;
  }

  async #deliver(body: number, parts: SignatureParts, label: string, options: AskOptions): Promise<Observation> {
    const { delivery } = this.#draft(shapes[body] ?? {});
    const unsigned = delivery.with({ write: () => undefined });
    return await this.#connection.ask(
      (now) => {
        const request = unsigned.request(this.#connection.url, now);
        const facts = this.#facts(now, header(delivery, 'X-Svc-Delivery-Id') ?? '', options);
        return { ...request, headers: [...request.headers, ...this.#sign(parts, facts, delivery.body, options)] };
      },
      { label, ...(this.#isSilent && { timeoutMs: silentTimeoutMs }) },
    );
  }

  async #dial(body: number, parts: SignatureParts, label: string, options: AskOptions): Promise<CallObservation> {
    const { phone, ids } = this.#connection.session;
    const callId = (callIds[body] ?? callIds[0])(ids.text().slice(0, digits));
    const facts = this.#facts(Date.now(), callId, options);
    const signed = this.#sign(parts, facts, Buffer.from(callId), options);
    const own = signed.find(([name]) => name === signatureHeaderName)?.[1];
    let upgrade: SignedDelivery = phone.upgrade(callId).with({ write: () => own });
    for (const [name, value] of signed) if (name !== signatureHeaderName) upgrade = upgrade.withHeader(name, value);
    // An endpoint that reads the names of the document needs the id under its name there, too.
    const documents = this.brand.text(signatureHeaderName);
    if (signed.some(([name]) => name === documents && name !== signatureHeaderName)) {
      upgrade = upgrade.withHeader(this.brand.text('X-Svc-Call-Id'), callId);
    }
    return await this.#connection.dial(upgrade, label);
  }

  /** The headers of both signatures; one that both need is the first's. */
  #sign(
    parts: SignatureParts,
    facts: Facts,
    body: Uint8Array,
    { names, second }: AskOptions,
  ): readonly (readonly [string, string])[] {
    const { brand } = this;
    const first = signedHeaders(parts, facts, body, { names, brand });
    const taken = new Set(first.map(([name]) => name));
    const others = second ? signedHeaders(second, facts, body, { names, brand }) : [];
    return [...first, ...others.filter(([name]) => !taken.has(name))];
  }

  #facts(now: number, id: string, options: AskOptions): Facts {
    const t = options.t?.(now) ?? Math.floor(now / 1000) + this.offsetSeconds;
    return { t, id, method: this.method, url: this.#connection.url };
  }

  #draft(shape: BodyShape): PreparedEvent {
    const { sample } = this.#connection.session;
    const write = (event: unknown) => writeShape(event, shape);
    if (this.#connection.surface === 'own-ai-chat') {
      if (this.usesPings && !needsSentence(shape)) return this.#connection.case({ event: { ...sample.ping() }, write });
      const event = sample.messageReceived();
      const { message } = event.data;
      const question = { ...message, text: sentenceFor(shape, message.text), amounts: numbersFor(shape) };
      return this.#connection.case({ event: { ...event, data: { ...event.data, message: question } }, write });
    }
    const event = sample.apiWebhookEvent(subscribedType(this.#connection.config, 'appointment.created'));
    const data = { ...event.data, title: sentenceFor(shape, event.data.title ?? ''), amounts: numbersFor(shape) };
    return this.#connection.case({ event: { ...event, data }, write });
  }
}

/** Describes a question and its answer, for the evidence. */
export function formatOffer(offer: Offer): string {
  return `${offer.label.charAt(0).toUpperCase()}${offer.label.slice(1)}: ${describeReception(offer)}.`;
}

function randomDigits(): string {
  return Array.from({ length: digits }, () => randomInt(10)).join('');
}

function unreachable(url: string): HarnessFault {
  return new HarnessFault('target-unreachable:no-further', { url });
}
