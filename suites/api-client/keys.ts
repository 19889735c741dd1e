import { Brand } from '../../specs/brand.ts';
import type { Finding } from '../../harness/checks/finding.ts';
import { keyHeaderOf } from '../../harness/wire/agent-replies.ts';
import { header } from '../../harness/wire/observation.ts';
import type { ClientTraffic } from '../../harness/client/api-exchange.ts';
import type { ClientRequest } from './traffic.ts';
import { each, type ClientRule } from './rules.ts';
import { isDocument } from './paths.ts';

/** Length from which a secret within another string cannot be a coincidence. */
const telltaleCharacters = 8;
/** Characters of the rest of a key, without its beginning, from which on it is not a word of the address. */
const telltaleRestCharacters = 16;
/** Beginning of every API key (interface: Authentication). */
const { keyPrefix: documentKeyPrefix } = Brand.named();

/** Rules about keys and secrets (interface: Authentication). */
export const keyRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/carries-an-api-key',
    title: 'every request carries an API key in a header',
    needs: 'The client sent no request to API v1.',
    judge: each((request, { apiKeys, requests }) => {
      if (!needsKey(request)) return 'nothing';
      if (keysOf(request).length > 0) return true;
      return {
        expected: 'X-Api-Key, or Authorization with Bearer and the API key',
        hint: requests.some((other) => keysOf(other).length > 0)
          ? 'Other requests carry it: look for calls that bypass the client that sets the header.'
          : 'Send the API key of the inbox with every request, in one of these two headers.',
        ...insteadOfKey(request, apiKeys),
      };
    }),
  },
  {
    requirement: 'api-client/carries-the-key-as-issued',
    title: 'the key is the one of the inbox',
    needs: 'No request carried an API key.',
    judge: each((request, { apiKeys, keyPrefix }) => {
      const keys = needsKey(request) ? keysOf(request) : [];
      if (keys.length === 0 || apiKeys.length === 0) return 'nothing';
      return (
        keys.some((key) => apiKeys.includes(key)) || {
          expected: 'the API key that was given to the client, whole and unchanged',
          received: alteration(keys[0] ?? '', apiKeys, keyPrefix),
          part: { header: keyHeaderOf(request.exchange.request) },
        }
      );
    }),
  },
  {
    requirement: 'api-client/no-secret-in-an-address',
    title: 'no URL contains a secret',
    needs: 'The client sent no request.',
    judge: each(({ exchange }, traffic) => {
      const found = secretIn(decoded(exchange.path), traffic) ?? secretIn(exchange.path, traffic);
      return (
        found === undefined || {
          expected: 'an address without a key or secret',
          received: `the ${found}`,
          hint: 'URLs appear in the logs of every proxy and server on the way.',
        }
      );
    }),
  },
  {
    requirement: 'api-client/no-secret-in-a-body',
    title: 'no body contains a secret',
    needs: 'No request had a body.',
    judge: each(({ exchange, body }, traffic) => {
      const { body: bytes } = exchange.request;
      if (bytes.length === 0) return 'nothing';
      // Parsed, no escape of JSON hides anything.
      const texts = [Buffer.from(bytes).toString('utf8'), ...(body ? [formatJson(body)] : [])];
      const found = texts.map((text) => secretIn(text, traffic)).find((name) => name !== undefined);
      if (found === undefined) return true;
      const field = Object.entries(body ?? {}).find((entry) => secretIn(formatJson(entry), traffic) !== undefined)?.[0];
      return {
        expected: 'a body without a key or secret',
        received: `the ${found}`,
        part: { body: field === undefined ? [] : [field] },
      };
    }),
  },
];

/** The value received instead of a key in one of its headers, and its place. */
function insteadOfKey(
  { exchange: { request } }: ClientRequest,
  apiKeys: readonly string[],
): Pick<Finding, 'received' | 'part'> {
  const authorization = header(request, 'authorization');
  const part = { header: keyHeaderOf(request) };
  if (authorization !== undefined) {
    return { received: `Authorization of another form (${schemeOf(authorization)})`, part };
  }
  const other = request.headers.find(([, value]) => apiKeys.some((key) => value.includes(key)))?.[0].toLowerCase();
  if (other === undefined) return { received: 'neither', part };
  return { received: `the key in the header ${JSON.stringify(other)}`, part: { header: other } };
}

/** Requests that require a key: those of the API, except its published description. */
function needsKey({ exchange, path }: ClientRequest): boolean {
  if (exchange.credentials === 'hidden') return false;
  return exchange.request.method !== 'OPTIONS' && /^\/v1(\/|$)/.test(path) && !isDocument(path);
}

/** Keys in both forms that the interface knows. The name of the scheme has no letter case (RFC 9110, 11.1). */
function keysOf({ exchange: { request } }: ClientRequest): string[] {
  const bearer = /^bearer +(.+)$/i.exec(header(request, 'authorization') ?? '')?.[1];
  return [header(request, 'x-api-key'), bearer].filter((key) => key !== undefined && key !== '') as string[];
}

function schemeOf(authorization: string): string {
  const scheme = /^([a-z]+) ./i.exec(authorization)?.[1];
  return scheme === undefined ? 'without the word Bearer' : `scheme ${scheme}`;
}

function alteration(sent: string, keys: readonly string[], keyPrefix = documentKeyPrefix): string {
  const same = (change: (key: string) => string) => keys.some((key) => change(key) === sent);
  if (keys.some((key) => sent.length > key.length && sent.includes(key))) return 'the key with something around it';
  if (same((key) => key.replace(keyPrefix, ''))) return 'the key without its svc_sk_ beginning';
  if (keys.some((key) => key.toLowerCase() === sent.toLowerCase())) return 'the key in another letter case';
  if (sent.length >= telltaleCharacters && keys.some((key) => key.includes(sent))) return 'a part of the key';
  return 'another key';
}

function secretIn(
  text: string,
  { apiKeys, secrets, keyPrefix = documentKeyPrefix }: ClientTraffic,
): string | undefined {
  const within = (value: string) => value.length >= telltaleCharacters && text.includes(value);
  if (apiKeys.some((key) => within(key) || holdsRestOf(key, keyPrefix, text))) return 'API key';
  const anyKey = new RegExp(`${keyPrefix}[\\w-]{8,}`);
  return (
    secrets.find(({ value }) => within(value))?.name ?? (anyKey.test(text) ? 'API key of another inbox' : undefined)
  );
}

function holdsRestOf(key: string, keyPrefix: string, text: string): boolean {
  const rest = key.startsWith(keyPrefix) ? key.slice(keyPrefix.length) : key;
  return rest.length >= telltaleRestCharacters && text.includes(rest);
}

function formatJson(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    // Nested deeper than the engine can write.
    return '';
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
