import { payloadTooLarge } from '../../harness/wire/answer-status.ts';
import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallObservation, Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Connection } from '../connection.ts';
import { isJsonObject, isJsonContainer } from '../../specs/json-object.ts';

/** How the endpoint treated the signature of one delivery or call. */
export type SignatureReception =
  /** A 2xx, or an established call. */
  | 'accepted'
  /** A status that is not a 2xx, or a call that the endpoint closed before any speech. */
  | 'refused'
  /** A 2xx whose body reports a refused signature. */
  | 'refused-with-2xx'
  /** 429: a rate limit. */
  | 'throttled'
  /** No answer within the timeout; for a call: accepted, but silent after a sentence. */
  | 'silent'
  /** The connection was closed without an answer. */
  | 'closed'
  /** The answer is not HTTP. */
  | 'malformed'
  /** No connection could be established. */
  | 'unreachable';

/** One request with a signature, and its result. */
export interface Offer {
  label: string;
  reception: SignatureReception;
  observation: Observation | CallObservation;
}

/** A delivery or upgrade, and its result. */
export interface SignedOffer extends Offer {
  delivery: SignedDelivery;
}

const tooMany = 429;
/** Largest body, in bytes, that is searched for a refusal. */
const refusalBytes = 2_000;

/** Fields of a JSON answer that report an error, with a test of their values. */
const errorFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  status: isErrorStatus,
  statusCode: isErrorStatus,
  code: isErrorStatus,
  success: (value) => value === false,
  ok: (value) => value === false,
  error: (value) => value === true || isErrorStatus(value) || isMeaningful(value),
};
/** Values that mean no error. */
const noError = /^(?:|none|no|null|ok|false|0)$/i;

/** Messages about a refused signature. */
const refusalPattern =
  /unauthori[sz]ed|forbidden|(?:invalid|bad|wrong|missing|mismatch\w*)[\s\S]{0,20}(?:signature|hmac|timestamp)|(?:signature|hmac|timestamp)[\s\S]{0,20}(?:invalid|wrong|mismatch|missing|expired|too old)/i;

/** Whether the answer may be a refusal of the body. */
export function isRefusable({ reception, observation: { answer } }: Offer): boolean {
  return reception !== 'silent' && answer.outcome === 'answered' && answer.status < 500;
}

/** Whether the answer is that of an exception, which no check of a signature intends. */
export function isException({ observation: { answer } }: Offer): boolean {
  return answer.outcome === 'answered' && answer.status === 500;
}

/** Classifies an exchange. */
export function classifyReception(exchange: Observation | CallObservation): SignatureReception {
  const { answer } = exchange;
  switch (answer.outcome) {
    case 'no-answer':
      return 'silent';
    case 'closed':
    case 'malformed':
    case 'unreachable':
      return answer.outcome;
    case 'answered':
      break;
  }
  if (exchange.kind === 'call') {
    if (!isConnected(answer)) return 'refused';
    if (exchange.frames.some((frame) => frame.from === 'ai' && interpretFrame(frame).kind !== 'ignored'))
      return 'accepted';
    return exchange.end?.by === 'ai' ? 'refused' : 'silent';
  }
  if (answer.status === tooMany) return 'throttled';
  if (answer.status < 200 || answer.status > 299) return 'refused';
  return reportsRefusal(answer.body) ? 'refused-with-2xx' : 'accepted';
}

/**
 * A typical delivery, or the upgrade of a call, with new ids and a valid signature. On the chat, a free ping with `asPing`.
 */
export function draft(connection: Connection, { asPing = false } = {}): SignedDelivery {
  const { surface, session } = connection;
  if (surface === 'own-ai-phone') return session.phone.upgrade();
  const isPing = asPing && surface === 'own-ai-chat';
  return connection.case(isPing ? { event: { ...session.sample.ping() } } : {}).delivery;
}

/**
 * Sends a delivery, or begins a call; by default a typical one with a valid signature. On a new connection:
 * an endpoint that refuses without reading the body must not spoil the next one. Throws {@link OutOfTime}.
 */
export async function offer(connection: Connection, label: string, delivery = draft(connection)): Promise<SignedOffer> {
  const observation =
    connection.surface === 'own-ai-phone'
      ? await connection.dial(delivery, label)
      : await connection.ask(delivery, { label, fresh: true });
  return { label, delivery, reception: classifyReception(observation), observation };
}

/** Describes a result briefly, for the evidence. */
export function describeReception({ reception, observation: { answer, ...exchange } }: Offer): string {
  switch (reception) {
    case 'silent':
      return answer.outcome === 'answered' ? 'accepted, but silent' : 'no answer';
    case 'throttled':
      return 'rate-limited with 429';
    case 'closed':
      return 'the connection was closed without an answer';
    case 'malformed':
      return 'the answer was not HTTP';
    case 'unreachable':
      return 'no connection could be established';
    case 'accepted':
    case 'refused':
    case 'refused-with-2xx':
      break;
  }
  const status = answer.outcome === 'answered' ? answer.status : 0;
  if (reception === 'refused-with-2xx') return `refused in the body of a ${status}`;
  if ('end' in exchange && isConnected(answer) && reception === 'refused') {
    return `accepted and closed immediately with code ${exchange.end?.code ?? 'unknown'}`;
  }
  return `${reception} with ${status}`;
}

/** Whether the body was refused for its size, whatever its signature. */
export function isTooLarge({ observation: { answer } }: Offer): boolean {
  return answer.outcome === 'answered' && answer.status === payloadTooLarge;
}

/** Inspected characters of the body of an answer. */
const inspectedCharacters = 500;

/** The beginning of the body of an answer; empty without one. */
export function answerBody({ observation: { answer } }: Offer): string {
  if (answer.outcome !== 'answered' || !('body' in answer)) return '';
  return Buffer.from(answer.body).toString('utf8').slice(0, inspectedCharacters);
}

/** Describes a result with the body: equal for equal answers. */
export function describeAnswer(offer: Offer): string {
  return `${describeReception(offer)} ${answerBody(offer)}`;
}

function reportsRefusal(body: Uint8Array): boolean {
  if (body.length === 0 || body.length > refusalBytes) return false;
  const text = Buffer.from(body).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refusalPattern.test(text);
  }
  if (typeof value === 'string') return refusalPattern.test(value);
  if (!isJsonObject(value)) return false;
  // An answer of an own AI may contain any words, so it is never an error.
  if ('text' in value || 'action' in value) return false;
  const fields = Object.entries(value);
  return (
    fields.some(([name, found]) => errorFields[name]?.(found) === true) ||
    fields.some(([, found]) => typeof found === 'string' && refusalPattern.test(found))
  );
}

function isMeaningful(value: unknown): boolean {
  if (typeof value === 'string') return !noError.test(value);
  return isJsonContainer(value) && Object.values(value).some((inner) => isMeaningful(inner));
}

function isErrorStatus(value: unknown): boolean {
  return Number(value) >= 400 && Number(value) <= 599;
}
