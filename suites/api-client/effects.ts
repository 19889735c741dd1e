import { isJsonObject } from '../../specs/json-object.ts';
import { apiOperations, matchOperation, type OperationId } from '../../specs/api-operations.ts';
import { formats } from '../../specs/formats.ts';
import { readIso8601 } from '../../specs/iso-8601.ts';
import { isAccepted } from './attempts.ts';
import { fieldsOf } from './listed-fields.ts';
import { isDocument, isNotShown } from './paths.ts';
import { haveDifferentTargets } from './have-different-targets.ts';
import { isProcessed, keyClashes } from './repetition.ts';
import type { ClientRule, JudgedRequest } from './rules.ts';
import { plainNumber } from './targets.ts';
import { pathOf, type ClientRequest, type ReadTraffic } from './traffic.ts';

/** Rules about requests that never take effect (interface: API v1, Limits). */
export const effectRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/requests-take-effect',
    title: 'what the client asks for takes effect',
    needs: 'The client sent no request of an operation.',
    judge: (traffic) => {
      // With a key that the service does not know, nothing takes effect.
      if (traffic.isObserved && traffic.apiKeys.length === 0) return [];
      const clashes = clashesWithoutEffect(traffic);
      const effective = traffic.requests.filter(
        (request) => isAccepted(request) && !clashes.has(request.exchange) && !changesNothingListed(request),
      );
      return traffic.requests.flatMap((request): JudgedRequest[] => {
        const { exchange, operation } = request;
        const why = clashes.has(exchange) ? clash(request) : futility(request);
        if (!why) return operation === undefined ? [] : [{ exchange }];
        // In a run, an unusual event may have lacked the field.
        if (traffic.isObserved && !clashes.has(exchange) && effective.some((other) => other.operation === operation))
          return [];
        if (effective.some((other) => isInstead(other, request, why.meant))) return [];
        if (traffic.cutShort) return [{ exchange, open: openBecause(request, why) }];
        const finding = {
          expected: why.expected,
          received: `${why.received}, and no other request had its effect`,
          hint,
        };
        return [{ exchange, finding }];
      });
    },
  },
];

/**
 * Requests under the key of a different one. A request for the same target after one that was processed without an answer
 * may be its repetition, in which a time or a number of the attempt differs: then its effect has taken place.
 */
function clashesWithoutEffect(traffic: ReadTraffic): ReadonlySet<unknown> {
  const requestOf = new Map<unknown, ClientRequest>(traffic.requests.map((request) => [request.exchange, request]));
  const clashes = keyClashes(traffic).filter(({ finding, exchange, beside }) => {
    const [request, earlier] = [requestOf.get(exchange), requestOf.get(beside)];
    if (!finding || !request || !earlier) return finding !== undefined;
    const mayRepeat = earlier.exchange.ended !== 'answered' && isProcessed(earlier);
    return !mayRepeat || haveDifferentTargets(earlier, request);
  });
  return new Set(clashes.map(({ exchange }) => exchange));
}

/** The replacement of a request may have been sent after the end of the recording. */
function openBecause({ exchange }: ClientRequest, { expected, received }: Futility): string {
  const where = `${exchange.request.method} ${pathOf(exchange)}`;
  return `Expected ${expected}, received ${received} in ${where}. What the client sent later is not known: it was ended while it was still running, or not all was kept. It may have sent another request in its place.`;
}

const hint = 'A request in this form never has an effect. Correct it, or send the correct request in its place.';

/** Reason why a request cannot take effect in any state of the inbox. */
interface Futility {
  expected: string;
  received: string;
  /** The operations that may have been intended. */
  meant: readonly OperationId[];
}

function clash({ operation, idempotencyKey }: ClientRequest): Futility {
  return {
    expected: 'an Idempotency-Key that no different request had',
    received: `the key ${JSON.stringify(idempotencyKey)} of an earlier request`,
    meant: operation === undefined ? [] : [operation],
  };
}

function futility(request: ClientRequest): Futility | undefined {
  const { exchange, operation, path } = request;
  const { method } = exchange.request;
  if (operation !== undefined && changesNothingListed(request)) {
    const listed = [...fieldsOf(operation).keys()].join(', ');
    return { expected: `one of the fields ${listed}`, received: sentFields(request), meant: [operation] };
  }
  // A request that was accepted, or whose outcome is not known, is not judged here.
  if (exchange.ended !== 'answered' || exchange.response.status < 400 || exchange.response.status >= 500) return;
  // Whether the service accepts a slash too many is not stated.
  const listed = matchOperation(method, path.replace(/\/$/, ''));
  if (listed && 'id' in listed) return misnamed(request);
  if (!/^\/v1(\/|$)/.test(path) || isDocument(path) || isNotShown(method, path)) return;
  if (method === 'OPTIONS' || method === 'HEAD') return;
  const meant = operationsLike(method, path);
  // A GET at an address that resembles none may only check whether it exists.
  if (method === 'GET' && !meant.some((id) => apiOperations[id].method === 'GET')) return;
  return { expected: 'a listed path and its method', received: `${method} ${pathOf(exchange)}`, meant };
}

/** An own-AI reply or a change of an assistant in which every field is of another name is accepted and does nothing. */
function changesNothingListed({ operation, body = {} }: ClientRequest): boolean {
  if (operation !== 'sendAgentReply' && operation !== 'changeAgent') return false;
  const names = Object.keys(body);
  return names.length > 0 && !names.some((name) => fieldsOf(operation).has(name));
}

/** Required fields of an operation, with patterns that recognise their values under another name. */
const needed: Partial<Record<OperationId, Readonly<Record<string, (value: unknown) => boolean>>>> = {
  createAppointment: {
    phone: (value) => typeof value === 'string' && formats['svc-phone'](value),
    start: (value) => typeof value === 'string' && readIso8601(value)?.hasTime === true,
  },
  subscribeWebhook: {
    url: (value) => typeof value === 'string' && /^https?:/i.test(value),
    events: (value) => [value].flat().some((one) => typeof one === 'string' && one.startsWith('appointment')),
  },
  sendMessage: { text: (value) => typeof value === 'string' && value !== '' },
};

function misnamed(request: ClientRequest): Futility | undefined {
  const { operation, body } = request;
  if (operation === undefined || !body) return undefined;
  const unlisted = Object.entries(body).filter(([name]) => !fieldsOf(operation).has(name));
  for (const [name, isOne] of Object.entries(needed[operation] ?? {})) {
    if (body[name] !== undefined || (name === 'text' && body.whatsApp !== undefined)) continue;
    const other = unlisted.find(([, value]) => isOne(value))?.[0];
    if (other !== undefined)
      return { expected: `the field ${name}`, received: JSON.stringify(other), meant: [operation] };
  }
  return undefined;
}

/**
 * The operations whose path differs from this one in spelling only: plural, letter case, hyphens.
 * Those of the same method where there are any; a change is not meant to read.
 */
function operationsLike(method: string, path: string): OperationId[] {
  const plain = (part: string) =>
    part
      .toLowerCase()
      .replace(/[^a-z]/g, '')
      .replace(/s$/, '');
  const given = path.replace(/\/$/, '').split('/');
  const alike = (Object.keys(apiOperations) as OperationId[]).filter((id) => {
    const wanted = apiOperations[id].path.split('/');
    return (
      wanted.length === given.length &&
      wanted.every((part, at) => part.startsWith('{') || part === given[at] || plain(part) === plain(given[at] ?? ''))
    );
  });
  const same = alike.filter((id) => apiOperations[id].method === method);
  const changes = alike.filter((id) => apiOperations[id].method !== 'GET');
  return [same, changes, alike].find((ids) => ids.length > 0) ?? [];
}

/** Whether a request of this operation that took effect has the content of this one, sent in another form. */
export function hasReplacement(request: ClientRequest, { requests }: ReadTraffic): boolean {
  const { operation } = request;
  if (operation === undefined) return false;
  return requests.some((other) => other !== request && isAccepted(other) && isInstead(other, request, [operation]));
}

/** Whether a request that took effect is what another one was meant for: the same content, as far as it has one. */
function isInstead(other: ClientRequest, futile: ClientRequest, meant: readonly OperationId[]): boolean {
  if (other.operation === undefined || (meant.length > 0 && !meant.includes(other.operation))) return false;
  const content = contentOf(futile);
  const has = new Set(contentOf(other));
  // Without a body the address says what is meant, such as DELETE in place of a status.
  const isOfAddress = content.length === 0 || (has.size === 0 && Object.keys(other.parameters).length > 0);
  if (isOfAddress) return meant.length > 0 && isSameAddress(other, futile);
  const longest = content.reduce((one, next) => (next.length > one.length ? next : one));
  return has.has(longest) && content.filter((one) => has.has(one)).length * 2 > content.length;
}

function isSameAddress({ parameters }: ClientRequest, futile: ClientRequest): boolean {
  const parts = futile.path.split('/');
  return Object.values(parameters).every((value) => parts.includes(value));
}

/** Words of the interface that many requests share. */
const sharedWords = new Set(
  'none service marketing whatsapp sms rcs email in out pause resume in_person handover end'.split(' '),
);
/** Maximum number of compared values of a body; enough for any real request. */
const mostValues = 200;

/** Strings and numbers in a body, at any depth, without those that many requests share. */
function contentOf({ body }: ClientRequest): string[] {
  const found: string[] = [];
  const left: unknown[] = [body];
  for (let next = left.pop(); left.length + found.length < mostValues; next = left.pop()) {
    if (typeof next === 'number') found.push(String(next));
    else if (typeof next === 'string' && next !== '' && !sharedWords.has(next)) found.push(plainNumber(next));
    else if (Array.isArray(next)) left.push(...(next as unknown[]).slice(0, mostValues));
    else if (isJsonObject(next)) left.push(...Object.values(next).slice(0, mostValues));
    if (left.length === 0) break;
  }
  return found;
}

function sentFields({ body = {} }: ClientRequest): string {
  return `only ${Object.keys(body).join(', ').slice(0, 200)}`;
}
