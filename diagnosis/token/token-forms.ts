import { createHash } from 'node:crypto';
import type { TokenCauseId } from '../causes/token.ts';
import type { Credentials } from './token-prober.ts';

/** One form in which an endpoint may wrongly expect the token. */
export interface TokenForm {
  id: TokenCauseId;
  /** Completes "An event with …". */
  what: string;
  credentials: Credentials;
  /** The cause with its details, where the catalogue leaves them open. */
  summary?: string;
}

/** Headers from which webhook receivers read a token instead of `Authorization`. */
const headerNames = [
  'X-Api-Key',
  'X-Webhook-Token',
  'X-Auth-Token',
  'X-Token',
  'X-Svc-Token',
  'X-Access-Token',
  'X-Webhook-Secret',
  'X-Authorization',
  'X-Forwarded-Authorization',
  'Proxy-Authorization',
  'Authentication',
  'Api-Key',
  'Token',
  'Webhook-Token',
  'X-Secret',
  'X-Bearer-Token',
  'X-Hook-Token',
];

const queryNames = ['token', 'access_token', 'api_key', 'key', 'secret'];

const fieldNames = ['token', 'accessToken', 'apiKey', 'secret', 'webhookToken'];

/**
 * Places other than the correct one. One event can fill all places of a group; a repeated header would be read as one
 * value.
 */
export function tokenPlaces(token: string): TokenForm[][] {
  const right = `Bearer ${token}`;
  const headers = (value: string, suffix: string) =>
    headerNames.map((name): TokenForm => ({
      id: 'token/in-another-header',
      what: `the token in the header ${name}${suffix}`,
      credentials: { authorization: right, headers: [[name, value]] },
      summary: `The endpoint reads the token from the header ${name}${suffix}, not from Authorization.`,
    }));
  const alone: TokenForm = {
    id: 'token/scheme-not-stripped',
    what: 'the token alone in Authorization, without "Bearer "',
    credentials: { authorization: token },
  };
  const elsewhere = [
    ...queryNames.map((name): TokenForm => ({
      id: 'token/in-the-query',
      what: `the token as parameter ${name} of the URL`,
      credentials: { authorization: right, query: [[name, token]] },
      summary: `The endpoint reads the token from the parameter ${name} of its URL, not from Authorization.`,
    })),
    ...fieldNames.map((name): TokenForm => ({
      id: 'token/in-the-body',
      what: `the token as field ${name} of the event`,
      credentials: { authorization: right, fields: [[name, token]] },
      summary: `The endpoint reads the token from a field ${name} of the event, not from Authorization.`,
    })),
  ];
  return [[alone, ...headers(token, ''), ...elsewhere], headers(right, ' after "Bearer "')];
}

/** Combines these places in one event, with the `Authorization` of the first. */
export function combine(forms: readonly TokenForm[]): Credentials {
  const all = <T>(pick: (credentials: Credentials) => readonly T[] | undefined): T[] =>
    forms.flatMap(({ credentials }) => pick(credentials) ?? []);
  return {
    authorization: forms[0]?.credentials.authorization ?? null,
    headers: all(({ headers }) => headers),
    query: all(({ query }) => query),
    fields: all(({ fields }) => fields),
  };
}

/** How programs serialise a missing value. */
const absentValues = ['undefined', 'null', 'None', ''];

/** Common lengths of token fields and buffers. */
const usualLengths = [16, 20, 24, 32, 36, 40, 48, 50, 60, 64, 72, 100, 128, 255];

/** Other values of `Authorization`, most likely first; each needs a separate event. */
export function authorizationForms(token: string, oldToken: string | undefined): TokenForm[] {
  const forms: TokenForm[] = [];
  const known = new Set([`Bearer ${token}`, token]);
  const add = (id: TokenCauseId, authorization: string, what: string, text?: string) => {
    // A value that a header cannot carry cannot be what the endpoint compares.
    if (known.has(authorization) || /[^\x20-\x7e]/.test(authorization) || /^\s|\s$/.test(authorization)) return;
    known.add(authorization);
    forms.push({ id, what, credentials: { authorization }, ...(text !== undefined && { summary: text }) });
  };
  if (oldToken !== undefined) add('token/old-token', `Bearer ${oldToken}`, 'the token that was valid before');
  add('token/scheme-doubled', `Bearer Bearer ${token}`, '"Bearer " twice before the token');
  add('token/scheme-in-lower-case', `bearer ${token}`, 'the scheme in lower case');
  add('token/in-quotes', `Bearer "${token}"`, 'the token in double quotes');
  add('token/in-quotes', `Bearer '${token}'`, 'the token in single quotes');
  for (const value of absentValues) {
    const authorization = value === '' ? 'Bearer' : `Bearer ${value}`;
    const shown = value === '' ? 'nothing' : `the word ${value}`;
    add(
      'token/not-configured',
      authorization,
      `${shown} in place of the token`,
      `The endpoint has no token: it accepts ${shown} after "Bearer" in its place.`,
    );
  }
  add('token/placeholder-kept', `Bearer <${token}>`, 'the token in angle brackets');
  add('token/placeholder-kept', `Bearer {${token}}`, 'the token in curly brackets');
  add('token/white-space-kept', `Bearer  ${token}`, 'one space more before the token');
  for (const scheme of ['Token', 'ApiKey', 'Basic', 'BEARER', 'Bearer:', 'Key']) {
    add('token/another-scheme', `${scheme} ${token}`, `the scheme ${scheme}`, formatScheme(scheme));
  }
  for (const pair of [`:${token}`, `${token}:`, `${token}:${token}`]) {
    const shown = pair.replaceAll(token, '(token)');
    add(
      'token/another-scheme',
      `Basic ${Buffer.from(pair, 'utf8').toString('base64')}`,
      `the token in the Basic scheme, as ${shown}`,
      `The endpoint expects the token in the Basic scheme, as ${shown}, where the service sends Bearer.`,
    );
  }
  const encoded = (how: string, value: string) =>
    add('token/encoded', `Bearer ${value}`, `the token ${how}`, `The endpoint compares with the token ${how}.`);
  encoded('in base64', Buffer.from(token, 'utf8').toString('base64'));
  encoded('in hex', Buffer.from(token, 'utf8').toString('hex'));
  encoded('decoded from base64', Buffer.from(token, 'base64').toString('utf8'));
  encoded('with percent escapes', encodeURIComponent(token));
  encoded('with its percent escapes undone', undone(token));
  for (const digest of ['hex', 'base64'] as const) {
    const hash = createHash('sha256').update(token, 'utf8').digest(digest);
    add('token/hashed', `Bearer ${hash}`, `the SHA-256 of the token in ${digest}`);
  }
  add('token/case-changed', `Bearer ${token.toLowerCase()}`, 'the token in lower case');
  add('token/case-changed', `Bearer ${token.toUpperCase()}`, 'the token in upper case');
  const cut = (value: string, where: string) => {
    if (value.length > 0 && value.length < token.length) {
      const left = `${value.length} of its ${token.length} characters`;
      add(
        'token/cut-short',
        `Bearer ${value}`,
        `the token ${where}`,
        `The endpoint compares only ${left}: the token ${where}.`,
      );
    }
  };
  for (const sign of ['#', '$', '=', ' ', ';', ',', '&', '%', ':', '.', '_', '-', '+', '/', '!']) {
    const at = token.indexOf(sign);
    if (at < 0) continue;
    cut(token.slice(0, at), `up to the first ${nameOf(sign)}`);
    cut(token.slice(at + 1), `after the first ${nameOf(sign)}`);
  }
  for (const length of usualLengths) cut(token.slice(0, length), `cut off after ${length} characters`);
  cut(token.slice(1), 'without its first character');
  cut(token.slice(0, -1), 'without its last character');
  return forms;
}

function formatScheme(scheme: string): string {
  return `The endpoint expects the token under the scheme ${scheme}, where the service sends Bearer.`;
}

function nameOf(sign: string): string {
  return sign === ' ' ? 'space' : `"${sign}"`;
}

function undone(token: string): string {
  try {
    return decodeURIComponent(token.replaceAll('+', ' '));
  } catch {
    return token;
  }
}
