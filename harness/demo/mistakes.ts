import { HarnessFault } from '../checks/faults.ts';
import { limits } from '../../specs/limits.ts';
import { suggestion } from '../../specs/nearest.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';

/** A request to the CRM webhook or a signed one, before it is passed on. */
export interface PassedRequest {
  path: string;
  body: Buffer;
}

/** The changes of a typical mistake; everything else is passed on unchanged. */
export interface Mistake {
  /** The mistake in one sentence. */
  what: string;
  /** Requirements that fail for it. */
  breaks: readonly RequirementId[];
  /** Replaces the verification of a signature; a request that it accepts is passed on with a valid one. */
  accepts?: (header: { t: string; v1: string }, body: Buffer, secret: string) => boolean;
  /** Milliseconds before a request is passed on. */
  delayMs?: (request: PassedRequest) => number;
  /** Changes the JSON of an answer. */
  answer?: (path: string, answer: unknown) => unknown;
  /** Whether a frame of a call reaches the AI. */
  passes?: (frame: string) => boolean;
}

/** Milliseconds: a query without an index, just over the limit. */
const slowLookupMs = limits.crmLookupAnswerMs + 300;

/** Typical mistakes by their name, each from a mutant of our tests. */
export const mistakes = {
  'reserialised-body': {
    what: 'The signature is computed over the parsed and serialised body, not over the bytes that arrived.',
    breaks: ['own-ai-chat/accepts-any-wire-form', 'api-webhooks/accepts-any-wire-form'],
    accepts: ({ t, v1 }, body, secret) => isRecent(t) && v1 === sign(reserialised(body), t, secret),
  },
  'numeric-contact-id': {
    what: 'crmContactId and crmProjectId are numbers, as in the database, not strings.',
    breaks: ['crm-webhook/ids-are-strings'],
    answer: (path, answer) => (path === '/crm' ? withNumericIds(answer) : answer),
  },
  'slow-lookup': {
    what: `A lookup takes ${slowLookupMs / 1000} s, and the caller is connected after ${limits.crmLookupAnswerMs / 1000} s.`,
    breaks: ['crm-webhook/lookup-within-two-seconds'],
    delayMs: ({ path, body }) => (path === '/crm' && body.includes('IncomingCallLookup') ? slowLookupMs : 0),
  },
  'stale-timestamp': {
    what: 'The time in the signature is never compared with the clock, so a recorded request is accepted forever.',
    breaks: ['own-ai-chat/refuses-stale-timestamp', 'api-webhooks/refuses-stale-timestamp'],
    accepts: ({ t, v1 }, body, secret) => v1 === sign(body, t, secret),
  },
  'ignored-interrupt': {
    what: 'The AI continues to speak after the caller has interrupted it.',
    breaks: ['own-ai-phone/stops-at-interrupt'],
    passes: (frame) => (JSON.parse(frame) as { type?: unknown }).type !== 'interrupt',
  },
} as const satisfies Readonly<Record<string, Mistake>>;

/** Finds a mistake by its name. Throws `HarnessFault` for an unknown one. */
export function mistakeNamed(name: string): Mistake {
  const names = Object.keys(mistakes);
  if (Object.hasOwn(mistakes, name)) return mistakes[name as keyof typeof mistakes];
  throw new HarnessFault('name-unknown:mistake', { name, known: names, near: suggestion(name, names) });
}

/** Hex HMAC-SHA256 of a body, as the service signs it (interface: Authentication). */
export function sign(body: Buffer | string, t: string, secret: string): string {
  return hmacHex(secret, signedBytes(Number(t), body));
}

function isRecent(t: string): boolean {
  return Math.abs(Date.now() / 1000 - Number(t)) <= limits.signatureToleranceSeconds;
}

function reserialised(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8')));
  } catch {
    return '';
  }
}

function withNumericIds(answer: unknown): unknown {
  return JSON.parse(
    JSON.stringify(answer, (key, value: unknown) =>
      key === 'crmContactId' || key === 'crmProjectId' ? Number(/\d+/.exec(String(value))?.[0] ?? 4711) : value,
    ),
  );
}
