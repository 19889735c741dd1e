import { appointmentEvents } from './appointment-event-types.ts';
import { limits } from './limits.ts';
import { componentsPath } from './schema-components.ts';
import { schemaExamples } from './schema-examples.ts';
import { schemas, type SchemaName } from './schemas.ts';
import type { JsonFields } from './json-value.ts';

const json = 'application/json';
const callbackMinutes = limits.crmCallbackWithinMs / 60_000;

function header(name: string, description: string, schema: JsonFields): JsonFields {
  return { name, in: 'header', required: true, description, schema };
}

/** `appointment.reminder_sent` becomes `appointmentReminderSent`. */
function camelCase(type: string): string {
  return type.replaceAll(/[._]([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

type AppointmentEvent = keyof typeof appointmentEvents;

const made = '2026-10-11T09:30:00';
const confirmed: JsonFields = { status: 'confirmed', customerConfirmedAt: made, businessConfirmedAt: made };
const finishedAt = '2026-12-02T12:00:00';

/** Trigger of an event, and the state of the appointment if it differs from the example (interface: Appointment). */
const appointmentWhen: Readonly<Record<AppointmentEvent, { readonly at: string; readonly is: JsonFields }>> = {
  'appointment.created': { at: made, is: {} },
  'appointment.confirmed': { at: made, is: confirmed },
  'appointment.rescheduled': { at: made, is: { rescheduledCount: 1 } },
  'appointment.cancelled': { at: made, is: { status: 'cancelled', cancelledAt: made } },
  'appointment.finished': { at: finishedAt, is: { ...confirmed, finishedAt } },
  'appointment.reminder_sent': {
    at: '2026-12-01T08:30:00',
    is: { ...confirmed, start: '2026-12-01T09:00:00', startLocal: '2026-12-01T10:00:00' },
  },
};

/** An event of this type with each example of an appointment. */
function eventExamples(type: AppointmentEvent): JsonFields {
  const { at: createdAt, is } = appointmentWhen[type];
  const examples = schemaExamples('apiAppointment').map(({ name, value }) => {
    const size = name.replace('apiAppointment', '').replace(/^1$/, '');
    const data = { ...(value as JsonFields), ...is };
    return [
      `${camelCase(type)}${size}`,
      { value: { id: 'whe_5d41402abc4b2a76', type, createdAt, workspaceId: 71, data } },
    ] as const;
  });
  return Object.fromEntries(examples);
}

function appointmentEvent(type: AppointmentEvent, does: string): JsonFields {
  return {
    post: {
      operationId: camelCase(type),
      summary: does,
      description:
        'Sent to every subscription of POST /v1/webhooks that names this event. Check the signature over the raw bytes before ' +
        'anything else, and answer 200. Deliveries with the same X-Svc-Delivery-Id are the same one.',
      tags: ['Webhooks'],
      security: [{ signature: [] }],
      parameters: [header('X-Svc-Delivery-Id', 'Unique to the delivery.', { type: 'string' })],
      requestBody: {
        required: true,
        content: {
          [json]: {
            schema: { $ref: `${componentsPath}${schemas.apiWebhookEvent.title}` },
            examples: eventExamples(type),
          },
        },
      },
      responses: {
        200: { description: 'Taken.' },
        401: {
          description: `The signature is wrong, or its time is more than ${limits.signatureToleranceSeconds} seconds off.`,
        },
      },
    },
  };
}

function examplesOf(name: SchemaName): JsonFields {
  return Object.fromEntries(schemaExamples(name).map(({ name: title, value }) => [title, { value }]));
}

function crmAnswer(): JsonFields {
  const value = { requestContactUpdate: true, contactData: { crmContactId: 'K-1044' }, requestProjectUpdate: false };
  return {
    [json]: {
      schema: { $ref: `${componentsPath}${schemas.crmAnswer.title}` },
      examples: { known: { value }, ...examplesOf('crmAnswer') },
    },
  };
}

/** The event of the CRM webhook (interface: CRM webhook). OpenAPI has no place for a callback of a webhook. */
function crmEvent(): JsonFields {
  return {
    post: {
      operationId: 'crmEvent',
      summary: 'Something happened in a conversation, or a caller is to be looked up.',
      description:
        `Sent to the address that was entered for the inbox. Answer an IncomingCallLookup within ${limits.crmLookupAnswerMs / 1000} seconds. ` +
        'Events with the same callbackUrl are the same one; answer 204 to a type that you do not know.',
      tags: ['CRM'],
      security: [{ webhookToken: [] }],
      requestBody: {
        required: true,
        content: {
          [json]: {
            schema: { $ref: `${componentsPath}${schemas.crmEvent.title}` },
            examples: examplesOf('crmEvent'),
          },
        },
      },
      responses: {
        200: {
          description: 'What is to be changed; only the flagged parts are applied.',
          content: crmAnswer(),
        },
        202: {
          description: `The answer follows in one POST to callbackUrl within ${callbackMinutes} minutes, with the body of a 200 and without authentication.`,
        },
        204: { description: 'There is nothing to add.' },
        401: { description: 'The token is wrong.' },
      },
    },
  };
}

/** Requests of the service to the integrator, as `webhooks` of the OpenAPI document. */
export function openApiWebhooks(): JsonFields {
  const all = (Object.keys(appointmentEvents) as AppointmentEvent[]).map(
    (type) => [type, appointmentEvent(type, appointmentEvents[type].tells)] as const,
  );
  return { ...Object.fromEntries(all), crmEvent: crmEvent() };
}

/** Authentication of the service to receivers. */
export const webhookSecuritySchemes: JsonFields = {
  signature: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Signature',
    description:
      't=<unix seconds>,v1=<hex HMAC-SHA256>, with the secret of the subscription as UTF-8 text over t, a full stop and the ' +
      `raw bytes of the body. Compare in constant time, and refuse a t more than ${limits.signatureToleranceSeconds} seconds off.`,
  },
  webhookToken: { type: 'http', scheme: 'bearer', description: 'The token that was entered for the inbox.' },
};
