import type { Brand } from '../../specs/brand.ts';
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
  { names, brand }: { names: readonly string[] | undefined; brand: Brand },
): readonly (readonly [string, string])[] {
  const { key, content, algorithm, encoding, header } = parts;
  const read = readBody(parts.body, body) ?? body;
  const v1 = encoding.write(algorithm.compute(key.key, contentBytes(content.parts(facts), read)));
  const value = header.write(facts.t, v1);
  const carriers = header.otherName ? (names ?? otherNames(brand)) : [signatureHeaderName];
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
export function openNames(parts: SignatureParts, brand: Brand): readonly string[] {
  if (parts.header.otherName) return otherNames(brand);
  return isOtherId(parts) ? otherIdHeaders.map(([name]) => name) : [];
}

/** Includes the name in the interface document where the vendor's is another one. */
function otherNames(brand: Brand): readonly string[] {
  return brand.isDocuments ? otherHeaderNames : [brand.text(signatureHeaderName), ...otherHeaderNames];
}

function isOtherId({ body }: SignatureParts): boolean {
  return body.form === otherIdForm;
}
