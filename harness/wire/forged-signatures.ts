import { limits } from '../../specs/limits.ts';
import type { SignedDelivery } from './signed-delivery.ts';

/**
 * Seconds that a signature lies inside and outside the tolerance: more than a clock of another machine is usually off,
 * so that a small difference of clocks decides nothing.
 */
export const clockMarginSeconds = 20;
const { signatureToleranceSeconds } = limits;
const yearSeconds = 31_536_000;

const callIdHeader = 'X-Svc-Call-Id';
const secretPrefix = 'whsec_';
const nothing = new Uint8Array();

/** Facts from which a signature can be forged. */
export interface ForgeryFacts {
  /** The address of the endpoint. */
  url: string;
}

type Forge = (correct: SignedDelivery, facts: ForgeryFacts) => SignedDelivery | undefined;

/**
 * Invalid signatures, each invalid in one way (interface: Authentication). Each is made from a valid delivery or
 * upgrade; `undefined` where the secret gives nothing of the kind.
 */
export const forgedSignatures = {
  noHeader: (correct: SignedDelivery) => correct.with({ write: () => undefined }),
  emptyHeader: (correct: SignedDelivery) => correct.with({ write: () => '' }),
  garbage: (correct: SignedDelivery) => correct.with({ write: () => 'not-a-signature' }),
  wordAsT: (correct: SignedDelivery) => correct.with({ write: (_, v1) => `t=now,v1=${v1}` }),
  emptyTAndV1: (correct: SignedDelivery) => correct.with({ write: () => 't=,v1=' }),
  otherSecret: (correct: SignedDelivery) => correct.with({ secret: `${correct.secret.slice(0, 6)}another-secret` }),
  emptySecret: (correct: SignedDelivery) => correct.with({ secret: '' }),
  strippedSecret: (correct: SignedDelivery) => withSecret(correct, strippedSecret(correct.secret)),
  decodedSecret: (correct: SignedDelivery) => withSecret(correct, decodedSecret(correct.secret)),
  changedDigitInBody: (correct: SignedDelivery) => correct.withBodyChangedAfterSigning(changeOneDigit),
  lineFeedAfterBody: (correct: SignedDelivery) =>
    correct.withBodyChangedAfterSigning((body) => Buffer.concat([body, Buffer.from('\n')])),
  // The bytes on the wire are written with white space; what is signed is what parsing and writing again gives.
  reserialisedBody: (correct: SignedDelivery) =>
    correct.with({ signed: correct.body }).withBody(Buffer.from(JSON.stringify(correct.event, null, 2), 'utf8')),
  changedT: (correct: SignedDelivery) => correct.with({ write: (t, v1) => `t=${t - 1},v1=${v1}` }),
  staleT: (correct: SignedDelivery) =>
    correct.with({ offsetSeconds: -(signatureToleranceSeconds + clockMarginSeconds) }),
  yearOldT: (correct: SignedDelivery) => correct.with({ offsetSeconds: -yearSeconds }),
  futureT: (correct: SignedDelivery) => correct.with({ offsetSeconds: signatureToleranceSeconds + clockMarginSeconds }),
  shortV1: (correct: SignedDelivery) => correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, -2)}` }),
  emptyV1: (correct: SignedDelivery) => correct.with({ write: (t) => `t=${t},v1=` }),
  longV1: (correct: SignedDelivery) => correct.with({ write: (t, v1) => `t=${t},v1=${v1}00` }),
  noHexInV1: (correct: SignedDelivery) => correct.with({ write: (t, v1) => `t=${t},v1=${'z'.repeat(v1.length)}` }),
  noHexInSecondHalf: (correct: SignedDelivery) =>
    correct.with({ write: (t, v1) => `t=${t},v1=${v1.slice(0, 32)}${'z'.repeat(v1.length - 32)}` }),
  nonAsciiV1: (correct: SignedDelivery) => correct.with({ write: (t, v1) => `t=${t},v1=${'é'.repeat(v1.length)}` }),
  tOnly: (correct: SignedDelivery) => correct.with({ write: (t) => `t=${t}` }),
  v1Only: (correct: SignedDelivery) => correct.with({ write: (_, v1) => `v1=${v1}` }),
  v1OverEmptyT: (correct: SignedDelivery) =>
    correct.with({ signedParts: (_, signed) => [Buffer.from('.'), signed], write: (_, v1) => `v1=${v1}` }),
  contentWithoutT: (correct: SignedDelivery) => correct.with({ signedParts: (_, signed) => [signed] }),
  tWithoutContent: (correct: SignedDelivery) => correct.with({ signed: nothing }),
  path: (correct: SignedDelivery, { url }: ForgeryFacts) => {
    const { pathname, search } = new URL(url);
    return correct.with({ signed: Buffer.from(`${pathname}${search}`, 'utf8') });
  },
  noCallId: (correct: SignedDelivery) => correct.withHeader(callIdHeader, undefined),
  noCallIdEmptySigned: (correct: SignedDelivery) =>
    correct.withHeader(callIdHeader, undefined).with({ signed: nothing }),
  reversedCallId: (correct: SignedDelivery) =>
    correct.with({ signed: Buffer.from(callIdOf(correct), 'utf8').reverse() }),
  callIdWithOtherEnd: (correct: SignedDelivery) =>
    correct.with({ signed: Buffer.from(withOtherEnd(callIdOf(correct)), 'utf8') }),
} as const satisfies Record<string, Forge>;

/** The string that a program writes for a missing header that it interpolates. */
export const missingHeaderTexts = { JavaScript: 'undefined', Java: 'null', Python: 'None' } as const;

/** An upgrade without its call id, signed over what a program writes for a missing header. */
export function signedOverMissingCallId(correct: SignedDelivery, text: string): SignedDelivery {
  return correct.withHeader(callIdHeader, undefined).with({ signed: Buffer.from(text, 'utf8') });
}

/** The signature of an earlier delivery or call. */
export function withEarlierSignature(correct: SignedDelivery, earlier: string | undefined): SignedDelivery {
  return correct.with({ write: () => earlier });
}

function withSecret(correct: SignedDelivery, secret: string | Uint8Array | undefined): SignedDelivery | undefined {
  return secret === undefined ? undefined : correct.with({ secret });
}

/** The secret without whsec_, as libraries for another scheme use it. */
function strippedSecret(secret: string): string | undefined {
  return secret.startsWith(secretPrefix) && secret.length > secretPrefix.length
    ? secret.slice(secretPrefix.length)
    : undefined;
}

function decodedSecret(secret: string): Uint8Array | undefined {
  const rest = strippedSecret(secret);
  return rest === undefined ? undefined : Buffer.from(rest, 'base64');
}

/** Another digit in place of the last one: the JSON stays valid. */
function changeOneDigit(body: Buffer): Buffer {
  const changed = Buffer.from(body);
  const at = changed.findLastIndex((byte) => byte >= 0x30 && byte <= 0x39);
  changed[at] = changed[at] === 0x31 ? 0x32 : 0x31;
  return changed;
}

function callIdOf(upgrade: SignedDelivery): string {
  return upgrade.headers.find(([name]) => name.toLowerCase() === callIdHeader.toLowerCase())?.[1] ?? '';
}

/** The same string with another last character. */
function withOtherEnd(text: string): string {
  return `${text.slice(0, -1)}${text.endsWith('0') ? '1' : '0'}`;
}
