import { createHmac } from 'node:crypto';
import { isRecent, parse, sameHex, sign, toleranceSeconds, verify, type Verify } from '../proving/signature.ts';
import type { Answer, Incoming, TransportSeams } from '../proving/wire.ts';
import { checkingOncePerConnection } from './known-connections.ts';

/** A fault in the signature scheme that the signed surfaces share. */
export interface SignatureFault {
  name: string;
  /** The requirement without its surface. */
  breaks: string;
  what: string;
  /** Requirements without their surface. */
  mayAlso?: readonly { id: string; why: string }[];
  stopsTheRest?: string;
  watchMs?: number;
  /** It needs a body or an answer to a delivery; calls have neither. */
  ofDeliveries?: true;
  seams: () => SignatureSeams;
}

/** The seams of signed deliveries; calls have only the first. */
export interface SignatureSeams {
  verify?: Verify;
  refusal?: (header: string | undefined) => Answer;
  read?: (event: unknown, request: Incoming) => Answer | undefined;
  transport?: Partial<TransportSeams>;
}

function verifying(faulty: Verify): SignatureFault['seams'] {
  return () => ({ verify: faulty });
}

/** Accepts valid signatures, and also requests for which `also` returns true. */
function orElse(also: Verify): SignatureFault['seams'] {
  return verifying((header, body, secret) => verify(header, body, secret) || also(header, body, secret));
}

/** The parts of a header that may be faulty. */
function loosely(header: string | undefined): { t?: string; v1?: string } {
  const t = /(?:^|,)t=([^,]*)/.exec(header ?? '')?.[1];
  const v1 = /(?:^|,)v1=([^,]*)/.exec(header ?? '')?.[1];
  return { ...(t !== undefined && { t }), ...(v1 !== undefined && { v1 }) };
}

/** The valid signature for the time in the header, if that time is recent. */
function expected(header: string | undefined, body: Buffer, secret: string): string | undefined {
  const { t } = loosely(header);
  return t !== undefined && /^\d+$/.test(t) && isRecent(t) ? sign(secret, t, body) : undefined;
}

const asciiHexLength = /^[\x21-\x7e]{64}$/;

/** Integers that are not written with digits alone. */
const otherNumberForm = /:\s*-?\d+(?:\.\d+)?[eE][+-]?\d+|:\s*-?\d+\.0+(?=\s*[,}])/;

/** Whether JSON text has the form of JSON.stringify. */
function isCompact(body: Buffer): boolean {
  const text = body.toString('utf8');
  // JSON with such a number is still compact: the forms of numbers are another fault.
  return otherNumberForm.test(text) || text === JSON.stringify(JSON.parse(text));
}

/** Milliseconds after which a time is older than the margin by which the checks exceed the tolerance. */
const longerThanMarginMs = 22_000;

/** Faults in verifying and refusing signatures. */
export const signatureFaults: readonly SignatureFault[] = [
  {
    name: 'signature-in-base64',
    breaks: 'accepts-valid-signature',
    what: 'The signature is compared in base64 instead of hex, so the valid one is refused.',
    stopsTheRest: 'Every request is refused because of its signature.',
    seams: verifying(() => false),
  },
  {
    name: 'signature-checked-only-when-sent',
    breaks: 'refuses-missing-signature',
    what: 'The signature is verified only when the header is present.',
    seams: orElse((header) => header === undefined),
  },
  {
    name: 'signature-empty-is-skipped',
    breaks: 'refuses-empty-signature',
    what: 'An empty header is treated as if there were nothing to verify.',
    seams: orElse((header) => header === ''),
  },
  {
    name: 'signature-unreadable-is-skipped',
    breaks: 'refuses-garbage-signature',
    what: 'A header without any of the parts is mistaken for another scheme and accepted.',
    seams: orElse(
      (header) => header !== undefined && /^[\x20-\x7e]+$/.test(header) && Object.keys(loosely(header)).length === 0,
    ),
  },
  {
    name: 'empty-secret-taken-too',
    breaks: 'refuses-other-secret',
    what: 'An earlier secret that is not configured is read as empty, and signatures with the empty secret are also accepted.',
    seams: orElse((header, body) => verify(header, body, '')),
  },
  {
    name: 'verified-once-per-connection',
    breaks: 'refuses-other-secret',
    what: 'Signatures are verified until one on the connection was valid.',
    ofDeliveries: true,
    seams: () => {
      const { transport, accepts } = checkingOncePerConnection('x-svc-signature');
      const verifyOnce: Verify = (header, body, secret) => accepts(header, (value) => verify(value, body, secret));
      return { transport, verify: verifyOnce };
    },
  },
  {
    name: 'signature-never-compared',
    breaks: 'refuses-other-secret',
    what: 'Form and time of the signature are checked, but its value is never compared.',
    mayAlso: [
      { id: 'refuses-altered-body', why: 'a signature that is never compared fits any body' },
      { id: 'refuses-altered-timestamp', why: 'a signature that is never compared fits any time' },
      { id: 'refuses-signature-without-timestamp', why: 'a signature that is never compared may cover anything' },
      { id: 'refuses-reserialised-body', why: 'a signature that is never compared may cover anything' },
      { id: 'refuses-decoded-secret', why: 'a signature that is never compared may come from any secret' },
      { id: 'refuses-stripped-secret', why: 'a signature that is never compared may come from any secret' },
      { id: 'refuses-other-call-id', why: 'a signature that is never compared fits any call' },
      { id: 'refuses-signature-over-body', why: 'a signature that is never compared may cover anything' },
      { id: 'refuses-signature-over-path', why: 'a signature that is never compared may cover anything' },
      { id: 'refuses-ping-with-bad-signature', why: 'the signature of a ping is not compared either' },
    ],
    seams: verifying((header) => isRecent(parse(header)?.t ?? '0')),
  },
  {
    name: 'signature-without-t',
    breaks: 'refuses-altered-timestamp',
    what: 'If the signature does not match t, the current time is tried, so t can be changed.',
    seams: orElse((header, body, secret) => {
      const parts = parse(header);
      if (parts === undefined || !isRecent(parts.t)) return false;
      const now = Math.floor(Date.now() / 1000);
      return Array.from({ length: 21 }, (_, at) => now - 10 + at).some((t) => sameHex(sign(secret, t, body), parts.v1));
    }),
  },
  {
    name: 'old-times-taken',
    breaks: 'refuses-stale-timestamp',
    what: 'Only timestamps in the future are compared with the clock.',
    seams: verifying((header, body, secret) => {
      const parts = parse(header);
      return (
        parts !== undefined &&
        Number(parts.t) - Date.now() / 1000 <= toleranceSeconds &&
        sameHex(sign(secret, parts.t, body), parts.v1)
      );
    }),
  },
  {
    name: 'future-times-taken',
    breaks: 'refuses-future-timestamp',
    what: 'Only the past is limited, so a time in the future is never too far off.',
    seams: verifying((header, body, secret) => {
      const parts = parse(header);
      return (
        parts !== undefined &&
        Date.now() / 1000 - Number(parts.t) <= toleranceSeconds &&
        sameHex(sign(secret, parts.t, body), parts.v1)
      );
    }),
  },
  {
    name: 'tolerance-of-ten-minutes',
    breaks: 'refuses-stale-timestamp',
    what: 'Times may be ten minutes old.',
    seams: verifying((header, body, secret) => {
      const parts = parse(header);
      const age = Date.now() / 1000 - Number(parts?.t);
      return (
        parts !== undefined && age <= 600 && age >= -toleranceSeconds && sameHex(sign(secret, parts.t, body), parts.v1)
      );
    }),
  },
  {
    name: 'time-read-once',
    breaks: 'refuses-stale-timestamp',
    what: 'The time is read for the first signature and compared with every later t.',
    mayAlso: [{ id: 'accepts-timestamp-inside-tolerance', why: 'a t ahead is further ahead of an old time' }],
    watchMs: longerThanMarginMs,
    seams: () => {
      let now: number | undefined;
      return {
        verify: (header, body, secret) => {
          now ??= Date.now() / 1000;
          const parts = parse(header);
          return (
            parts !== undefined &&
            Math.abs(now - Number(parts.t)) <= toleranceSeconds &&
            sameHex(sign(secret, parts.t, body), parts.v1)
          );
        },
      };
    },
  },
  {
    name: 'v1-compared-as-far-as-sent',
    breaks: 'refuses-short-v1',
    what: 'v1 is compared only over the number of digits that were sent.',
    seams: orElse((header, body, secret) => {
      const { v1 } = loosely(header);
      return v1 !== undefined && expected(header, body, secret)?.startsWith(v1) === true;
    }),
  },
  {
    name: 'v1-starts-with',
    breaks: 'refuses-long-v1',
    what: 'v1 only has to start with the valid value.',
    seams: orElse(
      (header, body, secret) => loosely(header).v1?.startsWith(expected(header, body, secret) ?? '-') === true,
    ),
  },
  {
    name: 'v1-decoded-until-a-foreign-character',
    breaks: 'refuses-non-hex-v1',
    what: 'v1 is decoded from hex up to the first invalid character, and only those bytes are compared.',
    seams: orElse((header, body, secret) => {
      const { v1 = '' } = loosely(header);
      if (!asciiHexLength.test(v1)) return false;
      const given = Buffer.from(v1, 'hex');
      const right = Buffer.from(expected(header, body, secret) ?? '', 'hex');
      return given.length < 32 && right.length === 32 && right.subarray(0, given.length).equals(given);
    }),
  },
  {
    name: 'non-ascii-signature-let-through',
    breaks: 'refuses-non-ascii-signature',
    what: 'A header with characters that cannot be compared throws, and the error handler accepts the request.',
    seams: orElse((header) => /[\u0080-\uffff]/.test(header ?? '')),
  },
  {
    name: 'v1-compared-when-sent',
    breaks: 'refuses-timestamp-only',
    what: 'A header with only t is accepted, because v1 is compared only when it is present.',
    seams: orElse((header) => {
      const { t, v1 } = loosely(header);
      return v1 === undefined && t !== undefined;
    }),
  },
  {
    name: 't-checked-when-sent',
    breaks: 'refuses-v1-only',
    what: 'A header with only v1 is accepted, with the time of arrival in place of t.',
    seams: orElse((header) => {
      const { t, v1 } = loosely(header);
      return t === undefined && /^[0-9a-f]{64}$/.test(v1 ?? '');
    }),
  },
  {
    name: 'older-scheme-still-taken',
    breaks: 'refuses-signature-without-timestamp',
    what: 'A signature over the body without t in front is also accepted, as in an older scheme.',
    seams: orElse((header, body, secret) => {
      const parts = parse(header);
      return parts !== undefined && isRecent(parts.t) && sameHex(signBodyAlone(secret, body), parts.v1);
    }),
  },
  {
    name: 'signature-over-parsed-body',
    breaks: 'refuses-reserialised-body',
    ofDeliveries: true,
    what: 'When the signature does not match the raw body, the parsed and rewritten JSON is also tried.',
    mayAlso: [{ id: 'refuses-altered-body', why: 'white space that is added to a body is gone when it is rewritten' }],
    seams: orElse((header, body, secret) => {
      const parts = parse(header);
      if (parts === undefined || !isRecent(parts.t)) return false;
      return sameHex(sign(secret, parts.t, rewritten(body)), parts.v1);
    }),
  },
  {
    name: 'body-trimmed-before-verifying',
    breaks: 'refuses-altered-body',
    ofDeliveries: true,
    what: 'White space at the end of the body is removed before the signature is verified.',
    seams: orElse((header, body, secret) => verify(header, Buffer.from(body.toString('utf8').trimEnd()), secret)),
  },
  {
    name: 'valid-signatures-cached',
    breaks: 'refuses-altered-body',
    ofDeliveries: true,
    what: 'A signature header that was valid is kept in a cache and accepted with any body.',
    seams: () => {
      const valid = new Set<string | undefined>();
      return {
        verify: (header, body, secret) => {
          const isValid = valid.has(header) || verify(header, body, secret);
          if (isValid) valid.add(header);
          return isValid;
        },
      };
    },
  },
  {
    name: 'refused-with-400',
    breaks: 'refuses-with-401',
    ofDeliveries: true,
    what: 'A bad signature is refused with 400.',
    mayAlso: [{ id: 'refuses-with-401-if-unreadable', why: 'an unreadable header is a bad signature to it' }],
    seams: () => ({ refusal: (header) => ({ status: header === undefined ? 401 : 400 }) }),
  },
  {
    name: 'refused-with-403-when-missing',
    breaks: 'refuses-with-401-if-unreadable',
    ofDeliveries: true,
    what: 'A delivery without a signature is refused with 403.',
    seams: () => ({ refusal: (header) => ({ status: header === undefined ? 403 : 401 }) }),
  },
  {
    name: 'unsigned-redirected-to-sign-in',
    breaks: 'refuses-with-4xx-if-unreadable',
    ofDeliveries: true,
    what: 'A delivery without a signature is redirected to the sign-in page.',
    mayAlso: [{ id: 'refuses-with-401-if-unreadable', why: 'a redirect is not a 401 either' }],
    seams: () => ({
      refusal: (header) =>
        header === undefined ? { status: 302, headers: { location: '/sign-in' } } : { status: 401 },
    }),
  },
  {
    name: 'unequal-lengths-throw',
    breaks: 'bad-signature-is-answered',
    ofDeliveries: true,
    what: 'Comparing v1 of another length than expected throws.',
    seams: () => ({
      refusal: (header) => ({ status: (loosely(header).v1 ?? '').length === 64 ? 401 : 500 }),
    }),
  },
  {
    name: 'missing-signature-hangs',
    breaks: 'bad-signature-is-answered',
    ofDeliveries: true,
    what: 'A delivery without a signature is never answered.',
    seams: () => ({ refusal: (header) => (header === undefined ? 'silence' : { status: 401 }) }),
  },
  {
    name: 'tolerance-of-one-minute',
    breaks: 'accepts-timestamp-inside-tolerance',
    what: 'Times may be at most one minute off.',
    seams: verifying((header, body, secret) => {
      const parts = parse(header);
      return verify(header, body, secret) && Math.abs(Date.now() / 1000 - Number(parts?.t)) <= 60;
    }),
  },
  {
    name: 'clock-ahead-refused',
    breaks: 'accepts-timestamp-inside-tolerance',
    what: 'A time in the future is refused, however near it is.',
    seams: verifying((header, body, secret) => {
      return verify(header, body, secret) && Number(parse(header)?.t) <= Date.now() / 1000 + 30;
    }),
  },
  {
    name: 'members-read-by-pattern',
    breaks: 'accepts-any-wire-form',
    ofDeliveries: true,
    what: 'The body is parsed with patterns that expect compact JSON without escapes.',
    seams: () => ({ read: (_, { body }) => (isCompact(body) ? undefined : { status: 400 }) }),
  },
  {
    name: 'body-decoded-in-parts',
    breaks: 'accepts-any-wire-form',
    ofDeliveries: true,
    what: 'Each part of a body is decoded on arrival, which breaks a character that two parts share.',
    mayAlso: ['answers-long-and-large-values', 'accepts-long-and-large-values'].map((id) => ({
      id,
      why: 'a long body arrives in parts',
    })),
    seams: () => ({
      transport: { join: (parts) => Buffer.from(parts.map((part) => part.toString('utf8')).join('')) },
    }),
  },
  {
    name: 'digits-only-numbers',
    breaks: 'accepts-other-number-forms',
    ofDeliveries: true,
    what: 'Numbers that do not consist of digits only are refused.',
    mayAlso: [{ id: 'accepts-unknown-members', why: 'unknown fields may hold fractions' }],
    seams: () => ({ read: (_, { body }) => (otherNumberForm.test(body.toString()) ? { status: 400 } : undefined) }),
  },
  {
    name: 'charset-refused',
    breaks: 'accepts-charset',
    ofDeliveries: true,
    what: 'The content type must be exactly application/json, without parameters.',
    seams: () => ({
      read: (_, { headers }) => (headers['content-type'] === 'application/json' ? undefined : { status: 415 }),
    }),
  },
];

function rewritten(body: Buffer): string {
  try {
    return JSON.stringify(JSON.parse(body.toString('utf8')));
  } catch {
    return '';
  }
}

function signBodyAlone(secret: string, body: Buffer): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}
