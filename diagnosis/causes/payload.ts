import type { Cause } from '../cause.ts';

const all = ['own-ai-chat', 'crm-webhook', 'api-webhooks'] as const;
const chat = ['own-ai-chat'] as const;
const crm = ['crm-webhook'] as const;

const symptom = 'Most events work, but some are answered with an error.';
const events = 'Events';
const versioning = 'Versioning';
const detection = (what: string) =>
  `Accepted: a plain event. Rejected: an event with many optional fields and unusual values. Repeatedly halving their differences leaves one: ${what}. Both events are sent again to confirm it.`;

function value(summary: string, what: string, remediation: string, section: string = events): Cause {
  return {
    surfaces: all,
    symptom,
    summary,
    detection: detection(what),
    remediation,
    section,
    snippet: 'accept-any-event',
  };
}

const anyText =
  'Store and forward strings as unfiltered Unicode: use query parameters instead of concatenated statements, and a JSON library instead of concatenated JSON.';

/** Causes in fields and values that an endpoint cannot handle. */
export const payloadCauses = {
  'payload/every-message': {
    surfaces: chat,
    symptom: 'The test in the app succeeds, but every message waits for the team.',
    summary: 'The endpoint accepts the ping, but fails on every message, whatever its content.',
    detection: 'Accepted: a ping. Rejected: a plain message and one with many optional fields and unusual values.',
    remediation:
      "Read the endpoint's log for the error behind the status; the ping has no data, so the test never ran the code that reads data.",
    section: 'Own-AI chat event: message.received',
    snippet: 'accept-any-event',
  },
  'payload/every-event': {
    surfaces: all,
    symptom: 'Every event is answered with an error.',
    summary: 'The endpoint accepts no event, whatever its content.',
    detection: 'Rejected: plain events, and events with many optional fields and unusual values, of several kinds.',
    remediation: "Read the endpoint's log for the error behind the status.",
    section: events,
    snippet: 'accept-any-event',
  },
  'payload/at-random': {
    surfaces: all,
    explains: /^(?:accepts-(?!the-token|valid-signature|timestamp-|redelivery)|answers-(?!in-time))/,
    explainsOtherProbes: true,
    symptom: 'Some events are answered with an error, while the same kind works the next time.',
    summary: 'The endpoint sometimes rejects and sometimes accepts equal events.',
    detection:
      'Of equal plain events, at least one is accepted and one is rejected, in no order that the contact explains; or every event is rejected from some event on.',
    remediation:
      "Read the endpoint's log for the error behind the status; check whether one of several instances is broken, or whether a dependency is available only intermittently.",
    section: events,
  },
  'payload/ping': {
    surfaces: chat,
    symptom: 'Messages work, but the test in the app fails.',
    summary: 'The endpoint rejects the ping, although it accepts messages.',
    detection: 'Accepted: a message. Rejected: a ping. Both twice.',
    remediation: 'Check type (or X-Svc-Event) first: a ping has no data; answer it with 200.',
    section: 'Own-AI chat event: message.received',
    snippet: 'accept-any-event',
  },
  'payload/listed-event': {
    surfaces: all,
    symptom: 'Events of one type are answered with an error.',
    summary: 'The endpoint rejects an event type that the interface lists.',
    detection: 'An event of each type is sent; some types are rejected twice, others accepted.',
    remediation: 'Answer the types that you do not use as well: 204 on the CRM webhook, 200 on API webhooks.',
    section: events,
    snippet: 'accept-any-event',
  },
  'payload/unknown-appointment': {
    surfaces: ['api-webhooks'],
    symptom:
      'Some events of appointments are answered with an error, for example of appointments older than the subscription.',
    summary: 'The endpoint rejects events of an appointment whose creation it has not received.',
    detection:
      'An event of a type is rejected for an unknown appointment, and accepted for one whose appointment.created came before.',
    remediation:
      'Store the appointment as the event carries it, and create it when it is not known yet: each event has all of its fields. Use updatedAt to decide which state is newer.',
    section: events,
  },
  'payload/unknown-event': {
    surfaces: all,
    symptom: 'No visible effect yet; the next new event type will fail.',
    summary: 'The endpoint does not answer events of an unknown type as the interface requires.',
    detection: 'Events of two types that do not exist are sent; both are rejected (CRM webhook: not answered 204).',
    remediation:
      'Let the default branch for event types answer with success, 204 on the CRM webhook, instead of throwing.',
    section: 'CRM webhook events',
    snippet: 'accept-any-event',
  },
  'payload/number-event-type': {
    surfaces: crm,
    symptom: 'Events from older inboxes are answered with an error.',
    summary: 'The endpoint rejects eventType as a number.',
    detection:
      'Accepted: an event with the name of its type. Rejected: the same event with the number of its type. Both twice.',
    remediation: 'Map the numbers 0 to 5 to their names before any other code reads eventType.',
    section: 'CRM webhook events',
    snippet: 'accept-any-event',
  },
  'payload/named-event-type': {
    surfaces: crm,
    symptom: 'Every event is answered with an error.',
    summary: 'The endpoint rejects eventType as a string and accepts only the former numbers.',
    detection:
      'Accepted: an event with the number of its type. Rejected: the same event with the name of its type. Both twice.',
    remediation:
      'Read eventType as a string, and map the numbers 0 to 5 to their names before any other code reads it.',
    section: 'CRM webhook events',
    snippet: 'accept-any-event',
  },
  'payload/unknown-caller': {
    surfaces: crm,
    symptom: 'Lookups of customers work, but lookups of new callers fail.',
    summary: 'The endpoint answers the lookup of an unknown caller with an error.',
    detection: 'Accepted: the lookup of a known caller. Rejected: the lookup of an unknown caller. Both twice.',
    remediation:
      'Answer 204 when no contact has the number: any error, including 404, counts as a failed answer, and the service repeats the event.',
    section: 'CRM webhook answer',
    snippet: 'accept-any-event',
  },
  'payload/unknown-field': value(
    'The endpoint fails on events with a field that it does not know.',
    'a field that no version of the interface has',
    'Ignore unknown fields: do not use additionalProperties: false, extra="forbid" or FAIL_ON_UNKNOWN_PROPERTIES.',
    versioning,
  ),
  'payload/unknown-value': value(
    'The endpoint fails on events with a value that it does not know.',
    'a value that the current list does not contain',
    'Read such fields as strings with a branch for unknown values, instead of a closed enumeration.',
    versioning,
  ),
  'payload/known-value': value(
    'The endpoint fails on events with one of the values that the interface lists.',
    'one of the listed values',
    'Add the value to your list, and add a branch for unknown values.',
  ),
  'payload/missing-field': value(
    'The endpoint fails on events without a field that may be omitted.',
    'a missing field',
    'Read the field as optional and continue without it.',
  ),
  'payload/optional-field': value(
    'The endpoint fails on events with an optional field.',
    'an optional field that is present',
    'Accept the field, or ignore it.',
  ),
  'payload/null-field': value(
    'The endpoint fails on events in which a field is null.',
    'a field that is null',
    'Read the field as nullable and check for null before you use it.',
  ),
  'payload/set-field': value(
    'The endpoint fails on events in which a nullable field has a value.',
    'a field with a plain value instead of null',
    'Check the code that runs only when this field has a value.',
  ),
  'payload/empty-list': value(
    'The endpoint fails on events with an empty list.',
    'an empty list',
    'Check the length before you read the first or last item.',
  ),
  'payload/many-items': value(
    'The endpoint fails on events in which a list has more than a certain number of items.',
    'the number of items, each similar to an accepted one',
    'Accept as many items as the interface allows: 30 turns of history, any number of addresses and skills.',
  ),
  'payload/large-number': value(
    'The endpoint fails on events with a large number, such as one that does not fit into 32 bits.',
    'a large number and another one next to it, while a smaller number, usually 2147483647, is accepted',
    'Read ids as 64-bit integers, in the code and in the database.',
  ),
  'payload/long-text': value(
    'The endpoint fails on events with a string that is longer than its own limit.',
    'the length of a string of plain letters',
    'Widen the column or field, or truncate the string before you store it.',
  ),
  'payload/large-body': {
    ...value(
      'The endpoint fails on events whose body is larger than its own limit.',
      'the size of the body alone (a plain event with white space between its fields is rejected as well)',
      'Raise the limit of the body parser, framework or proxy to at least 1 MB: 30 turns of 4000 characters are more than 120 KB, and up to 480 KB with emoji.',
    ),
    snippet: undefined,
  },
  'payload/astral-characters': value(
    'The endpoint fails on events with characters above U+FFFF, such as emoji.',
    'one character above U+FFFF',
    'Use a character set that covers all of Unicode; in MySQL that is utf8mb4.',
  ),
  'payload/non-ascii-characters': value(
    'The endpoint fails on events with letters outside ASCII.',
    'letters with accents',
    'Decode the body as UTF-8, and encode it as UTF-8 wherever it is written.',
  ),
  'payload/non-latin-1-characters': value(
    'The endpoint fails on events with characters outside Latin-1, such as Polish, Cyrillic or Chinese ones.',
    'characters of other scripts, while letters with accents are accepted',
    'Decode the body as UTF-8, store strings in columns of a Unicode character set (in MySQL utf8mb4), and write logs and files as UTF-8.',
  ),
  'payload/right-to-left-letters': value(
    'The endpoint fails on events with letters that are written from right to left, such as Arabic or Hebrew.',
    'Arabic and Hebrew letters, while other scripts are accepted',
    anyText,
  ),
  'payload/format-characters': value(
    'The endpoint fails on events with a brace, percent sign or dollar sign in a string: it uses the string as a format.',
    'a brace, percent sign or dollar sign',
    'Never use what a customer wrote as the format of printf, %, str.format or a template: pass it as an argument, and build JSON with a JSON library.',
  ),
  'payload/answer-not-escaped': {
    ...value(
      'The endpoint writes strings of the event into its answer without escaping them, so the answer is not valid JSON.',
      'one character in a string, with which the body of the 200 is not JSON',
      'Build the answer as an object and serialise it with a JSON library, instead of inserting strings into a template.',
    ),
    surfaces: ['own-ai-chat', 'crm-webhook'],
    snippet: 'answer-json',
  },
  'payload/quotes': value(
    'The endpoint fails on events with quotation marks in a string.',
    'one kind of quotation mark',
    anyText,
  ),
  'payload/backslash': value('The endpoint fails on events with a backslash in a string.', 'a backslash', anyText),
  'payload/line-ends': value(
    'The endpoint fails on events with a line break or tab in a string.',
    'a line break or tab',
    anyText,
  ),
  'payload/invisible-characters': value(
    'The endpoint fails on events with invisible characters in a string.',
    'joiners, direction marks, line separators or control characters',
    anyText,
  ),
  'payload/markup': value(
    'The endpoint fails on events in which a string looks like HTML, SQL or a template.',
    'markup in a string',
    'If a firewall in front of the endpoint rejects the event, exempt the address of the webhook. Otherwise accept the string unchanged, and escape it where it is displayed.',
  ),
  'payload/outer-space': value(
    'The endpoint fails on events in which a string begins or ends with white space.',
    'white space around a string',
    anyText,
  ),
  'payload/text-value': value(
    'The endpoint fails on events with one particular string, for an unknown reason.',
    'one string; plain letters in its place are accepted',
    anyText,
  ),
  'payload/map-name': value(
    'The endpoint fails on events in which a metadata key is not a plain word.',
    'a key of metadata',
    'Accept any key; metadata is a map of strings, not a fixed set of columns.',
    'Appointment (API and webhook shape)',
  ),
  'payload/combination': value(
    'The endpoint fails on a combination of values, although it accepts each of them alone.',
    'several differences, all of which are needed for the failure',
    'Send the event from the note to your endpoint and read its log.',
  ),
} as const satisfies Record<`payload/${string}`, Cause>;
