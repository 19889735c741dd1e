import type { ServiceStatement } from './requirement.ts';

/** Behaviour of the service on every operation of API v1, and with contacts and lists. */
export const serviceApi = {
  'service/api-lives-under-v1': {
    section: 'Versioning',
    statement: 'Every operation of the API has an address that begins with /v1 under the base address.',
  },
  'service/api-speaks-json': {
    section: 'Endpoints',
    statement: 'Bodies of requests and of answers are JSON; any other request body is refused.',
  },
  'service/api-takes-the-key-in-either-header': {
    section: 'Authentication',
    statement: 'Every operation takes the API key in X-Api-Key or as a bearer token in Authorization.',
  },
  'service/api-needs-a-known-key': {
    section: 'Authentication',
    statement: 'Without a key, or with one that was never created, nothing is done and nothing is disclosed.',
  },
  'service/api-keys-have-a-prefix': {
    section: 'Authentication',
    statement: 'API keys begin with svc_sk_.',
  },
  'service/api-key-belongs-to-one-inbox': {
    section: 'Authentication',
    statement:
      'A key gives access to its own inbox only; contacts, projects, appointments and assistants of another inbox do not exist for it.',
  },
  'service/api-errors-name-their-code-in-title': {
    section: 'Errors',
    statement:
      'Every error, including one that occurs before an operation is reached, is answered with problem details of RFC 9457 with the code in title and the status of the answer.',
  },
  'service/api-limits-requests-per-minute': {
    section: 'Limits',
    statement:
      'A key may send 60 requests a minute; further requests are refused, and accepted again when the minute is over.',
  },
  'service/api-limits-each-key-by-itself': {
    section: 'Limits',
    statement: 'The requests of one key do not count towards the limit of another.',
  },
  'service/api-limit-counts-agent-replies': {
    section: 'Limits',
    statement: 'Agent replies count among the 60 requests of a minute.',
  },
  'service/api-idempotency-on-messages': {
    section: 'Limits',
    statement:
      'A message that is sent again with the same Idempotency-Key is sent to the customer once and answered as before.',
  },
  'service/api-idempotency-on-notes': {
    section: 'Limits',
    statement: 'A note that is sent again with the same Idempotency-Key is written once and answered as before.',
  },
  'service/api-idempotency-on-skills': {
    section: 'Limits',
    statement:
      'A skill that is requested again with the same Idempotency-Key runs once, and the answer is the first one.',
  },
  'service/api-idempotency-lasts-a-day': {
    section: 'Limits',
    statement: 'An Idempotency-Key identifies its request for 24 hours; after that the request is processed anew.',
  },
  'service/api-idempotency-is-optional': {
    section: 'API v1',
    statement: 'Without an Idempotency-Key the same message, note or skill is processed each time it is sent.',
  },
  'service/api-me-tells-inbox-and-key': {
    section: 'Key responses',
    statement: 'GET /v1/me returns workspaceId, workspaceName and the name of the key.',
  },
  'service/api-creates-a-contact': {
    section: 'API v1',
    statement: 'A contact with a phone number that the inbox does not know is created and answered 201 with its id.',
  },
  'service/api-changes-the-contact-of-a-phone': {
    section: 'API v1',
    statement: 'A contact with a known phone number is changed and answered 200 with the id that it has.',
  },
  'service/api-contact-needs-a-phone': {
    section: 'API v1',
    statement: 'A contact without a phone number is refused.',
  },
  'service/api-contact-keeps-its-members': {
    section: 'Contact (API)',
    statement: 'First name, last name, email and serviceConsent of a contact are kept as they were sent.',
  },
  'service/api-contact-phone-is-international': {
    section: 'Contact (API)',
    statement: 'The phone number of a contact is in international form.',
  },
  'service/api-lists-senders': {
    section: 'API v1',
    statement: 'GET /v1/senders lists the senders of the inbox.',
  },
  'service/api-lists-approved-templates': {
    section: 'API v1',
    statement: 'GET /v1/whatsapp/templates lists the WhatsApp templates that are approved.',
  },
  'service/api-publishes-its-description': {
    section: 'Versioning',
    statement: 'A machine-readable description of the whole API is at /v1/openapi.json.',
  },
  'service/api-has-a-reference': {
    section: 'Versioning',
    statement: 'An interactive reference is at /v1/docs.',
  },
  'service/api-has-a-changelog': {
    section: 'Versioning',
    statement: 'The changes that callers notice are listed at /v1/changelog.',
  },
} as const satisfies Record<`service/api-${string}`, ServiceStatement>;
