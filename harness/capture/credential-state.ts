import { limits } from '../../specs/limits.ts';
import { hmacHex, signedBytes } from '../../specs/signing.ts';

/** Faults of the credential of a delivery: the bearer token of a CRM event, or a signature. */
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
  /** The signature is well-formed but does not match: another secret, or a body or time that was changed in transit. */
  | 'unfitting';

/**
 * Whether the receiver can verify that a delivery is the service's. `unknown`: the secret is not configured, the
 * credential was redacted, or the signed bytes were not recorded.
 */
export type CredentialState =
  { is: 'authentic' } | { is: 'invalid'; fault: CredentialFault } | { is: 'unknown'; why: string };

/** A recorded signed delivery or upgrade of a call. */
export interface SignedMessage {
  /** Value of X-Svc-Signature. */
  signature: string | undefined;
  /** The signed bytes in addition to `t`. */
  signed: Uint8Array;
  /** `signed` contains exactly the bytes that were sent. */
  isExact: boolean;
  /** Id of the delivery or call. */
  id: string | undefined;
  /** It was rejected like a message with an invalid signature. */
  isRefused: boolean;
  /** Unix milliseconds, on the recorder's clock. */
  atMs: number;
}

/** Seconds around the tolerance in which the clocks of recorder and receiver may lead to different results. */
const unsureSeconds = 15;
/** Seconds by which `t` may differ for the recorder's clock to count as correct. */
const rightClockSeconds = 60;

/** Placeholders for redacted credentials. */
const hidden = /redact|removed|hidden|\*{3}|x{5}|^(?:bearer )?[<[{(]/i;

/** Whether a header value is a placeholder for a credential. */
export function isHidden(value: string): boolean {
  return hidden.test(value);
}

/**
 * Determines the states of all signatures of one surface together: valid ones show whether secret and clock are
 * correct.
 */
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
    if (isHidden(signature)) return { is: 'unknown', why: 'the signature is redacted in the recording' };
    const misshapen = malformation(signature);
    if (misshapen) return invalid(misshapen);
    if (secret === undefined) return { is: 'unknown', why: 'the secret is not configured' };
    const offset = fitting[at];
    if (offset !== undefined) return byAge(offset, isRightClock);
    if (!isExact) return { is: 'unknown', why: 'the recording does not contain the signed bytes' };
    if (!isRightSecret) return { is: 'unknown', why: 'no signature matches the configured secret' };
    // Manual redaction keeps the length: only a rejection, or a valid signature over the same bytes, proves that the
    // bytes are original.
    const isReal = message.isRefused || (proven.get(message.id) ?? []).some((other) => signsTheSame(other, message));
    return isReal ? invalid('unfitting') : { is: 'unknown', why: 'the signed bytes may have been changed since' };
  });
}

function signsTheSame({ signed }: SignedMessage, other: SignedMessage): boolean {
  return Buffer.compare(signed, other.signed) === 0;
}

function byAge(offset: number, isRightClock: boolean): CredentialState {
  const beyond = Math.abs(offset) - limits.signatureToleranceSeconds;
  if (beyond <= -unsureSeconds) return { is: 'authentic' };
  if (beyond < unsureSeconds) return { is: 'unknown', why: 't is at the edge of the tolerance' };
  if (!isRightClock) return { is: 'unknown', why: 'the clock of the recorder may be wrong' };
  return invalid(offset < 0 ? 'stale' : 'future');
}

/** Seconds from the exchange to `t` if the signature matches the secret. */
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
 * Determines the states of the bearer tokens of CRM events together: matching ones show whether the configured token is
 * correct. If no request has an Authorization header, the recording has lost them: browsers omit them.
 *
 * @param values values of the Authorization headers
 */
export function tokenStates(
  values: readonly (string | undefined)[],
  { token, areShown }: { token: string | undefined; areShown: boolean },
): CredentialState[] {
  // The scheme is case-insensitive (RFC 9110, 11.1).
  const isRight = (value: string | undefined) => value?.replace(/^bearer +/i, 'Bearer ') === `Bearer ${token}`;
  const isRightToken = values.some(isRight);
  return values.map((value): CredentialState => {
    if (token === undefined) return { is: 'unknown', why: 'the token is not configured' };
    if (value === undefined && !areShown) return { is: 'unknown', why: 'the recording has no Authorization headers' };
    if (value !== undefined && isHidden(value)) {
      return { is: 'unknown', why: 'the token is redacted in the recording' };
    }
    if (isRight(value)) return { is: 'authentic' };
    return isRightToken ? invalid('wrong-token') : { is: 'unknown', why: 'no event contains the configured token' };
  });
}
