import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import type { Contract, HttpInteraction, Matched } from './contract.ts';
import { apiWebhookExample } from './example-events.ts';
import { matchersFromSchema } from './matchers-from-schema.ts';
import { apiWebhookRequest } from './service-request.ts';
import type { JsonValue } from '../../specs/json-value.ts';

type HookRequirement = Extract<RequirementId, `api-webhooks/${string}`>;
type Example = ReturnType<typeof apiWebhookExample>;

function matched(event: Example, instead: Readonly<Record<string, Matched>> = {}): Matched {
  return matchersFromSchema('apiWebhookEvent', event as unknown as JsonValue, {
    instead: { '/type': event.type, ...instead },
  });
}

/** A delivery that must be accepted: any 2xx (interface: API webhook events; status 200 is a SHOULD). */
function accepted(description: string, requirement: HookRequirement, body: Matched): HttpInteraction {
  return {
    kind: 'http',
    description,
    requirement,
    states: [],
    request: apiWebhookRequest(body),
    response: { status: { example: 200, of: 'success' } },
  };
}

const times: Readonly<Record<string, Partial<Example['data']>>> = {
  'an appointment without a confirmation': { customerConfirmedAt: null, businessConfirmedAt: null },
  'an appointment that only the customer has confirmed': { businessConfirmedAt: null },
  'an appointment with every time set': { cancelledAt: '2026-10-11T09:25:00', finishedAt: '2026-10-13T08:30:00' },
};

const metadata: Readonly<Record<string, Example['data']['metadata']>> = {
  'an appointment without metadata': {},
  'an appointment with metadata that has dots, slashes and quotes in its keys': {
    'a.b': '1',
    'c/d~e': '2',
    'f"g': '3',
  },
  'an appointment with metadata that has keys beyond ASCII': { größe: 'groß', رقم: '٣' },
};

function withLaterFields(): Matched {
  const event = matched(apiWebhookExample('appointment.confirmed')) as Readonly<Record<string, Matched>>;
  const later = { cameLater: { since: 2027, tags: ['a', null] } };
  return { ...event, ...later, data: { ...(event['data'] as Readonly<Record<string, Matched>>), ...later } };
}

const deliveries: readonly HttpInteraction[] = [
  ...appointmentEventTypes.map((type) =>
    accepted(`the event ${type}`, 'api-webhooks/accepts-every-event-type', matched(apiWebhookExample(type))),
  ),
  {
    ...accepted(
      'an event is answered 200',
      'api-webhooks/answers-200',
      matched(apiWebhookExample('appointment.created')),
    ),
    response: { status: 200 },
  },
  ...Object.entries(times).map(([description, over]) =>
    accepted(
      description,
      'api-webhooks/accepts-null-and-set-times',
      matched(apiWebhookExample('appointment.confirmed', over)),
    ),
  ),
  ...Object.entries(metadata).map(([description, of]) =>
    accepted(
      description,
      'api-webhooks/accepts-metadata-with-unusual-keys',
      matched(apiWebhookExample('appointment.confirmed', { metadata: of })),
    ),
  ),
  accepted('an event with fields that came later', 'api-webhooks/accepts-unknown-members', withLaterFields()),
  accepted(
    'an appointment with a status that came later',
    'api-webhooks/accepts-unknown-values',
    matched(apiWebhookExample('appointment.confirmed'), { '/data/status': 'no_show' }),
  ),
  accepted(
    'an appointment of a kind that came later',
    'api-webhooks/accepts-unknown-values',
    matched(apiWebhookExample('appointment.confirmed'), { '/data/kind': 'walk_in' }),
  ),
  accepted(
    'an event of a type that came later',
    'api-webhooks/accepts-later-event-type',
    matched(apiWebhookExample('appointment.confirmed'), { '/type': 'appointment.no_show' }),
  ),
];

const signatures: readonly HttpInteraction[] = (
  [
    [
      'an event without a signature',
      'none',
      'api-webhooks/refuses-with-4xx-if-unreadable',
      { example: 401, of: 'clientError' },
    ],
    ['an event signed with another secret', 'wrong', 'api-webhooks/refuses-with-401', 401],
  ] as const
).map(([description, credentials, requirement, status]) => ({
  kind: 'http',
  description,
  requirement,
  states: [],
  request: apiWebhookRequest(matched(apiWebhookExample('appointment.created')), credentials),
  response: { status },
  credentials,
}));

/**
 * Contract of the service with the receiver of appointment events (interface: API webhook events). The suites judge
 * invalid signatures and repeated deliveries: a contract has no bytes and no memory.
 */
export const apiWebhooksContract: Contract<HttpInteraction> = {
  consumer: 'svc',
  provider: 'api-webhooks',
  interactions: [...deliveries, ...signatures],
};
