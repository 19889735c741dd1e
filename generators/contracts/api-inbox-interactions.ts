import { schemas } from '../../specs/schemas.ts';
import type { ApiInteractionPlan } from './api-interaction.ts';

const contact = {
  id: 5512,
  phone: '+4930901820',
  firstName: 'Erika',
  lastName: 'Mustermann',
  email: 'erika@example.com',
  serviceConsent: true,
};
const subscribed = schemas.webhookResponse.examples?.[0] ?? null;
const me = { workspaceId: 71, workspaceName: 'Example inbox', keyName: 'CRM' };

/** The inbox, its contacts and its subscriptions (interface: API v1). */
export const apiInboxInteractions = {
  'get-me/known-key': {
    operation: 'getMe',
    does: 'the API key is looked up',
    requirement: 'service/api-me-tells-inbox-and-key',
    answer: { status: 200, body: me },
  },
  'get-me/bearer-token': {
    operation: 'getMe',
    does: 'the API key is looked up, sent as a bearer token',
    requirement: 'service/api-takes-the-key-in-either-header',
    bearer: true,
    answer: { status: 200, body: me },
  },
  'get-me/unknown-key': {
    operation: 'getMe',
    does: 'an unknown API key is looked up',
    requirement: 'service/api-needs-a-known-key',
    states: [{ name: 'the API key is not known' }],
    answer: { problem: 'unauthorized' },
    notShown: ['key-error-status', 'error-codes'],
  },
  'get-me/too-many-requests': {
    operation: 'getMe',
    does: 'a request exceeds the limit of a minute',
    requirement: 'service/api-limits-requests-per-minute',
    states: [{ name: 'too many requests were sent', params: { seconds: 30 } }],
    answer: { problem: 'rate_limited', retryAfter: 30 },
    notShown: ['rate-limit-status', 'rate-limit-minute', 'error-codes'],
  },
  'upsert-contact/created': {
    operation: 'upsertContact',
    does: 'a contact with a new phone number is created',
    requirement: 'service/api-creates-a-contact',
    states: [{ name: 'no such contact', params: { phone: contact.phone } }],
    body: without(contact, 'id'),
    answer: { status: 201, body: contact, shows: ['id'] },
  },
  'upsert-contact/created-by-phone-alone': {
    operation: 'upsertContact',
    does: 'a contact is created with a phone number alone',
    requirement: 'service/api-creates-a-contact',
    states: [{ name: 'no such contact', params: { phone: contact.phone } }],
    body: { phone: contact.phone },
    answer: {
      status: 201,
      body: { ...contact, firstName: null, lastName: null, email: null, serviceConsent: false },
      shows: ['id'],
    },
  },
  'upsert-contact/changed': {
    operation: 'upsertContact',
    does: 'the contact of a known phone number is changed',
    requirement: 'service/api-changes-the-contact-of-a-phone',
    states: [{ name: 'a contact exists', params: { contactId: contact.id, phone: contact.phone } }],
    body: { phone: contact.phone, firstName: 'Erika', lastName: 'Beispiel' },
    answer: { status: 200, body: { ...contact, lastName: 'Beispiel' }, shows: ['id'] },
  },
  'upsert-contact/without-phone': {
    operation: 'upsertContact',
    does: 'a contact without a phone number is refused',
    requirement: 'service/api-contact-needs-a-phone',
    body: { firstName: 'Erika', lastName: 'Mustermann' },
    broken: true,
    answer: { problem: 'invalid_request' },
    notShown: ['error-codes'],
  },
  'subscribe-webhook/created': {
    operation: 'subscribeWebhook',
    does: 'an address is subscribed to appointment events',
    requirement: 'service/webhook-subscription-is-created',
    body: {
      url: 'https://integrator.example/hooks',
      events: ['appointment.confirmed', 'appointment.cancelled'],
      description: 'Calendar',
    },
    answer: { status: 201, body: subscribed, opaque: ['/subscription'] },
  },
  'subscribe-webhook/created-without-description': {
    operation: 'subscribeWebhook',
    does: 'an address is subscribed without a description',
    requirement: 'service/webhook-subscription-is-created',
    body: { url: 'https://integrator.example/hooks', events: ['appointment.created'] },
    answer: { status: 201, body: subscribed, opaque: ['/subscription'] },
    notShown: ['api-required-members'],
  },
  'subscribe-webhook/address-not-https': {
    operation: 'subscribeWebhook',
    does: 'a subscription of an address that is not https is refused',
    requirement: 'service/webhook-address-is-https',
    body: { url: 'http://integrator.example/hooks', events: ['appointment.created'] },
    broken: true,
    answer: { problem: 'invalid_request' },
    notShown: ['error-codes'],
  },
  'list-senders/listed': {
    operation: 'listSenders',
    does: 'the senders of the inbox are read',
    requirement: 'service/api-lists-senders',
    answer: { status: 200, body: [{ id: '4930231255000', channel: 'whatsapp', name: 'Example inbox' }] },
    notShown: ['list-responses'],
  },
  'list-senders/none': {
    operation: 'listSenders',
    does: 'the senders of an inbox without any are read',
    requirement: 'service/api-lists-senders',
    states: [{ name: 'the inbox has no senders' }],
    answer: { status: 200, body: [] },
    notShown: ['list-responses'],
  },
  'list-whatsapp-templates/listed': {
    operation: 'listWhatsAppTemplates',
    does: 'the approved WhatsApp templates are read',
    requirement: 'service/api-lists-approved-templates',
    answer: { status: 200, body: [{ name: 'order_ready', language: 'en', text: 'Your order is ready.' }] },
    notShown: ['list-responses'],
  },
  'list-whatsapp-templates/none': {
    operation: 'listWhatsAppTemplates',
    does: 'the WhatsApp templates of an inbox without any are read',
    requirement: 'service/api-lists-approved-templates',
    states: [{ name: 'the inbox has no templates' }],
    answer: { status: 200, body: [] },
    notShown: ['list-responses'],
  },
} as const satisfies Readonly<Record<string, ApiInteractionPlan>>;

function without<T extends object, K extends keyof T>(fields: T, name: K): Omit<T, K> {
  const { [name]: _left, ...rest } = fields;
  return rest;
}
