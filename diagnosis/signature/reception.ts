import { interpretFrame } from '../../harness/wire/frame-meaning.ts';
import type { CallObservation, Observation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import type { Connection } from '../connection.ts';

/** How one delivery or call was received, as far as its signature is concerned. */
export type SignatureReception =
  /** A 2xx, or a call that stands. */
  | 'accepted'
  /** A status that is not a 2xx, or a call that was closed by the other side before a word was said. */
  | 'refused'
  /** A 2xx whose body says that the signature was refused. */
  | 'refused-with-2xx'
  /** 429: about how many were sent, and nothing else. */
  | 'throttled'
  /** No answer within the patience; of a call: taken, and not a word after a sentence. */
  | 'silent'
  /** The connection was closed without an answer. */
  | 'closed'
  /** Bytes came that are not HTTP. */
  | 'malformed'
  /** No connection could be made. */
  | 'unreachable';

/** One question about signatures, and how it was received. */
export interface Offer {
  label: string;
  reception: SignatureReception;
  observation: Observation | CallObservation;
}

const tooMany = 429;
/** Bytes of an answer in which words of refusal are looked for; what is longer is not a refusal. */
const refusalBytes = 2_000;

/** Fields of a JSON answer that say of themselves that it is an error, with the values that say so. */
const errorFields: Readonly<Record<string, (value: unknown) => boolean>> = {
  status: isErrorStatus,
  statusCode: isErrorStatus,
  code: isErrorStatus,
  success: (value) => value === false,
  ok: (value) => value === false,
  error: (value) => value === true || isErrorStatus(value) || saysSomething(value),
};
/** Texts that say of an error that there is none. */
const noError = /^(?:|none|no|null|ok|false|0)$/i;

/** What is said about a signature that was not taken. */
const wordsOfRefusal =
  /unauthori[sz]ed|forbidden|(?:invalid|bad|wrong|missing|mismatch\w*)[\s\S]{0,20}(?:signature|hmac|timestamp)|(?:signature|hmac|timestamp)[\s\S]{0,20}(?:invalid|wrong|mismatch|missing|expired|too old)/i;

/** How an exchange was received. */
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
  return saysRefused(answer.body) ? 'refused-with-2xx' : 'accepted';
}

/**
 * A typical delivery, or the upgrade of a call, with identities of its own and the right signature. On the chat a ping
 * where `asPing` says so: it costs nobody anything.
 */
export function draft(connection: Connection, { asPing = false } = {}): SignedDelivery {
  const { surface, session } = connection;
  if (surface === 'own-ai-phone') return session.phone.upgrade();
  const isPing = asPing && surface === 'own-ai-chat';
  return connection.case(isPing ? { event: { ...session.sample.ping() } } : {}).delivery;
}

/**
 * Sends a delivery, or begins a call; by default a typical one whose signature is right. On a connection of its own:
 * whoever refuses without reading the body must not spoil the next one. Throws {@link OutOfTime}.
 */
export async function offer(connection: Connection, label: string, delivery = draft(connection)): Promise<Offer> {
  const observation =
    connection.surface === 'own-ai-phone'
      ? await connection.dial(delivery, label)
      : await connection.ask(delivery, { label, fresh: true });
  return { label, reception: classifyReception(observation), observation };
}

/** In a few words, for the evidence. */
export function describeReception({ reception, observation: { answer, ...exchange } }: Offer): string {
  switch (reception) {
    case 'silent':
      return answer.outcome === 'answered' ? 'taken, and nothing was said' : 'no answer came';
    case 'throttled':
      return 'a pause was asked for with 429';
    case 'closed':
      return 'the connection was closed without an answer';
    case 'malformed':
      return 'the answer was not HTTP';
    case 'unreachable':
      return 'no connection could be made';
    case 'accepted':
    case 'refused':
    case 'refused-with-2xx':
      break;
  }
  const status = answer.outcome === 'answered' ? answer.status : 0;
  if (reception === 'refused-with-2xx') return `refused in the body of a ${status}`;
  if ('end' in exchange && isConnected(answer) && reception === 'refused') {
    return `taken and closed at once with code ${exchange.end?.code ?? 'unknown'}`;
  }
  return `${reception} with ${status}`;
}

/** Characters of an answer's body that are looked at. */
const lookedAtCharacters = 500;

/** What an answer says, as text; empty for what is not an answer with a body. */
export function answerBody({ observation: { answer } }: Offer): string {
  if (answer.outcome !== 'answered' || !('body' in answer)) return '';
  return Buffer.from(answer.body).toString('utf8').slice(0, lookedAtCharacters);
}

/** How something was received, with what the answer says: equal for equal answers. */
export function describeAnswer(offer: Offer): string {
  return `${describeReception(offer)} ${answerBody(offer)}`;
}

function saysRefused(body: Uint8Array): boolean {
  if (body.length === 0 || body.length > refusalBytes) return false;
  const text = Buffer.from(body).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return wordsOfRefusal.test(text);
  }
  if (typeof value === 'string') return wordsOfRefusal.test(value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  // An answer of an own AI may talk of anything; only what is no such answer is taken for an error.
  if ('text' in value || 'action' in value) return false;
  const fields = Object.entries(value);
  return (
    fields.some(([name, found]) => errorFields[name]?.(found) === true) ||
    fields.some(([, found]) => typeof found === 'string' && wordsOfRefusal.test(found))
  );
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return !noError.test(value);
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => saysSomething(inner));
}

function isErrorStatus(value: unknown): boolean {
  return Number(value) >= 400 && Number(value) <= 599;
}
