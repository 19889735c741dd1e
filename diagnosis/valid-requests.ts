import type { Answer, Answered, Observation, WireExchange, WireRequest } from '../harness/wire/observation.ts';
import { parseJson } from '../harness/checks/json.ts';
import { requestedPauseMs } from '../harness/wire/requested-pause.ts';
import { isJsonObject } from '../specs/json-object.ts';
import { limits } from '../specs/limits.ts';
import { hmacHex, signedBytes } from '../specs/signing.ts';

/** Counts the valid requests among those of a diagnosis: the service sends no others, so only they reach its limits. */
export class ValidRequests {
  /** Valid requests whose answer did not ask for a pause. */
  count = 0;
  /** Whether an invalid request was sent, too: a later 429 may be its consequence. */
  hasInvalid = false;
  /** Makes the latest one that was accepted. */
  accepted: (() => WireRequest) | undefined;
  /** The types of the valid events that were answered with a 2xx. */
  readonly acceptedTypes = new Set<string>();
  /** Those among them that were answered with a 202. */
  readonly laterTypes = new Set<string>();
  /** The valid events that were accepted with content, and the answers, as text. */
  readonly answered: { event: string; answer: string }[] = [];
  /** The types of the events signed with an empty secret that were refused with a 4xx. */
  readonly forgedTypes = new Set<string>();
  readonly #credential: () => string;

  /** @param credential returns the configured secret or token */
  constructor(credential: () => string) {
    this.#credential = credential;
  }

  /** Records one request over HTTP and its answer. */
  record(exchange: WireExchange): void {
    if (exchange.kind !== 'http' || requestedPauseMs(exchange.answer) !== undefined) return;
    const { request, answer } = exchange;
    const status = answer.outcome === 'answered' ? answer.status : 0;
    if (!this.has(request)) {
      this.hasInvalid = true;
      if (isForged(request) && status >= 400 && status < 500) this.#addType(this.forgedTypes, request);
      return;
    }
    this.count++;
    if (!isAccepted(answer)) return;
    this.#addType(this.acceptedTypes, request);
    if (status === 202) this.#addType(this.laterTypes, request);
    if (answer.body.length > 0) this.answered.push({ event: textOf(request.body), answer: textOf(answer.body) });
  }

  /** Whether an event signed with an empty secret was refused; not a ping, since some endpoints do not verify these. */
  get isForgeryRefused(): boolean {
    return [...this.forgedTypes].some((type) => type !== 'ping');
  }

  #addType(types: Set<string>, { body }: WireRequest): void {
    const parsed = parseJson(body);
    const { type, eventType } = 'value' in parsed && isJsonObject(parsed.value) ? parsed.value : {};
    for (const one of [type, eventType]) if (typeof one === 'string') types.add(one);
  }

  /** Remembers how to make a request if it is valid and was accepted. */
  remember({ request, answer }: Observation, make: () => WireRequest): void {
    if (isAccepted(answer) && this.has(request)) this.accepted = make;
  }

  /** Whether a request has the valid signature or token (interface: Authentication). */
  has(request: WireRequest): boolean {
    if (valueOf(request, 'authorization') === `Bearer ${this.#credential()}`) return true;
    const { t, v1 } = signatureOf(request) ?? {};
    const seconds = Number(t);
    const isFresh = Math.abs(Date.now() / 1000 - seconds) <= limits.signatureToleranceSeconds;
    return isFresh && v1 === hmacHex(this.#credential(), signedBytes(seconds, request.body));
  }
}

/** Whether a request is signed with an empty secret, whatever its time. */
function isForged(request: WireRequest): boolean {
  const { t, v1 } = signatureOf(request) ?? {};
  return v1 !== undefined && v1 === hmacHex('', signedBytes(Number(t), request.body));
}

/** The parts of a signature header of the correct form. */
function signatureOf(request: WireRequest): { t: string; v1: string } | undefined {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(valueOf(request, 'x-svc-signature') ?? '') ?? [];
  return t === undefined || v1 === undefined ? undefined : { t, v1 };
}

function valueOf({ headers }: WireRequest, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

function isAccepted(answer: Answer): answer is Answered {
  return answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300;
}
