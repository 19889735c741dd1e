import {
  appScheme,
  deepLinkFormNames,
  deepLinkForms,
  percentDecode,
  percentEncode,
  type DecodedValue,
  type DeepLinkForm,
} from './deep-link.ts';

/** One part of a query, between `&` and `&`. */
export interface LinkPart {
  /** As written in the link. */
  raw: string;
  /** The name, decoded. */
  name: string;
  /** The value as written in the link; `undefined` without an equals sign. */
  value: string | undefined;
}

/** A part that names what the link opens. */
export interface LinkValue {
  form: DeepLinkForm;
  name: string;
  raw: string;
  decoded: DecodedValue;
}

/** The parts of a deep link, neither judged nor corrected. */
export interface ReadLink {
  text: string;
  /** `web` has http or https and a host, `app` the app scheme; `none` is not a whole address. */
  kind: 'web' | 'app' | 'none';
  /** Lower case, without the colon. */
  scheme: string;
  authority: string;
  /** The path, of an app link with what stands where a host would stand: `open/project`. Unreserved characters decoded. */
  path: string;
  /** Target of the path; `undefined` for an undocumented path. */
  opens: 'project' | 'dial' | undefined;
  parts: LinkPart[];
  /** The parts that name what this path opens. */
  values: LinkValue[];
  /** Behind `#`; `undefined` without one. */
  fragment: string | undefined;
}

/** Scheme, authority, path, query, fragment (RFC 3986, appendix B). */
const pieces = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#([^]*))?$/;

/** Splits a string into the parts of a deep link. Accepts any string; linear in its length. */
export function readDeepLink(text: string): ReadLink {
  const [, scheme = '', authority = '', rawPath = '', query = '', fragment] = pieces.exec(text) ?? [];
  const kind = kindOf(scheme.toLowerCase(), authority, text);
  const path = decodeUnreserved(kind === 'app' ? `${authority.toLowerCase()}${rawPath}` : rawPath);
  const opens = kind === 'none' ? undefined : openedBy(path, kind);
  const parts = query
    .split('&')
    .filter((part) => part !== '')
    .map(partOf);
  return {
    text,
    kind,
    scheme: scheme.toLowerCase(),
    authority,
    path,
    opens,
    parts,
    values: opens === undefined ? [] : parts.flatMap((part) => valueOf(part, opens)),
    fragment,
  };
}

/** Target of a link when letter case and extra slashes are ignored, to detect the intended one. */
export function probableTarget({ path }: ReadLink): 'project' | 'dial' | undefined {
  const found = /(?:^|\/)open\/+(project|dial)s?\/*$/i.exec(path)?.[1]?.toLowerCase();
  return found === 'project' || found === 'dial' ? found : undefined;
}

function kindOf(scheme: string, authority: string, text: string): ReadLink['kind'] {
  if (scheme === appScheme) return /^[^:]*:\/\//.test(text) ? 'app' : 'none';
  const host = authority.replace(/^.*@/, '').replace(/:\d*$/, '');
  return (scheme === 'https' || scheme === 'http') && isHost(host) ? 'web' : 'none';
}

/** No blanks, and none of the brackets that are left of a template. */
function isHost(host: string): boolean {
  return host !== '' && !/[\s{}<>$"'\\^`|]/.test(host);
}

function openedBy(path: string, kind: 'web' | 'app'): 'project' | 'dial' | undefined {
  const segments = path.split('/').filter((segment) => segment !== '');
  if (kind === 'app' && (segments.length !== 2 || path.startsWith('/'))) return undefined;
  const last = segments.slice(-2).join('/');
  return Object.values(deepLinkForms).find((form) => form.path === last)?.opens;
}

function partOf(raw: string): LinkPart {
  const equals = raw.indexOf('=');
  const name = percentDecode(equals < 0 ? raw : raw.slice(0, equals)).text;
  return { raw, name, value: equals < 0 ? undefined : raw.slice(equals + 1) };
}

function valueOf({ name, value = '' }: LinkPart, opens: 'project' | 'dial'): LinkValue[] {
  const form = deepLinkFormNames.find(
    (one) => deepLinkForms[one].opens === opens && deepLinkForms[one].parameter === name,
  );
  return form === undefined ? [] : [{ form, name, raw: value, decoded: percentDecode(value) }];
}

/** Equal by RFC 3986, 6.2.2.2. */
function decodeUnreserved(path: string): string {
  return path.replaceAll(/%[2-7][0-9a-f]/gi, (escape) => {
    const character = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
    return percentEncode(character) === character ? character : escape;
  });
}
