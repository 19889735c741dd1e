import type { Brand } from '../../specs/brand.ts';
import { apiKeyOf } from '../../harness/wire/agent-replies.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';

/** Placeholders that remain when a variable is not set. */
const unset =
  /^(?:undefined|null|none|nil|nan|false|your[-_ ]?api[-_ ]?key|api[-_ ]?key|changeme|\$\{?\w+\}?|\{\{.*\}\}|%\w+%|<.*>)$/i;

/** Known credentials. */
export interface KnownKeys {
  /** `service.apiKey`; without it any key is accepted. */
  apiKey: string | undefined;
  /** The secret of the assistant, which is not an API key. */
  secret: string;
  brand: Brand;
}

/** The fault in the API key of a reply, without quoting the key; `undefined` for a correct one. */
export function keyFault(
  { request }: Pick<Arrival, 'request'>,
  { apiKey, secret, brand }: KnownKeys,
): Found | undefined {
  const { keyPrefix } = brand;
  const key = apiKeyOf(request);
  if (key === secret) return { id: 'callback/reply-secret-as-key' };
  if (key === undefined || key === '') return missing(request, { apiKey, secret, brand });
  if (unset.test(key.trim())) {
    return wrong(
      `The key of the reply is the placeholder ${JSON.stringify(key.trim().slice(0, 24))}: a variable of the endpoint is not set.`,
    );
  }
  if (apiKey === undefined || key === apiKey) return undefined;
  if (key.trim() === apiKey) return wrong('The key of the reply has white space around it.');
  if (key.replace(/^["']+|["']+$/g, '') === apiKey) return wrong('The key of the reply has quotes around it.');
  if (key.replace(/^bearer +/i, '') === apiKey) return elsewhere('X-Api-Key, with the word Bearer before it');
  if (key.toLowerCase() === apiKey.toLowerCase()) return wrong('The key of the reply differs in letter case.');
  if (apiKey.startsWith(key)) return wrong('The key of the reply is truncated.');
  if (keyPrefix + key === apiKey) return wrong('The key of the reply lacks its prefix svc_sk_.');
  return wrong(
    key.startsWith(keyPrefix)
      ? 'The reply carries an API key other than service.apiKey in the config.'
      : 'The key of the reply does not begin with svc_sk_, so it is not an API key.',
  );
}

function missing(request: Arrival['request'], { apiKey, secret, brand }: KnownKeys): Found {
  const contains = (text: string) => (apiKey === undefined ? text.includes(brand.keyPrefix) : text.includes(apiKey));
  const found = request.headers.find(([, value]) => contains(value));
  if (found) {
    const [name, value] = found;
    const scheme = /^(basic|token|apikey|key|digest)\b/i.exec(value)?.[1];
    const how = scheme === undefined ? '' : `, with the word ${scheme} before it`;
    return elsewhere(`the header ${JSON.stringify(name.toLowerCase().slice(0, 40))}${how}`);
  }
  if (basicContains(request, contains)) return elsewhere('the header "authorization", in the Basic scheme');
  if (contains(decoded(request.url))) return elsewhere('the URL');
  if (contains(Buffer.from(request.body).toString('utf8'))) return elsewhere('the body');
  if (request.headers.some(([, value]) => value.includes(secret))) return { id: 'callback/reply-secret-as-key' };
  return {
    id: 'callback/reply-without-key',
    summary: brand.isSigned(request.headers)
      ? 'The reply is signed and carries no API key; replies need the key.'
      : 'The reply carries no API key.',
  };
}

function basicContains({ headers }: Arrival['request'], contains: (text: string) => boolean): boolean {
  const basic = headers.find(([name, value]) => name.toLowerCase() === 'authorization' && /^basic /i.test(value))?.[1];
  return basic !== undefined && contains(Buffer.from(basic.slice('basic '.length), 'base64').toString('utf8'));
}

function elsewhere(place: string): Found {
  return {
    id: 'callback/reply-key-elsewhere',
    summary: `The reply carries the API key in ${place}; it belongs in X-Api-Key, or after Authorization: Bearer.`,
  };
}

function wrong(text: string): Found {
  return { id: 'callback/reply-wrong-key', summary: text };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
