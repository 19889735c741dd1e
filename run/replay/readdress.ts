import { parseJsonText } from '../../harness/checks/json.ts';
import { isJsonObject } from '../../specs/json-object.ts';

/** Fields of events that name where the endpoint sends something, with the API key of the service. */
const addressFields: readonly unknown[] = ['callbackUrl', 'replyUrl'];

/** A JSON string, with the colon after it where it is the name of a field. */
const stringToken = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/**
 * The addresses to which a recorded body leads an endpoint, by the text: a field may be there twice, and endpoints
 * differ in which one they read.
 */
export function addressesIn(body: string): ReadonlySet<string> {
  const found = new Set<string>();
  eachAddress(body, (token, value) => {
    found.add(value);
    return token;
  });
  return found;
}

/** The body, byte for byte except for these addresses, whatever their escapes. */
export function readdress(body: string, from: ReadonlySet<string>, to: string): string {
  const text = eachAddress(body, () => JSON.stringify(to));
  return text.replaceAll(stringToken, (token, string: string, colon: string | undefined) =>
    colon === undefined && from.has(String(parseJsonText(string))) ? JSON.stringify(to) : token,
  );
}

/** Whether a body that is not JSON contains an address: whether an endpoint would contact it cannot be decided. */
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
