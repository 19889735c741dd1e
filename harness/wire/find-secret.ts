import type { FindingPart } from '../checks/finding.ts';
import type { WireRequest } from './observation.ts';

/** Length from which a secret within another string cannot be a coincidence. */
export const telltaleCharacters = 8;

export interface NamedValue {
  /** With its article: `the webhook token`. */
  name: string;
  value: string;
}

/** A secret that a request contains, and where. */
export interface DisclosedSecret {
  name: string;
  /** `the header authorization`, `the address` or `the body`. */
  place: string;
  part?: FindingPart;
}

/** The first of these secrets that a request contains: in a header, the address or the body. */
export function findSecret(request: WireRequest, secrets: readonly NamedValue[]): DisclosedSecret | undefined {
  for (const { name, value } of secrets) {
    const found = findValue(request, value);
    if (found) return { name, ...found };
  }
  return undefined;
}

function findValue({ headers, url, body }: WireRequest, secret: string): Omit<DisclosedSecret, 'name'> | undefined {
  // A short secret occurs in other text by chance.
  const within = (text: string) => (secret.length >= telltaleCharacters ? text.includes(secret) : text === secret);
  const header = headers.find(([, value]) => within(value.replace(/^bearer +/i, '')))?.[0].toLowerCase();
  if (header !== undefined) return { place: `the header ${header}`, part: { header } };
  if (within(url)) return { place: 'the address' };
  return within(Buffer.from(body).toString('utf8')) ? { place: 'the body', part: { body: [] } } : undefined;
}
