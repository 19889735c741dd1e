import { createPublicKey, sign, verify, type KeyObject } from 'node:crypto';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { keyIdOf } from './keys.ts';
import { isJsonContainer } from '../../specs/json-object.ts';

/** Media type of the payload of a certificate: an in-toto Statement as JSON. */
export const statementMediaType = 'application/vnd.in-toto+json';

/** A signed DSSE 1.0 message. */
export interface Envelope {
  readonly payload: string;
  readonly payloadType: string;
  readonly signatures: readonly { readonly keyid: string; readonly sig: string }[];
}

/** The payload of a verified envelope, or the reason why it was rejected. */
export type OpenedEnvelope = { readonly payload: string } | { readonly problem: string };

/**
 * The bytes that are signed (DSSE 1.0, PAE): `DSSEv1`, then type and body, each preceded by its length in bytes,
 * separated by single spaces.
 */
export function preAuthenticationEncoding(type: string, body: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`DSSEv1 ${Buffer.byteLength(type)} ${type} ${body.length} `), body]);
}

/** The envelope file with this payload, signed with an Ed25519 private key. */
export function sealEnvelope(payload: string, privateKey: KeyObject): string {
  const body = Buffer.from(payload);
  const sig = sign(null, preAuthenticationEncoding(statementMediaType, body), privateKey).toString('base64');
  return envelopeText({
    payload: body.toString('base64'),
    payloadType: statementMediaType,
    signatures: [{ keyid: keyIdOf(createPublicKey(privateKey)), sig }],
  });
}

/**
 * Verifies the signature of an envelope file and returns the verified payload. DSSE allows several encodings of the same
 * envelope; a certificate is accepted only in the exact bytes of `sealEnvelope`, so that any change is detected.
 */
export function openEnvelope(file: Uint8Array, publicKey: KeyObject): OpenedEnvelope {
  const text = Buffer.from(file).toString('utf8');
  const envelope = readEnvelope(text);
  if (!envelope)
    return { problem: 'It is not a certificate: expected a DSSE envelope (JSON), received something else.' };
  const [signature, ...others] = envelope.signatures;
  if (!signature || others.length > 0) {
    return { problem: `It is not a certificate: expected one signature, received ${envelope.signatures.length}.` };
  }
  const body = Buffer.from(envelope.payload, 'base64');
  const sig = Buffer.from(signature.sig, 'base64');
  if (!verify(null, preAuthenticationEncoding(envelope.payloadType, body), publicKey, sig)) {
    return { problem: unverified(signature.keyid, keyIdOf(publicKey)) };
  }
  const asWritten = envelopeText({
    payload: body.toString('base64'),
    payloadType: statementMediaType,
    signatures: [{ keyid: keyIdOf(publicKey), sig: sig.toString('base64') }],
  });
  if (!Buffer.from(file).equals(Buffer.from(asWritten))) {
    return {
      problem:
        'The signed statement is unchanged, but the file around it was modified or reformatted. Ask for the original file.',
    };
  }
  return { payload: body.toString('utf8') };
}

/** Whether a string is an envelope with a statement, by any signer. */
export function isCertificate(text: string): boolean {
  return readEnvelope(text)?.payloadType === statementMediaType;
}

function envelopeText(envelope: Envelope): string {
  return `${JSON.stringify(envelope, undefined, 2)}\n`;
}

function unverified(theirs: string, ours: string): string {
  return theirs === ours
    ? 'The signature is invalid: the certificate was changed after it was signed.'
    : `The signature was not made with this key: expected key ${ours}, received one that names ${theirs === '' ? 'no key' : `key ${theirs}`}.`;
}

function readEnvelope(text: string): Envelope | undefined {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('error' in read || !isJsonContainer(read.value)) return undefined;
  const { payload, payloadType, signatures } = read.value;
  if (typeof payload !== 'string' || typeof payloadType !== 'string' || !Array.isArray(signatures)) return undefined;
  const signed = signatures.flatMap((one: unknown) => {
    if (!isJsonContainer(one) || typeof one['sig'] !== 'string') return [];
    return [{ keyid: typeof one['keyid'] === 'string' ? one['keyid'] : '', sig: one['sig'] }];
  });
  return signed.length === signatures.length ? { payload, payloadType, signatures: signed } : undefined;
}
