import type { Finding, FindingPart } from '../../harness/checks/finding.ts';
import { header } from '../../harness/wire/observation.ts';
import { parseJson } from '../../harness/checks/json.ts';
import { apiOperation, type OperationId } from '../../specs/api-operations.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { isJsonMediaType } from '../../specs/is-json-media-type.ts';
import { schemas } from '../../specs/schemas.ts';
import { jsonObjectFinding, jsonObjectOf } from '../json-object.ts';
import { formats } from '../../specs/formats.ts';
import { hasReplacement } from './effects.ts';
import { hasOneOf, fieldsOf, targetFields, type ListedField } from './listed-fields.ts';
import { isUndocumentedTarget, targetPath, targetValue, targetsOf, hasTarget } from './targets.ts';
import { each, type ClientRule } from './rules.ts';
import type { ClientRequest } from './traffic.ts';

const noBody = 'The client sent no request with a body.';

/** Rules about the form of bodies (interface: Endpoints, API v1, Resources and their fields). */
export const bodyRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/body-is-a-json-object',
    title: 'bodies are JSON objects',
    needs: noBody,
    judge: each(({ exchange, operation, unread }) => {
      const { body } = exchange.request;
      if (operation === undefined || unread !== undefined) return 'nothing';
      const { request } = apiOperation(operation);
      if (request === undefined) return 'nothing';
      const { required, oneOf } = schemas[request];
      if (body.length === 0 && required === undefined && oneOf === undefined) return 'nothing';
      const coding = header(exchange.request, 'content-encoding');
      const hint = coding === undefined ? undefined : `It came with Content-Encoding ${coding}; send it uncompressed.`;
      return jsonObjectFinding(body, 'the body', hint) ?? true;
    }),
  },
  {
    requirement: 'api-client/fields-are-in-the-body',
    title: 'fields are in the body, not in the address',
    needs: noBody,
    judge: each(({ exchange, operation, body }) => {
      if (operation === undefined || (!body && exchange.request.body.length > 0)) return 'nothing';
      const { searchParams } = new URL(exchange.request.url, 'http://localhost');
      const name = [...searchParams.keys()].find(
        (one) => fieldsOf(operation).has(one) && targetValue(body ?? {}, one) === undefined,
      );
      if (name === undefined) return body ? true : 'nothing';
      return { expected: `the field ${name} in the body`, received: 'it in the query of the address' };
    }),
  },
  {
    requirement: 'api-client/body-is-declared-as-json',
    title: 'bodies are declared as JSON',
    needs: noBody,
    judge: each(({ exchange, operation }) => {
      const { request } = exchange;
      if (operation === undefined || apiOperation(operation).request === undefined || request.body.length === 0)
        return 'nothing';
      const type = header(request, 'content-type');
      return (
        isJsonMediaType(type) || {
          expected: 'Content-Type application/json',
          received: type ?? 'none',
          part: { header: 'content-type' },
        }
      );
    }),
  },
  {
    requirement: 'api-client/no-body-where-none-is-listed',
    title: 'operations without a payload are called without one',
    needs: 'The client called no operation that is listed without a payload.',
    judge: each(({ exchange, operation }) => {
      if (operation === undefined || apiOperation(operation).request !== undefined) return 'nothing';
      const { body } = exchange.request;
      const parsed = parseJson(body);
      // Many clients send an empty object where there is nothing to send.
      if (body.length === 0 || ('value' in parsed && ['{}', 'null', '""', '[]'].includes(shortJson(parsed.value))))
        return true;
      return { expected: 'no body', received: `${body.length} bytes`, part: { body: [] } };
    }),
  },
  {
    requirement: 'api-client/members-spelt-as-listed',
    title: 'fields are spelt as listed',
    needs: noBody,
    judge: each((request) =>
      eachField(request, (body, listed, partOf) => {
        for (const name of Object.keys(body)) {
          if (listed.has(name)) continue;
          const meant = [...listed.keys()].find((one) => plain(one) === plain(name) && body[one] === undefined);
          if (meant !== undefined) return { expected: meant, received: shortJson(name), part: partOf(name) };
        }
        return true;
      }),
    ),
  },
  {
    requirement: 'api-client/members-have-listed-types',
    title: 'known fields have the listed types',
    needs: noBody,
    judge: each((request) =>
      eachField(request, (body, listed, partOf) => {
        for (const [name, { types, itemTypes }] of listed) {
          const value = body[name];
          // Whether `target` means the fields or an object of them is not stated: see names-a-target.
          if (value === undefined || name === 'target') continue;
          const received = shortJson(value);
          if (!hasOneOf(value, types))
            return { expected: `${name} to be ${words(types)}`, received, part: partOf(name) };
          const wrong = Array.isArray(value) ? value.findIndex((item) => !hasOneOf(item, itemTypes)) : -1;
          if (wrong >= 0)
            return { expected: `each of ${name} to be ${words(itemTypes)}`, received, part: partOf(name, wrong) };
        }
        return true;
      }),
    ),
  },
  {
    requirement: 'api-client/no-null-members',
    title: 'fields without a value are omitted',
    needs: noBody,
    judge: each(({ exchange, operation }) => {
      const value = operation === undefined ? undefined : jsonObjectOf(exchange.request.body);
      if (operation === undefined || value === undefined) return 'nothing';
      const name = [...fieldsOf(operation).keys()].find((field) => value[field] === null);
      return (
        name === undefined || {
          expected: `${name} with a value or omitted`,
          received: 'null',
          part: { body: [name] },
        }
      );
    }),
  },
  {
    requirement: 'api-client/required-members-are-there',
    title: 'fields that are not optional are there',
    needs: 'The client sent no contact, logged message or note.',
    judge: each((request, traffic) => {
      const { operation, body } = request;
      const names = operation && required[operation];
      if (!names || !body) return 'nothing';
      const missing = missingOf(names, body);
      if (missing === undefined) return true;
      // Sent again under the right name, it took effect: only the name is at fault.
      const isReplaced = otherName(missing, operation, body) !== undefined && hasReplacement(request, traffic);
      return isReplaced ? 'nothing' : missingField(missing, body);
    }),
  },
  {
    requirement: 'api-client/required-members-have-their-names',
    title: 'fields that are not optional have their listed names',
    needs: 'The client sent no contact, logged message or note.',
    judge: each(({ operation, body }) => {
      const names = operation && required[operation];
      if (!names || !body) return 'nothing';
      const missing = missingOf(names, body);
      if (missing === undefined) return true;
      const other = otherName(missing, operation, body);
      if (other === undefined) return 'nothing';
      return { expected: `the field ${missing}`, received: shortJson(other), part: { body: [other] } };
    }),
  },
  {
    requirement: 'api-client/message-has-a-text-or-template',
    title: 'a message has text or a template',
    needs: 'The client sent no message.',
    judge: each(({ operation, body }) => {
      if (operation !== 'sendMessage' || !body) return 'nothing';
      const { whatsApp } = body;
      const template = typeof whatsApp === 'object' ? (whatsApp as { template?: unknown }).template : undefined;
      return (
        !isEmpty(body.text) ||
        !isEmpty(template) || {
          expected: 'text, or whatsApp with a template',
          received: describeFields(body),
          part: { body: [] },
        }
      );
    }),
  },
  {
    requirement: 'api-client/appointment-names-phone-and-start',
    title: 'a new appointment names phone and start',
    needs: 'The client made no appointment.',
    judge: names('createAppointment', ['phone', 'start']),
  },
  {
    requirement: 'api-client/subscription-names-address-and-events',
    title: 'a subscription names its address and events',
    needs: 'The client made no subscription.',
    judge: names('subscribeWebhook', ['url', 'events']),
  },
  {
    requirement: 'api-client/names-a-target',
    title: 'messages and notes name a target',
    needs: 'The client sent no message, logged message or note.',
    judge: each(({ operation, body }) => {
      if (!hasTarget(operation) || !body) return 'nothing';
      if (targetsOf(operation, body).length > 0) return true;
      // "target: projectId or …" can be read as a field with the value itself, or as an object of another form.
      if (operation !== 'sendMessage' && isUndocumentedTarget(body.target)) return 'nothing';
      return {
        expected: operation === 'sendMessage' ? 'phone, email or contactId' : 'projectId, contactId, phone or email',
        received: describeFields(body),
        part: { body: [] },
      };
    }),
  },
  {
    requirement: 'api-client/names-one-target',
    title: 'messages and notes name one target',
    needs: 'The client sent no message, logged message or note with a target.',
    judge: each(({ operation, body }) => {
      if (!hasTarget(operation) || !body) return 'nothing';
      const targets = targetsOf(operation, body);
      if (targets.length === 0) return 'nothing';
      const [, second] = targets;
      return (
        second === undefined || {
          expected: 'one target',
          received: targets.join(' and '),
          part: { body: targetPath(body, second) },
        }
      );
    }),
  },
];

/** Fields that the interface marks as required, or leaves unmarked among fields that it marks as optional. */
const required: Partial<Record<OperationId, readonly string[]>> = {
  upsertContact: ['phone'],
  logMessage: ['direction', 'channel', 'text'],
  addNote: ['text'],
};

/** Whether text can be empty is not stated. */
function missingOf(names: readonly string[], body: Readonly<Record<string, unknown>>): string | undefined {
  return names.find((name) => (name === 'text' ? body[name] === undefined : isEmpty(body[name])));
}

/** Recognises the value of a required field under another name. */
const recognised: Readonly<Record<string, (value: unknown) => boolean>> = {
  phone: (value) => typeof value === 'string' && formats['svc-phone'](value),
  direction: (value) => value === 'in' || value === 'out',
  channel: (value) => ['email', 'whatsapp', 'sms', 'rcs'].some((channel) => channel === value),
  text: (value) => typeof value === 'string' && value !== '',
};

/** The unlisted name under which a missing field was sent. */
function otherName(missing: string, of: OperationId, body: Readonly<Record<string, unknown>>): string | undefined {
  const others = Object.keys(body).filter((name) => !fieldsOf(of).has(name));
  return others.find((name) => recognised[missing]?.(body[name]));
}

function names(of: OperationId, fields: readonly string[]): ClientRule['judge'] {
  return each(({ operation, body }) => {
    if (operation !== of || !body) return 'nothing';
    const missing = fields.find((name) => isEmpty(body[name]));
    return missing === undefined || missingField(missing, body);
  });
}

function missingField(name: string, body: Readonly<Record<string, unknown>>): Finding {
  return { expected: `${name} in the body`, received: describeFields(body), part: { body: [name] } };
}

/** Judges the body, and the object `target` in it where there is one. */
function eachField(
  { operation, body }: ClientRequest,
  judge: (
    body: Readonly<Record<string, unknown>>,
    listed: ReadonlyMap<string, ListedField>,
    partOf: (...path: (string | number)[]) => FindingPart,
  ) => true | Finding,
) {
  if (operation === undefined || !body || fieldsOf(operation).size === 0) return 'nothing' as const;
  const outer = judge(body, fieldsOf(operation), (...path) => ({ body: path }));
  const { target } = body;
  if (outer !== true || !fieldsOf(operation).has('target') || !hasOneOf(target, ['object'])) return outer;
  return judge(target as Record<string, unknown>, targetFields, (...path) => ({ body: ['target', ...path] }));
}

/** Whether it is missing, an empty string or an empty list. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

/** A name without the characters in which spellings differ. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_ ]/g, '');
}

function words(types: readonly string[]): string {
  return types
    .filter((type) => type !== 'null')
    .map((type) => (type === 'array' ? 'a list' : type === 'integer' || type === 'object' ? `an ${type}` : `a ${type}`))
    .join(' or ');
}

function describeFields(body: Readonly<Record<string, unknown>>): string {
  const present = Object.keys(body).filter((name) => !isEmpty(body[name]));
  return present.length === 0 ? 'an empty object' : `only ${present.join(', ').slice(0, 200)}`;
}
