import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmEvent, CrmSeams } from '../proving/crm.ts';
import type { HookEvent } from '../proving/hooks.ts';
import type { Answer } from '../proving/wire.ts';
import type { Faulty } from './faulty.ts';

const error: Answer = { status: 500 };
const astral = /[\u{10000}-\u{10ffff}]/u;

function refuseIf(wrong: boolean, status = 500): Answer | undefined {
  return wrong ? { status } : undefined;
}

function crm(
  cause: Faulty['cause'],
  name: string,
  read: (event: CrmEvent, type: string) => Answer | undefined,
  says?: string,
): Faulty {
  return { cause, name, surface: 'crm-webhook', build: () => ({ crm: { read } }), ...(says !== undefined && { says }) };
}

function crmWith(cause: Faulty['cause'], name: string, seams: Partial<CrmSeams>, says?: string): Faulty {
  return { cause, name, surface: 'crm-webhook', build: () => ({ crm: seams }), ...(says !== undefined && { says }) };
}

function hooks(
  cause: Faulty['cause'],
  name: string,
  read: (event: HookEvent) => Answer | undefined,
  says?: string,
): Faulty {
  return {
    cause,
    name,
    surface: 'api-webhooks',
    build: () => ({ hooks: { read } }),
    ...(says !== undefined && { says }),
  };
}

const text = (part: Record<string, unknown> | null, field: string) => part?.[field] as string | null;

/** CRMs and receivers of API webhooks that fail for certain events, each with one cause. */
export const faultyCrmPayloads: readonly Faulty[] = [
  crm(
    'payload/named-event-type',
    'a number is expected',
    ({ eventType }) => refuseIf(typeof eventType !== 'number'),
    'as the number 0 it is accepted',
  ),
  crm(
    'payload/unknown-caller',
    'the number is unknown',
    ({ contactData }, type) =>
      refuseIf(/Lookup|NewConversation/.test(type) && contactData?.phoneNumber === unknownCaller, 404),
    'IncomingCallLookup and NewConversation of an unknown caller',
  ),
  crm(
    'payload/set-field',
    'a last name together with a first name',
    ({ contactData }) => refuseIf(Boolean(text(contactData, 'firstName')) && contactData?.lastName === null),
    'firstName',
  ),
  {
    ...crm(
      'payload/null-field',
      'projectData is read',
      ({ projectData }) => refuseIf(projectData === null),
      'projectData is null',
    ),
    suspected: true,
  },
  {
    ...crm(
      'payload/missing-field',
      'null is expected, not absence',
      ({ contactData }) => refuseIf(contactData !== null && contactData.city === undefined),
      'contactData.city',
    ),
    suspected: true,
  },
  crm(
    'payload/many-items',
    'one address alone',
    ({ contactData }) => refuseIf(((contactData?.postalAddresses ?? []) as unknown[]).length > 1, 422),
    'has 2',
  ),
  crm('payload/unknown-field', 'a strict schema', (event) => refuseIf('xFuture' in event, 400), 'xFuture'),
  crm(
    'payload/unknown-value',
    'languages enumerated',
    ({ contactData }) => refuseIf(!['de-DE', 'en-US'].includes(String(contactData?.language))),
    'fr-FR',
  ),
  crm(
    'payload/astral-characters',
    'company in a three-byte column',
    ({ contactData }) => refuseIf(astral.test(text(contactData, 'company') ?? '')),
    'contactData.company',
  ),
  crm(
    'payload/long-text',
    'crmAiInfo in a column of 2000',
    ({ contactData }) => refuseIf((text(contactData, 'crmAiInfo') ?? '').length > 2000),
    'more than 2000',
  ),
  {
    ...crm(
      'payload/large-number',
      'svcContactId of 32 bits',
      ({ contactData }) => refuseIf(Number(contactData?.svcContactId) > 2_147_483_647),
      'svcContactId',
    ),
    suspected: true,
  },
  crm(
    'payload/map-name',
    'keys of metadata as columns',
    ({ appointmentData }) =>
      refuseIf(!Object.keys(appointmentData?.metadata ?? {}).every((key) => /^[\w.]+$/.test(key))),
    'metadata',
  ),
  crm(
    'payload/set-field',
    'cancelledAt is not known',
    ({ appointmentData }) => refuseIf(typeof appointmentData?.cancelledAt === 'string'),
    'cancelledAt',
  ),
  crm(
    'payload/listed-event',
    'a type is forgotten',
    (_, type) => refuseIf(type === 'AppointmentReminderSent'),
    'AppointmentReminderSent',
  ),
  crm(
    'payload/number-event-type',
    'three numbers are missing in the table',
    ({ eventType }) => refuseIf([2, 3, 4].includes(eventType as number)),
    'number 2',
  ),
  crm(
    'payload/map-name',
    'only one type of appointment event is processed',
    ({ eventType, appointmentData }) =>
      refuseIf(
        eventType === 'AppointmentCreated' &&
          Object.keys(appointmentData?.metadata ?? {}).some((key) => !/^[\w.]+$/.test(key)),
      ),
    'metadata',
  ),
  crm(
    'payload/number-event-type',
    'numbers are no longer taken',
    ({ eventType }) => refuseIf(typeof eventType === 'number', 400),
    'number',
  ),
  crmWith(
    'payload/unknown-event',
    'an unknown type is an error',
    { unknownEvent: (type) => ({ status: typeof type === 'string' ? 400 : 204 }) },
    '400',
  ),
  crmWith(
    'payload/unknown-event',
    'an unknown type is acknowledged',
    { unknownEvent: (type) => ({ status: typeof type === 'string' ? 202 : 204 }) },
    '202',
  ),
  crmWith(
    'payload/unknown-event',
    'an unknown number throws',
    { unknownEvent: (type) => ({ status: typeof type === 'number' ? 500 : 204 }) },
    '500',
  ),
  crmWith(
    'payload/unknown-event',
    'a type of appointments that came later throws',
    { unknownEvent: (type) => ({ status: String(type).startsWith('Appointment') ? 500 : 204 }) },
    'with appointmentData is answered with status 500',
  ),
  { ...crmWith('payload/every-event', 'nothing works', { read: () => error }), suspected: true },
  hooks(
    'payload/null-field',
    'customerConfirmedAt is read',
    ({ data }) => refuseIf(data.customerConfirmedAt === null),
    'customerConfirmedAt',
  ),
  hooks(
    'payload/unknown-value',
    'status enumerated',
    ({ data }) => refuseIf(!['proposed', 'confirmed', 'cancelled'].includes(String(data.status)), 400),
    'data.status',
  ),
  hooks(
    'payload/unknown-field',
    'a strict appointment',
    ({ data }) => refuseIf('xFuture' in data, 400),
    'data.xFuture',
  ),
  hooks(
    'payload/listed-event',
    'finished is not known',
    ({ type }) => refuseIf(type === 'appointment.finished', 400),
    'appointment.finished',
  ),
  {
    ...hooks(
      'payload/unknown-appointment',
      'only what was created can change',
      () => undefined,
      'unless appointment.created',
    ),
    build: () => {
      const known = new Set<unknown>();
      const read = ({ type, data }: HookEvent) => {
        if (type === 'appointment.created') known.add(data['id']);
        return refuseIf(!known.has(data['id']) && /^appointment\.(confirmed|rescheduled|cancelled)$/.test(type), 404);
      };
      return { hooks: { read } };
    },
  },
  hooks('payload/unknown-event', 'a later type is refused', ({ type }) =>
    refuseIf(!/^appointment\.(created|confirmed|rescheduled|cancelled|finished|reminder_sent)$/.test(type), 400),
  ),
  hooks(
    'payload/astral-characters',
    'only one type is processed, with a title in a three-byte column',
    ({ type, data }) => refuseIf(type === 'appointment.created' && astral.test(String(data.title))),
    'data.title',
  ),
  hooks(
    'payload/astral-characters',
    'a title in a three-byte column',
    ({ data }) => refuseIf(astral.test(String(data.title))),
    'data.title',
  ),
];
