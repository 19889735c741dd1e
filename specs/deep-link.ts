/** Target, path and naming parameter of each form of deep link. Section: Deep links. */
export const deepLinkForms = {
  projectId: { opens: 'project', path: 'open/project', parameter: 'id' },
  crmId: { opens: 'project', path: 'open/project', parameter: 'crmId' },
  crmContactId: { opens: 'project', path: 'open/project', parameter: 'crmContactId' },
  dial: { opens: 'dial', path: 'open/dial', parameter: 'number' },
} as const;

/** One of the four forms. */
export type DeepLinkForm = keyof typeof deepLinkForms;

/** The forms in the document's order. */
export const deepLinkFormNames = Object.keys(deepLinkForms) as DeepLinkForm[];

/** The scheme that opens the installed app. Section: Deep links. */
export const appScheme = 'svc';

/** Digits of an international phone number at most, its country code among them (ITU-T E.164, 6.1). */
export const mostPhoneDigits = 15;
/** Digits below which no subscriber of any country has an international number. */
export const fewestPhoneDigits = 7;

/** A fault of a value or a link, in the form of every message: expected X, received Y. */
export interface LinkFault {
  expected: string;
  received: string;
  /** The probable cause or the fix, where known. */
  hint?: string;
}

/**
 * The deep link of one form to a value, written by percent encoding; without `appUrl` with the app scheme. The number
 * of a dial link goes in as plus and digits. Throws RangeError for a value that {@link valueFault} finds fault with.
 * Section: Deep links.
 *
 * @param appUrl the app address as {@link readAppUrl} returns it
 */
export function buildDeepLink(form: DeepLinkForm, value: string, appUrl?: string): string {
  const fault = valueFault(form, value);
  if (fault) throw new RangeError(`expected ${fault.expected}, received ${fault.received}`);
  const { path, parameter } = deepLinkForms[form];
  const written = form === 'dial' ? (internationalNumber(value)?.plain ?? value) : value;
  return `${appUrl === undefined ? `${appScheme}://` : `${appUrl}/`}${path}?${parameter}=${percentEncode(written)}`;
}

/** Why a value cannot be in a link of this form; `undefined` when it can. */
export function valueFault(form: DeepLinkForm, value: string): LinkFault | undefined {
  const received = JSON.stringify(value);
  if (form === 'projectId') {
    return isWholeNumber(value) ? undefined : { expected: 'svcProjectId, a whole number', received };
  }
  if (form === 'dial') {
    const expected = `a phone number in international form, + and ${fewestPhoneDigits} to ${mostPhoneDigits} digits`;
    const number = internationalNumber(value);
    if (number && number.digits >= fewestPhoneDigits && !number.hasExtension) return undefined;
    const meant = number ? undefined : probableNumber(value);
    return { expected, received, ...(meant !== undefined && { hint: `Did you mean ${meant}?` }) };
  }
  if (value === '') return { expected: 'a value', received: 'an empty one' };
  return value.isWellFormed() ? undefined : { expected: 'text', received: 'half of a character (a lone surrogate)' };
}

/** Whether the string is a whole number in decimal digits; no range is documented. */
export function isWholeNumber(text: string): boolean {
  return /^-?[0-9]+$/.test(text);
}

/**
 * Reads the app address: https (http for this machine), with a host, optionally with port and path; returned without a
 * slash at its end.
 */
export function readAppUrl(text: string): { url: string } | LinkFault {
  const expected = 'an app address like https://app.example.com';
  if (!URL.canParse(text)) return { expected, received: JSON.stringify(text) };
  const { protocol, hostname, origin, pathname, search, hash, username, password } = new URL(text);
  if (username !== '' || password !== '') return { expected, received: 'an address with a user name or password' };
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isThisMachine(hostname));
  if (!isSafe) return { expected: `${expected} (http: for this machine only)`, received: JSON.stringify(text) };
  if (search !== '' || hash !== '') return { expected: `${expected} without ? and #`, received: JSON.stringify(text) };
  return { url: `${origin}${pathname}`.replace(/\/+$/, '') };
}

/** Whether a host is this machine: `localhost`, 127.0.0.0/8 or [::1]. */
export function isThisMachine(hostname: string): boolean {
  return /^(?:(?:[^.]+\.)*localhost|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}

/** Percent encoding of everything but letters, digits and `-._~` (RFC 3986, 2.1 to 2.3), as UTF-8. */
export function percentEncode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

/** A value as percent decoding reads it. A plus sign stays one: only what reads forms takes it for a space. */
export interface DecodedValue {
  text: string;
  /** Percent signs without two hex digits after them; they stay unchanged. */
  brokenPercents: string[];
  /** The encoded bytes are UTF-8; where not, `text` has U+FFFD in their place. */
  isUtf8: boolean;
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const anyUtf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Decodes a value once. Never throws. */
export function percentDecode(raw: string): DecodedValue {
  let isUtf8 = true;
  const text = raw.replaceAll(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16));
    try {
      return strictUtf8.decode(bytes);
    } catch {
      isUtf8 = false;
      return anyUtf8.decode(bytes);
    }
  });
  const brokenPercents = [...raw.matchAll(/%(?![0-9a-f]{2})[^%]{0,5}/gi)].map(([found]) => found);
  return { text, brokenPercents, isUtf8 };
}

/** Between the digits of a number as people write it: blanks, hyphens, dashes, full stops, brackets, slashes. */
const separators = /[\p{Zs}\-.()/\u2010-\u2015]/gu;
/** Extension after a number: `;ext=12` (RFC 3966, 5.3), `ext. 12`, `x12` (ITU-T E.123, 2.6). */
const extension = /\s*(?:;ext=|ext\.?|x)\s*[0-9]{1,8}$/i;

/** Characters; no number is longer with all its separators. */
const longestNumber = 64;

/** A phone number in international form. */
export interface InternationalNumber {
  /** Plus sign and digits, without extension; a trunk zero in brackets, `(0)`, is omitted. */
  plain: string;
  /** Number of digits, including the country code. */
  digits: number;
  hasExtension: boolean;
}

/** Reads a phone number in international form, with or without separators; `undefined` for any other text. */
export function internationalNumber(text: string): InternationalNumber | undefined {
  if (text.length > longestNumber) return undefined;
  const main = text.replace(extension, '');
  const plain = main.replace(/\(0\)/g, '').replace(separators, '');
  if (!/^\+[1-9][0-9]+$/.test(plain) || plain.length - 1 > mostPhoneDigits) return undefined;
  return { plain, digits: plain.length - 1, hasExtension: main !== text };
}

/** The plus sign and digits of a number in international form, also with 00 for the plus sign; `undefined` for others. */
export function numberOfRequest(text: string): string | undefined {
  return (internationalNumber(text) ?? internationalNumber(text.replace(/^[\p{Zs}\-.()/\u2010-\u2015]*00/u, '+')))
    ?.plain;
}

/** The international number intended by a string with `tel:` in front, or with 00 or a space for its plus sign. */
export function probableNumber(text: string): string | undefined {
  if (text.length > longestNumber) return undefined;
  const without = text.replace(/^tel:/i, '');
  const led = without.replace(/^\s*00(?=[1-9])/, '+').replace(/^\s+(?=[1-9])/, '+');
  return internationalNumber(led)?.plain;
}
