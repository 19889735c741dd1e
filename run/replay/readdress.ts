import { parseJsonText } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** Fields of events with an address to which the endpoint sends requests, with the API key of the service. */
const addressFields: readonly unknown[] = ['callbackUrl', 'replyUrl'];

/** A JSON string, with the colon after it if it is the name of a field. */
const stringToken = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/**
 * The addresses in a recorded body to which an endpoint would send requests. Searches the raw JSON: a field may occur
 * twice, and endpoints differ in which one they read.
 */
export function addressesIn(body: string): ReadonlySet<string> {
  const found = new Set<string>();
  eachAddress(body, (token, value) => {
    found.add(value);
    return token;
  });
  return found;
}

/** Replaces these addresses, whatever their escapes; the rest of the body stays byte for byte the same. */
export function readdress(body: string, from: ReadonlySet<string>, to: string): string {
  const text = eachAddress(body, () => JSON.stringify(to));
  return text.replaceAll(stringToken, (token, string: string, colon: string | undefined) =>
    colon === undefined && from.has(String(parseJsonText(string))) ? JSON.stringify(to) : token,
  );
}

/** Whether a body that is not JSON contains an address; it is unknown whether an endpoint would contact it. */
export function hasUnreadableAddress(body: string): boolean {
  return !isJsonObject(parseJsonText(body)) && /:(?:\\?\/){2}/.test(body);
}

function eachAddress(body: string, replace: (token: string, value: string) => string): string {
  let field: unknown;
  return body.replaceAll(stringToken, (token, string: string, colon: string | undefined) => {
    const value = parseJsonText(string);
    if (colon !== undefined) field = value;
    else if (addressFields.includes(field) && typeof value === 'string') return replace(token, value);
    return token;
  });
}
