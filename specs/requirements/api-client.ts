import { apiClientConduct } from './api-client-conduct.ts';
import { apiClientValues } from './api-client-values.ts';
import type { Requirement } from './requirement.ts';

/** Requirements on every request: key, address, form of the body. */
const requests = {
  'api-client/carries-an-api-key': {
    section: 'Authentication',
    level: 'must',
    statement: 'Every request to API v1 carries an API key, as X-Api-Key or as a bearer token.',
    remediation:
      'Set X-Api-Key, or Authorization with Bearer, one space and the key, in the one place where your client is built, so that every call has it.',
  },
  'api-client/carries-the-key-as-issued': {
    section: 'Authentication',
    level: 'must',
    statement: 'The key that a request carries is the one of the inbox, whole and unchanged.',
    remediation:
      'Read the key from SVC_API_KEY (or your configuration) unchanged: with its svc_sk_ beginning, without quotes, encoding or a line break, and not that of another inbox.',
  },
  'api-client/no-secret-in-an-address': {
    section: 'Authentication',
    level: 'should',
    statement: 'No request URL contains the API key or another secret, since URLs end up in logs.',
    remediation:
      'Remove the key from path and query; the header is the only place for it. Renew a key that has been in a URL.',
  },
  'api-client/no-secret-in-a-body': {
    section: 'Authentication',
    level: 'should',
    statement:
      'No body contains the API key, a signing secret or another secret; everyone who reads a conversation would see it.',
    remediation:
      'Look for debugging output or whole configuration objects that slip into messages, metadata or addresses, and renew what was sent.',
  },
  'api-client/keeps-the-api-key-safe': {
    section: 'Authentication',
    level: 'should',
    statement: 'An API key, shown once at its creation, is stored safely and not sent in plain email.',
    remediation:
      'Keep the key in a secret store, hand it over through a password manager, and keep it out of source code.',
    unobservable: 'where a key is stored and how it was shared is not visible in requests',
  },
  'api-client/keeps-the-agent-secret': {
    section: 'API v1',
    level: 'must',
    statement: 'The secret of an assistant is stored when it is created, since no later response shows it.',
    remediation:
      'Write the secret from the response of POST /v1/agents/{id}/secret to your secret store before you use it.',
    unobservable: 'where a client stores a secret is not visible in its requests',
  },
  'api-client/tests-in-an-inbox-of-its-own': {
    section: 'Authentication',
    level: 'advice',
    statement: 'Tests go to an inbox or organisation that exists for testing only.',
    remediation: 'Create an inbox for tests with its own key, and use that key wherever tests run.',
    unobservable: 'the simulated inbox is always one for testing',
  },
  'api-client/paths-under-v1': {
    section: 'Versioning',
    level: 'must',
    statement: 'Requests of the API go to paths that begin with /v1.',
    remediation:
      'Append /v1 and the listed path to the base address. A base address without /v1, or a resolver that drops it, is the usual reason.',
  },
  'api-client/uses-listed-paths': {
    section: 'API v1',
    level: 'should',
    statement: 'Below /v1, the client calls only paths that the interface lists.',
    remediation:
      'Compare the path with the table of API v1, letter by letter: plural forms, slashes that are doubled or at the end, and names of earlier versions.',
  },
  'api-client/uses-listed-methods': {
    section: 'API v1',
    level: 'should',
    statement: 'A listed path is called with a method that is listed for it.',
    remediation: 'Use POST to create and to upsert, PATCH to change; there is no PUT in the table.',
  },
  'api-client/ids-in-paths-are-integers': {
    section: 'Resources and their fields',
    level: 'must',
    statement: 'The ids of projects, appointments and assistants in a path are integers of the service.',
    remediation:
      'Put the id from an answer or event into the path; a word such as undefined or null, or your own case number, shows that the id was missing.',
  },
  'api-client/body-is-a-json-object': {
    section: 'Endpoints',
    level: 'must',
    statement: 'A body that is sent is a JSON object in UTF-8.',
    remediation:
      'Serialise an object with a JSON library, once. Form fields, a list around it, an object that was serialised twice or a body in another encoding are not read.',
  },
  'api-client/body-is-declared-as-json': {
    section: 'Endpoints',
    level: 'should',
    statement: 'A body comes with a media type of JSON in Content-Type.',
    remediation: 'Send Content-Type: application/json with every body; parameters such as charset=utf-8 may follow.',
  },
  'api-client/fields-are-in-the-body': {
    section: 'API v1',
    level: 'should',
    statement: 'The fields of a request are in its JSON body, also of a DELETE, and not in the query of the address.',
    remediation:
      'Put each field into the JSON body, for instance { "message": "…" } into that of a DELETE; a parameter of the address is not read.',
  },
  'api-client/no-body-where-none-is-listed': {
    section: 'API v1',
    level: 'advice',
    statement: 'Operations that the interface lists without a payload are called without one.',
    remediation: 'Omit the body; its content is not read, and some gateways refuse it.',
  },
  'api-client/members-spelt-as-listed': {
    section: 'Resources and their fields',
    level: 'should',
    statement: 'Fields are spelt as the interface lists them, with the same letter case.',
    remediation:
      'Configure the naming of your serialiser: firstName, and neither first_name nor FirstName. A field that is spelt differently counts as unknown.',
  },
  'api-client/members-have-listed-types': {
    section: 'Resources and their fields',
    level: 'must',
    statement: 'Known fields of a body have the JSON types that the interface lists.',
    remediation:
      'Compare the field with the tables: contactId, projectId and minutes are integers, consent and flags booleans, channels and events lists, externalId a string.',
  },
  'api-client/no-null-members': {
    section: 'Resources and their fields',
    level: 'advice',
    statement: 'Fields without a value are omitted from a body rather than null.',
    remediation: 'Configure the serialiser to skip nulls; the interface does not say what a null in a request means.',
  },
  'api-client/required-members-are-there': {
    section: 'API v1',
    level: 'must',
    statement:
      'Fields that are not optional are present: phone of a contact; direction, channel and text of a logged message; text of a note.',
    remediation: 'Add the field that the report names, and check the case in which your source has no value for it.',
  },
  'api-client/required-members-have-their-names': {
    section: 'API v1',
    level: 'should',
    statement:
      'A field that is not optional is not sent under another name: phone of a contact; direction, channel and text of a logged message; text of a note.',
    remediation: 'Rename the field that the report names, in every place where the request is built.',
  },
  'api-client/message-has-a-text-or-template': {
    section: 'API v1',
    level: 'should',
    statement: 'A message has text, or an approved template in whatsApp.',
    remediation: 'Send the words in text at the top of the body; skip the request when there is nothing to say.',
  },
  'api-client/appointment-names-phone-and-start': {
    section: 'API v1',
    level: 'should',
    statement: 'A new appointment names the phone number of the customer and its start.',
    remediation: 'Send phone and start; an appointment is made for a phone number, not for a contactId.',
  },
  'api-client/subscription-names-address-and-events': {
    section: 'API v1',
    level: 'should',
    statement: 'A subscription names its address and at least one event.',
    remediation: 'Send url, and the event types that you want as a list in events.',
  },
  'api-client/names-a-target': {
    section: 'API v1',
    level: 'must',
    statement: 'A message, a logged message and a note each name a target.',
    remediation:
      'Send one of phone, email or contactId, or for logged messages and notes also projectId; no other field names a target.',
  },
  'api-client/names-one-target': {
    section: 'API v1',
    level: 'must',
    statement: 'A message, a logged message and a note name one target and not several.',
    remediation: 'Choose: the id when you have it, else the phone number, else the mail address; omit the others.',
  },
} as const satisfies Record<`api-client/${string}`, Requirement>;

/** Requirements on the integrator as a client of API v1. */
export const apiClient = { ...requests, ...apiClientValues, ...apiClientConduct } as const;
