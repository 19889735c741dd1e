import { appointmentEvents, appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { limits } from '../../specs/limits.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { ApiWebhookEvent, Appointment, CrmEvent } from '../../specs/generated/types.ts';
import { wholeAnswer, type Contract, type HttpInteraction, type Matched, type ShownField } from './contract.ts';
import {
  appointmentIn,
  bareContact,
  crmEventExample,
  exampleAppointment,
  exampleKnownCaller,
  examplePostalAddress,
  exampleUnknownCaller,
  fullContact,
  fullProject,
} from './example-events.ts';
import { like, matchersFromSchema } from './matchers-from-schema.ts';
import { fromState, givenState } from './provider-states.ts';
import { crmRequest } from './service-request.ts';
import type { JsonValue } from '../../specs/json-value.ts';
import {
  crmConversationEventTypes,
  legacyEventTypes,
  lookupEventTypes,
  type LookupEventType,
} from '../../specs/crm-event-types.ts';

/** The permitted answers to any accepted event (interface: CRM webhook answer). */
const answered = { status: { example: 204, of: [200, 202, 204] } } as const;

type CrmRequirement = Extract<RequirementId, `crm-webhook/${string}`>;

function matched(event: CrmEvent, instead: Readonly<Record<string, Matched>> = {}): Matched {
  return matchersFromSchema('crmEvent', event as unknown as JsonValue, {
    instead: { '/eventType': event.eventType, ...instead },
  });
}

/** An event that must be accepted, whatever the endpoint answers. */
function accepted(
  description: string,
  requirement: CrmRequirement,
  body: Matched,
  more: Partial<HttpInteraction> = {},
): HttpInteraction {
  const request = crmRequest(body);
  return { kind: 'http', description, requirement, states: [], request, response: answered, ...more };
}

const eventTypes: readonly HttpInteraction[] = [
  accepted(
    'a call of an unknown number comes in',
    'crm-webhook/answers-every-event',
    matched(crmEventExample('IncomingCallLookup')),
    { states: [givenState('an unknown caller', { caller: exampleUnknownCaller })] },
  ),
  ...crmConversationEventTypes
    .filter((type) => type !== 'IncomingCallLookup')
    .map((type) => accepted(`the event ${type}`, 'crm-webhook/answers-every-event', matched(crmEventExample(type)))),
  ...appointmentEventTypes.map((type) =>
    accepted(
      `the event ${appointmentEvents[type].crm} with its appointment`,
      'crm-webhook/answers-every-event',
      matched(aboutAppointment(type, appointmentIn[type])),
    ),
  ),
  ...legacyEventTypes.map((type, number) =>
    accepted(
      `the event ${type} by its former number ${number}`,
      'crm-webhook/accepts-legacy-numbers',
      matched(crmEventExample(type), { '/eventType': number }),
    ),
  ),
  accepted(
    'an event with a name that came later',
    'crm-webhook/unknown-event-name-204',
    matched(crmEventExample('Manual'), { '/eventType': 'ConversationTagged' }),
    { response: { status: 204 } },
  ),
  accepted(
    'an event with a number without a meaning',
    'crm-webhook/unknown-event-number-204',
    matched(crmEventExample('Manual'), { '/eventType': 99 }),
    { response: { status: 204 } },
  ),
];

const [homeAddress, officeAddress] = [
  { ...examplePostalAddress, type: 'home', label: '', isDefault: false },
  { ...examplePostalAddress, label: 'Office', isDefault: true },
];

const payloads: readonly HttpInteraction[] = [
  accepted(
    'a lookup in which everything is null that may be',
    'crm-webhook/accepts-null-members',
    matched(crmEventExample('IncomingCallLookup', { contactData: bareContact })),
  ),
  accepted(
    'a lookup in which every field has a value',
    'crm-webhook/answers-any-valid-event',
    matched(crmEventExample('IncomingCallLookup', { contactData: fullContact, projectData: fullProject })),
  ),
  accepted(
    'a lookup without postal addresses',
    'crm-webhook/accepts-no-postal-addresses',
    matched(crmEventExample('IncomingCallLookup', { contactData: { ...fullContact, postalAddresses: [] } })),
  ),
  ...Object.entries({
    'a lookup with two postal addresses, one of them the default': [homeAddress, officeAddress],
    'a lookup with two postal addresses, none of them the default': [
      homeAddress,
      { ...officeAddress, isDefault: false },
    ],
  }).map(([description, postalAddresses]) =>
    accepted(
      description,
      'crm-webhook/accepts-several-postal-addresses',
      matched(
        crmEventExample('IncomingCallLookup', {
          contactData: { ...fullContact, postalAddresses: postalAddresses },
        }),
      ),
    ),
  ),
  ...Object.entries({
    'an appointment without a confirmation': { customerConfirmedAt: null, businessConfirmedAt: null },
    'an appointment with every time set': {
      cancelledAt: '2026-10-11T09:25:00',
      finishedAt: '2026-10-13T08:30:00',
    },
    'an appointment without metadata': { metadata: {} },
  }).map(([description, over]) =>
    accepted(
      description,
      'crm-webhook/accepts-appointment-data',
      matched(aboutAppointment('appointment.confirmed', over)),
    ),
  ),
  accepted('a lookup with fields that came later', 'crm-webhook/accepts-unknown-members', withLaterFields()),
  accepted(
    'a lookup in an unknown language',
    'crm-webhook/accepts-unknown-values',
    matched(crmEventExample('IncomingCallLookup'), { '/contactData/language': 'nl-NL' }),
  ),
  accepted(
    'an appointment with a status that came later',
    'crm-webhook/accepts-unknown-values',
    matched(aboutAppointment('appointment.confirmed', {}), { '/appointmentData/status': 'no_show' }),
  ),
];

const tokens: readonly HttpInteraction[] = (
  [
    ['an event without a token', 'none'],
    ['an event with another token', 'wrong'],
  ] as const
).map(([description, credentials]) => ({
  kind: 'http',
  description,
  requirement: 'crm-webhook/refuses-with-401',
  states: [],
  request: crmRequest(matched(crmEventExample('Manual')), credentials),
  response: { status: 401 },
  credentials,
}));

const knownCaller = givenState('a known caller', { caller: exampleKnownCaller });
const newCase = givenState('a conversation with a case number');

function ofKnownCaller(eventType: LookupEventType): Matched {
  return matched(crmEventExample(eventType), {
    '/contactData/phoneNumber': fromState('caller', exampleKnownCaller),
  });
}

function ofNewCase(eventType: 'FinishedCall' | 'ConversationPaused'): Matched {
  return matched(crmEventExample(eventType, { projectData: { ...fullProject, crmProjectId: null } }));
}

const flagsContact: ShownField = { pointer: '/requestContactUpdate', value: true };
const flagsProject: ShownField = { pointer: '/requestProjectUpdate', value: true };

/** The endpoint answers at once; the field is read only from a flagged part. */
function lookupResult(
  description: string,
  requirement: CrmRequirement,
  eventType: LookupEventType,
  contactData: Readonly<Record<string, string>>,
  only: Pick<ShownField, 'type'> = {},
): HttpInteraction {
  const body = {
    requestContactUpdate: true,
    contactData: matchersFromSchema('contactDataAnswer', contactData, { lengths: true }),
  };
  return {
    ...accepted(description, requirement, ofKnownCaller(eventType)),
    states: [knownCaller],
    response: { status: 200, body },
    otherwise: [202, 204],
    shows: [flagsContact, ...Object.keys(contactData).map((name) => ({ pointer: `/contactData/${name}`, ...only }))],
  };
}

/** The endpoint stores the ended conversation and answers with the case number. */
function files(eventType: 'FinishedCall' | 'ConversationPaused'): HttpInteraction {
  const description = `${eventType} is answered with the case number`;
  return {
    ...accepted(description, 'crm-webhook/ids-are-strings', ofNewCase(eventType)),
    states: [newCase],
    response: {
      status: 200,
      body: {
        requestProjectUpdate: true,
        projectData: matchersFromSchema('projectDataAnswer', { crmProjectId: 'V-2026-0042' }),
      },
    },
    otherwise: [202, 204],
    shows: [flagsProject, { pointer: '/projectData/crmProjectId' }],
  };
}

/** Answer for a known customer and case: any permitted status, with any content. */
const ofStates: readonly HttpInteraction[] = [
  ...lookupEventTypes.map((type) =>
    accepted(`the event ${type} of a known number`, 'crm-webhook/answers-every-event', ofKnownCaller(type), {
      states: [knownCaller],
    }),
  ),
  ...(['FinishedCall', 'ConversationPaused'] as const).map((type) =>
    accepted(`the event ${type} of which a case is made`, 'crm-webhook/answers-every-event', ofNewCase(type), {
      states: [newCase],
    }),
  ),
];

const answers: readonly HttpInteraction[] = [
  {
    ...accepted(
      'a lookup of a chat is answered with a JSON object',
      'crm-webhook/answer-is-a-json-object',
      matched(crmEventExample('NewConversation')),
    ),
    response: { status: 200, body: like({}) },
    otherwise: [202, 204],
    shows: [wholeAnswer],
  },
  lookupResult(
    'a call of a known number is answered with the customer id',
    'crm-webhook/ids-are-strings',
    'IncomingCallLookup',
    {
      crmContactId: 'K-10023',
    },
  ),
  lookupResult(
    'a call of a known number is answered with the first name',
    'crm-webhook/field-types-as-listed',
    'IncomingCallLookup',
    {
      firstName: 'Erika',
    },
  ),
  lookupResult(
    'a call of a known number is answered with the last name',
    'crm-webhook/field-types-as-listed',
    'IncomingCallLookup',
    {
      lastName: 'Mustermann',
    },
  ),
  lookupResult(
    `a call of a known number is answered with crmAiInfo of at most ${limits.crmAiInfoCharacters} characters`,
    'crm-webhook/crm-ai-info-within-5000-characters',
    'IncomingCallLookup',
    { crmAiInfo: 'Has a maintenance contract.' },
    { type: 'text' },
  ),
  lookupResult(
    'a chat of a known number is answered with the customer id',
    'crm-webhook/ids-are-strings',
    'NewConversation',
    {
      crmContactId: 'K-10023',
    },
  ),
  ...(['requestContactUpdate', 'requestProjectUpdate'] as const).map((flag): HttpInteraction => {
    const description = `a call of a known number is answered with ${flag}`;
    return {
      ...accepted(description, 'crm-webhook/flags-are-boolean', ofKnownCaller('IncomingCallLookup')),
      states: [knownCaller],
      response: { status: 200, body: matchersFromSchema('crmAnswer', { [flag]: true }) },
      otherwise: [202, 204],
      shows: [{ pointer: `/${flag}` }],
    };
  }),
  files('FinishedCall'),
  files('ConversationPaused'),
];

function aboutAppointment(type: ApiWebhookEvent['type'], over: Partial<Appointment>): CrmEvent {
  return crmEventExample(appointmentEvents[type].crm, {
    appointmentData: { ...exampleAppointment, ...over },
  });
}

function withLaterFields(): Matched {
  const event = matched(crmEventExample('IncomingCallLookup')) as Readonly<Record<string, Matched>>;
  const contact = event['contactData'] as Readonly<Record<string, Matched>>;
  const project = event['projectData'] as Readonly<Record<string, Matched>>;
  const later = { cameLater: { since: 2027, tags: ['a', null] } };
  return { ...event, ...later, contactData: { ...contact, ...later }, projectData: { ...project, ...later } };
}

/**
 * Contract of the service with the receiver of the CRM webhook (interface: CRM webhook). The suites judge callbacks
 * after a 202, times and redeliveries: a contract is one request and its answer.
 */
export const crmWebhookContract: Contract<HttpInteraction> = {
  consumer: 'svc',
  provider: 'crm-webhook',
  interactions: [...eventTypes, ...payloads, ...tokens, ...ofStates, ...answers],
};
