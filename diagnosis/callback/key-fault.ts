import { apiKeyOf } from '../../harness/wire/agent-replies.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import type { Found } from '../outcome.ts';

/** What every API key begins with (interface: Authentication). */
const keyPrefix = 'svc_sk_';
/** Words that stand where a variable was not set. */
const unset =
  /^(?:undefined|null|none|nil|nan|false|your[-_ ]?api[-_ ]?key|api[-_ ]?key|changeme|\$\{?\w+\}?|\{\{.*\}\}|%\w+%|<.*>)$/i;

/** What is known of the key that a reply must carry. */
export interface KnownKeys {
  /** `service.apiKey`; without it any key is taken. */
  apiKey: string | undefined;
  /** The secret of the assistant, which is none. */
  secret: string;
}

/** What is wrong with the API key of a reply; nothing of a key is quoted. `undefined` for a right one. */
export function keyFault({ request }: Pick<Arrival, 'request'>, { apiKey, secret }: KnownKeys): Found | undefined {
  const key = apiKeyOf(request);
  if (key === secret) return { id: 'callback/reply-secret-as-key' };
  if (key === undefined || key === '') return missing(request, apiKey, secret);
  if (unset.test(key.trim())) {
    return wrong(
      `The key of the reply is the placeholder ${JSON.stringify(key.trim().slice(0, 24))}: a variable of the endpoint is not set.`,
    );
  }
  if (apiKey === undefined || key === apiKey) return undefined;
  if (key.trim() === apiKey) return wrong('The key of the reply has white space around it.');
  if (key.replace(/^["']+|["']+$/g, '') === apiKey) return wrong('The key of the reply has quotes around it.');
  if (key.replace(/^bearer +/i, '') === apiKey) return elsewhere('X-Api-Key, with the word Bearer before it');
  if (key.toLowerCase() === apiKey.toLowerCase())
    return wrong('The letters of the key of the reply have another case.');
  if (apiKey.startsWith(key))
    return wrong('The key of the reply is the beginning of the right one; the rest is cut off.');
  if (keyPrefix + key === apiKey) return wrong(`The key of the reply lacks its prefix ${keyPrefix}.`);
  return wrong(
    key.startsWith(keyPrefix)
      ? 'The reply carries another API key than service.apiKey of the config.'
      : `What the reply carries as its key does not begin with ${keyPrefix}, so it is not an API key.`,
  );
}

function missing(request: Arrival['request'], apiKey: string | undefined, secret: string): Found {
  const holds = (text: string) => (apiKey === undefined ? text.includes(keyPrefix) : text.includes(apiKey));
  const found = request.headers.find(([, value]) => holds(value));
  if (found) {
    const [name, value] = found;
    const scheme = /^(basic|token|apikey|key|digest)\b/i.exec(value)?.[1];
    const how = scheme === undefined ? '' : `, with the word ${scheme} before it`;
    return elsewhere(`the header ${JSON.stringify(name.toLowerCase().slice(0, 40))}${how}`);
  }
  if (basicHolds(request, holds)) return elsewhere('the header "authorization", as Basic');
  if (holds(decoded(request.url))) return elsewhere('the address');
  if (holds(Buffer.from(request.body).toString('utf8'))) return elsewhere('the body');
  if (request.headers.some(([, value]) => value.includes(secret))) return { id: 'callback/reply-secret-as-key' };
  const isSigned = request.headers.some(([name]) => name.toLowerCase() === 'x-svc-signature');
  return {
    id: 'callback/reply-without-key',
    summary: isSigned
      ? 'The reply is signed and carries no API key; replies need the key.'
      : 'The reply carries no API key.',
  };
}

function basicHolds({ headers }: Arrival['request'], holds: (text: string) => boolean): boolean {
  const basic = headers.find(([name, value]) => name.toLowerCase() === 'authorization' && /^basic /i.test(value))?.[1];
  return basic !== undefined && holds(Buffer.from(basic.slice('basic '.length), 'base64').toString('utf8'));
}

function elsewhere(place: string): Found {
  return {
    id: 'callback/reply-key-elsewhere',
    summary: `The reply carries the API key in ${place}; it belongs into X-Api-Key, or behind Authorization: Bearer.`,
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
