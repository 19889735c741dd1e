import { readBody } from './body-readings.ts';
import { otherIdForm, otherIdHeaders, otherIdMark } from './call-readings.ts';
import { contentBytes, type Facts } from './content-readings.ts';
import { idHeaderNames, otherHeaderNames, timestampHeaderNames } from './header-readings.ts';
import type { SignatureParts } from './signature-parts.ts';

/** The header that carries the signature (interface: Authentication). */
export const signatureHeaderName = 'X-Svc-Signature';

/**
 * The headers of a delivery or call that is signed according to a scheme. If the header of the scheme, or of its id, has
 * an unknown name, they contain every candidate; `names` limits the candidates.
 */
export function signedHeaders(
  parts: SignatureParts,
  facts: Facts,
  body: Uint8Array,
  names?: readonly string[],
): readonly (readonly [string, string])[] {
  const { key, content, algorithm, encoding, header } = parts;
  const read = readBody(parts.body, body) ?? body;
  const v1 = encoding.write(algorithm.compute(key.key, contentBytes(content.parts(facts), read)));
  const value = header.write(facts.t, v1);
  const carriers = header.otherName ? (names ?? otherHeaderNames) : [signatureHeaderName];
  const ids = isOtherId(parts) ? (names ?? otherIdHeaders.map(([name]) => name)) : [];
  const eventIds = header.otherName === true && !value.includes(String(facts.t)) ? idHeaderNames : [];
  const times = value.includes(String(facts.t)) ? [] : timestampHeaderNames;
  return [
    ...carriers.map((name) => [name, value] as const),
    ...times.map((name) => [name, String(facts.t)] as const),
    ...eventIds.map((name) => [name, facts.id] as const),
    ...ids.map((name) => [name, otherIdMark] as const),
  ];
}

/** Candidates for the name of the header that the endpoint reads; none if the name is known. */
export function openNames(parts: SignatureParts): readonly string[] {
  if (parts.header.otherName) return otherHeaderNames;
  return isOtherId(parts) ? otherIdHeaders.map(([name]) => name) : [];
}

function isOtherId({ body }: SignatureParts): boolean {
  return body.form === otherIdForm;
}
