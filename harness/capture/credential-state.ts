import { limits } from '../../specs/limits.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';

/** What is wrong about the credential of a delivery: the bearer token of a CRM event, or a signature. */
export type CredentialFault =
  | 'wrong-token'
  | 'missing-signature'
  | 'empty-signature'
  | 'garbage-signature'
  | 'timestamp-only'
  | 'v1-only'
  | 'short-v1'
  | 'long-v1'
  | 'non-hex-v1'
  | 'stale'
  | 'future'
  /** The signature has its form and does not fit: another secret, or a body or time that was changed on the way. */
  | 'unfitting';

/**
 * Whether a delivery is the service's, as its receiver can tell. `unknown`: the secret was not given, was taken out of
 * the recording, or the recording does not have the bytes that were signed.
 */
export type CredentialState =
  { is: 'authentic' } | { is: 'invalid'; fault: CredentialFault } | { is: 'unknown'; why: string };

/** A signed delivery, or the upgrade of a call, as a recording has it. */
export interface SignedMessage {
  /** Value of X-Svc-Signature. */
  signature: string | undefined;
  /** What is signed beside `t`. */
  signed: Uint8Array;
  /** `signed` has the very bytes that were sent. */
  isExact: boolean;
  /** Id of the delivery or call. */
  id: string | undefined;
  /** It was answered as a bad signature is. */
  isRefused: boolean;
  /** Unix milliseconds, on the recorder's clock. */
  atMs: number;
}

/** Seconds around the tolerance in which recorder and receiver may disagree. */
const unsureSeconds = 15;
/** Seconds by which `t` of a delivery may lie off for the recorder's clock to count as right. */
const rightClockSeconds = 60;

/** What a recorder or a person writes in place of a credential. */
const hidden = /redact|removed|hidden|\*{3}|x{5}|^(?:bearer )?[<[{(]/i;

/** Whether a header's value is not a credential but a mark in its place. */
export function isHidden(value: string): boolean {
  return hidden.test(value);
}

/** Judges signatures of one surface together: whether secret and clock are right shows in those that fit. */
export function signatureStates(messages: readonly SignedMessage[], secret: string | undefined): CredentialState[] {
  const fitting = messages.map((message) => fits(message, secret));
  const isRightSecret = fitting.some((fit) => fit !== undefined);
  const isRightClock = fitting.some((fit) => fit !== undefined && Math.abs(fit) <= rightClockSeconds);
  const proven = Map.groupBy(
    messages.filter((_, at) => fitting[at] !== undefined),
    ({ id }) => id,
  );
  const areShown = messages.some(({ signature }) => signature !== undefined);
  return messages.map((message, at): CredentialState => {
    const { signature, isExact } = message;
    if (signature === undefined) {
      return areShown ? invalid('missing-signature') : { is: 'unknown', why: 'the recording has no signatures' };
    }
    if (isHidden(signature)) return { is: 'unknown', why: 'the signature was taken out of the recording' };
    const misshapen = malformation(signature);
    if (misshapen) return invalid(misshapen);
    if (secret === undefined) return { is: 'unknown', why: 'the secret was not given' };
    const offset = fitting[at];
    if (offset !== undefined) return byAge(offset, isRightClock);
    if (!isExact) return { is: 'unknown', why: 'the recording does not have the bytes that were signed' };
    if (!isRightSecret) return { is: 'unknown', why: 'no signature fits the secret that was given' };
    // People take out words letter by letter: only a refusal, or a right signature over the same, shows the bytes real.
    const isReal = message.isRefused || (proven.get(message.id) ?? []).some((other) => signsTheSame(other, message));
    return isReal ? invalid('unfitting') : { is: 'unknown', why: 'what was signed may have been changed since' };
  });
}

function signsTheSame({ signed }: SignedMessage, other: SignedMessage): boolean {
  return Buffer.compare(signed, other.signed) === 0;
}

function byAge(offset: number, isRightClock: boolean): CredentialState {
  const beyond = Math.abs(offset) - limits.signatureToleranceSeconds;
  if (beyond <= -unsureSeconds) return { is: 'authentic' };
  if (beyond < unsureSeconds) return { is: 'unknown', why: 't lies at the edge of the tolerance' };
  if (!isRightClock) return { is: 'unknown', why: 'the clock of the recorder may be wrong' };
  return invalid(offset < 0 ? 'stale' : 'future');
}

/** Seconds from the exchange to `t`, where the signature fits the secret. */
function fits({ signature, signed, atMs }: SignedMessage, secret: string | undefined): number | undefined {
  const [, time = '', v1 = ''] = wellFormed.exec(signature ?? '') ?? [];
  if (time === '' || secret === undefined) return undefined;
  const t = Number(time);
  return hmacHex(secret, signedBytes(t, signed)) === v1.toLowerCase() ? t - atMs / 1000 : undefined;
}

const wellFormed = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/i;

function malformation(signature: string): CredentialFault | undefined {
  if (wellFormed.test(signature)) return undefined;
  if (signature.trim() === '') return 'empty-signature';
  if (/^t=\d+$/.test(signature)) return 'timestamp-only';
  if (/^v1=[0-9a-f]+$/i.test(signature)) return 'v1-only';
  const v1 = /^t=\d+,v1=([^,\s]*)$/.exec(signature)?.[1];
  if (v1 === undefined || v1 === '') return 'garbage-signature';
  if (!/^[0-9a-f]+$/i.test(v1)) return 'non-hex-v1';
  return v1.length < 64 ? 'short-v1' : 'long-v1';
}

function invalid(fault: CredentialFault): CredentialState {
  return { is: 'invalid', fault };
}

/**
 * Judges the bearer tokens of CRM events together: whether the token that was given is the right one shows in those
 * that carry it. A recording in which no request has an Authorization header has lost them: browsers leave them out.
 *
 * @param values of the Authorization headers
 */
export function tokenStates(
  values: readonly (string | undefined)[],
  { token, areShown }: { token: string | undefined; areShown: boolean },
): CredentialState[] {
  // The name of the scheme has no letter case (RFC 9110, 11.1).
  const isRight = (value: string | undefined) => value?.replace(/^bearer +/i, 'Bearer ') === `Bearer ${token}`;
  const isRightToken = values.some(isRight);
  return values.map((value): CredentialState => {
    if (token === undefined) return { is: 'unknown', why: 'the token was not given' };
    if (value === undefined && !areShown) return { is: 'unknown', why: 'the recording has no Authorization headers' };
    if (value !== undefined && isHidden(value)) {
      return { is: 'unknown', why: 'the token was taken out of the recording' };
    }
    if (isRight(value)) return { is: 'authentic' };
    return isRightToken ? invalid('wrong-token') : { is: 'unknown', why: 'no event carries the token that was given' };
  });
}
