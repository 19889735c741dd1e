import { isLoopback } from '../../specs/is-loopback.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { OperationId } from '../../specs/api-operations.ts';
import { shortJson } from '../../specs/explain-violations.ts';
import { formats } from '../../specs/formats.ts';
import { readIso8601 } from '../../specs/iso-8601.ts';
import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { FindingPart } from '../../harness/checks/finding.ts';
import type { Judgement } from '../judgement.ts';
import { judgePlaceholders } from '../placeholders.ts';
import { fieldsOf } from './listed-fields.ts';
import { each, type ClientRule } from './rules.ts';
import { hasTarget, targetPath, targetValue } from './targets.ts';
import type { ClientRequest } from './traffic.ts';

const events = ['created', 'confirmed', 'rescheduled', 'cancelled', 'finished', 'reminder_sent'].map(
  (name) => `appointment.${name}`,
);

/** Rules about values in bodies (interface: API v1, Contact, Appointment, API webhook events, Own-AI assistant). */
export const valueRules: readonly ClientRule[] = [
  {
    requirement: 'api-client/phone-is-international',
    title: 'phone numbers are in international form',
    needs: 'No request had a phone number.',
    judge: each((request) => {
      const named = phoneOf(request);
      if (!named) return 'nothing';
      const { phone, part } = named;
      const expected = 'a phone number in international form, such as +4930901820';
      return formats['svc-phone'](phone) || { expected, received: shortJson(phone), part };
    }),
  },
  {
    requirement: 'api-client/phone-begins-with-a-plus-sign',
    title: 'phone numbers begin with a plus sign',
    needs: 'No request had a phone number in international form.',
    judge: each((request) => {
      const named = phoneOf(request);
      if (!named || !formats['svc-phone'](named.phone)) return 'nothing';
      const { phone, part } = named;
      return (
        phone.includes('+') || { expected: 'a plus sign before the country code', received: shortJson(phone), part }
      );
    }),
  },
  {
    requirement: 'api-client/times-are-iso-8601',
    title: 'start and occurredAt are ISO 8601',
    needs: 'No request had a start or occurredAt.',
    judge: each(({ operation, body }) => {
      const name = operation && times[operation];
      const time = name && body?.[name];
      if (name === undefined || typeof time !== 'string') return 'nothing';
      const read = readIso8601(time);
      return (
        // A start has a time of day; for the time of a message the day is enough.
        (read !== undefined && (read.hasTime || name === 'occurredAt')) || {
          expected: `${name} like 2026-10-11T08:30:00Z`,
          received: shortJson(time),
          hint: time.includes(' ') ? 'In ISO 8601 a T stands between date and time.' : undefined,
          part: { body: [name] },
        }
      );
    }),
  },
  start('api-client/start-is-utc', 'the start of a new appointment is in UTC', (zone, time) =>
    zone === 'none'
      ? 'nothing'
      : zone === 'utc' || { expected: 'start in UTC, such as 2026-10-11T08:30:00Z', received: shortJson(time) },
  ),
  start('api-client/start-is-marked-as-utc', 'the start of a new appointment says that it is UTC', (zone, time) =>
    zone === 'other' ? 'nothing' : zone === 'utc' || { expected: 'start that ends in Z', received: shortJson(time) },
  ),
  word('api-client/purpose-is-listed', 'purpose is none, service or marketing', 'sendMessage', 'purpose', [
    'none',
    'service',
    'marketing',
  ]),
  words('api-client/channels-are-known', 'channels are those of the service', 'sendMessage', 'channels', [
    'whatsapp',
    'sms',
    'rcs',
    'email',
  ]),
  word('api-client/direction-is-listed', 'direction is in or out', 'logMessage', 'direction', ['in', 'out']),
  word('api-client/logged-channel-is-listed', 'channel of a logged message is a listed one', 'logMessage', 'channel', [
    'email',
    'whatsapp',
    'sms',
    'rcs',
  ]),
  word('api-client/ai-is-listed', 'ai is pause or resume', 'logMessage', 'ai', ['pause', 'resume']),
  {
    requirement: 'api-client/subject-only-for-email',
    title: 'a subject comes with the channel email only',
    needs: 'No logged message had a subject.',
    judge: each(({ operation, body }) => {
      if (operation !== 'logMessage' || !body || body.subject === undefined || body.subject === '') return 'nothing';
      if (typeof body.channel !== 'string') return 'nothing';
      return (
        body.channel === 'email' || {
          expected: 'no subject',
          received: `one with channel ${shortJson(body.channel)}`,
          part: { body: ['subject'] },
        }
      );
    }),
  },
  {
    requirement: 'api-client/metadata-holds-texts',
    title: 'metadata has string values only',
    needs: 'No appointment had metadata.',
    judge: each(({ operation, body }) => {
      if (operation !== 'createAppointment' || !isJsonObject(body?.metadata)) return 'nothing';
      const [wrong] = Object.entries(body.metadata).filter(([, value]) => typeof value !== 'string');
      return (
        wrong === undefined || {
          expected: `${shortJson(wrong[0])} in metadata to be a string`,
          received: shortJson(wrong[1]),
          part: { body: ['metadata', wrong[0]] },
        }
      );
    }),
  },
  {
    requirement: 'api-client/no-placeholder-for-a-missing-value',
    title: 'no field contains a placeholder for a missing value',
    needs: 'No request had a body with a string.',
    judge: each(({ operation, body }) => {
      // What a customer wrote is logged word for word.
      const { text: _, subject: __, ...logged } = body ?? {};
      return judgePlaceholders(operation === 'logMessage' ? logged : body);
    }),
  },
  words(
    'api-client/subscribed-events-are-listed',
    'subscribed events are listed ones',
    'subscribeWebhook',
    'events',
    events,
  ),
  address(
    'api-client/subscribed-address-is-https',
    'a subscribed address is https',
    'subscribeWebhook',
    'url',
    'https:',
  ),
  address('api-client/chat-address-is-https', 'chatUrl is https', 'changeAgent', 'chatUrl', 'https:'),
  address('api-client/phone-address-is-wss', 'voiceUrl is wss', 'changeAgent', 'voiceUrl', 'wss:'),
  {
    requirement: 'api-client/timeout-within-2-to-30-seconds',
    title: 'timeoutSeconds is between 2 and 30',
    needs: 'The client set no timeoutSeconds.',
    judge: each(({ operation, body }) => {
      const seconds = operation === 'changeAgent' ? body?.timeoutSeconds : undefined;
      if (typeof seconds !== 'number') return 'nothing';
      const { ownAiTimeoutSecondsMin: least, ownAiTimeoutSecondsMax: most } = limits;
      return (
        (seconds >= least && seconds <= most) || {
          expected: `timeoutSeconds from ${least} to ${most}`,
          received: `${seconds}`,
          part: { body: ['timeoutSeconds'] },
        }
      );
    }),
  },
];

const times: Partial<Record<OperationId, string>> = { createAppointment: 'start', logMessage: 'occurredAt' };

function start(
  requirement: RequirementId & ClientRule['requirement'],
  title: string,
  judge: (zone: 'utc' | 'other' | 'none', time: string) => Judgement,
): ClientRule {
  return {
    requirement,
    title,
    needs: 'No new appointment had a start that says what this is about.',
    judge: each(({ operation, body }) => {
      const time = operation === 'createAppointment' ? body?.start : undefined;
      const read = typeof time === 'string' ? readIso8601(time) : undefined;
      if (typeof time !== 'string' || !read?.hasTime) return 'nothing';
      const judgement = judge(read.zone, time);
      return typeof judgement === 'object' ? { ...judgement, part: { body: ['start'] } } : judgement;
    }),
  };
}

function word(
  requirement: ClientRule['requirement'],
  title: string,
  of: OperationId,
  field: string,
  allowed: readonly string[],
): ClientRule {
  return {
    requirement,
    title,
    needs: `No request had ${field}.`,
    judge: each(({ operation, body }) => {
      const value = operation === of ? body?.[field] : undefined;
      if (typeof value !== 'string') return 'nothing';
      return (
        allowed.includes(value) || {
          expected: `${field} to be ${allowed.join(' or ')}`,
          received: shortJson(value),
          part: { body: [field] },
        }
      );
    }),
  };
}

function words(
  requirement: ClientRule['requirement'],
  title: string,
  of: OperationId,
  field: string,
  allowed: readonly string[],
): ClientRule {
  return {
    requirement,
    title,
    needs: `No request had ${field}.`,
    judge: each(({ operation, body }) => {
      const values: unknown = operation === of ? body?.[field] : undefined;
      if (!Array.isArray(values) || values.length === 0) return 'nothing';
      const wrong: unknown = values.find((value) => typeof value === 'string' && !allowed.includes(value));
      return (
        wrong === undefined || {
          expected: `${field} from ${allowed.join(', ')}`,
          received: shortJson(wrong),
          part: { body: [field, values.indexOf(wrong)] },
        }
      );
    }),
  };
}

function address(
  requirement: ClientRule['requirement'],
  title: string,
  of: OperationId,
  field: string,
  scheme: 'https:' | 'wss:',
): ClientRule {
  return {
    requirement,
    title,
    needs: `The client set no ${field}, but for a test address on this machine.`,
    judge: each(({ operation, body }) => {
      const value = operation === of ? body?.[field] : undefined;
      if (typeof value !== 'string' || value === '') return 'nothing';
      const url = URL.canParse(value) ? new URL(value) : undefined;
      if (url?.protocol === scheme.replace('s:', ':') && isLoopback(url.hostname)) return 'nothing';
      return (
        url?.protocol === scheme || {
          expected: `a ${scheme}// address in ${field}`,
          received: shortJson(value),
          part: { body: [field] },
        }
      );
    }),
  };
}

/** The phone number that a request names, and its place in the body. */
function phoneOf({ operation, body }: ClientRequest): { phone: string; part: FindingPart } | undefined {
  if (operation === undefined || (!hasTarget(operation) && !fieldsOf(operation).has('phone'))) return undefined;
  const phone = body && targetValue(body, 'phone');
  if (!body || typeof phone !== 'string' || phone === '') return undefined;
  return { phone, part: { body: targetPath(body, 'phone') } };
}
