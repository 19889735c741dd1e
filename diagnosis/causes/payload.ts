import type { Cause } from '../cause.ts';

const all = ['own-ai-chat', 'crm-webhook', 'api-webhooks'] as const;
const chat = ['own-ai-chat'] as const;
const crm = ['crm-webhook'] as const;

const symptom = 'Most events work, some are answered with an error.';
const events = 'Events';
const versioning = 'Versioning';
/** How all of them are told. */
const detection = (what: string) =>
  `A rich event is refused and a plain one accepted; their differences are undone by halves until one is left: ${what}. Both are sent once more.`;

function value(summary: string, what: string, remediation: string, section: string = events): Cause {
  return {
    surfaces: all,
    symptom,
    summary,
    detection: detection(what),
    remediation,
    section,
    snippet: 'take-any-event',
  };
}

const anyText =
  'Store and pass on texts as Unicode without a filter: parameters instead of pieced-together statements, a JSON library instead of pieced-together JSON.';

/** Causes about fields and values that an endpoint cannot take. */
export const payloadCauses = {
  'payload/every-message': {
    surfaces: chat,
    symptom: 'The test in the app succeeds, and every message waits for the team.',
    summary: 'The ping is taken, and every message fails, whatever is in it.',
    detection: 'A ping, a plain message and a rich one are sent; only the ping is answered with success.',
    remediation:
      'Look into the log of the endpoint for the error behind the status; the ping has no data, so the code that reads data never ran in the test.',
    section: 'Own-AI chat event: message.received',
    snippet: 'take-any-event',
  },
  'payload/every-event': {
    surfaces: all,
    symptom: 'Every event is answered with an error.',
    summary: 'No event is taken, whatever is in it.',
    detection: 'Plain and rich events of several kinds are sent; none is answered with success.',
    remediation: 'Look into the log of the endpoint for the error behind the status.',
    section: events,
    snippet: 'take-any-event',
  },
  'payload/at-random': {
    surfaces: all,
    symptom: 'Some events are answered with an error, and the same kind works the next time.',
    summary: 'Equal events are refused at one time and taken at another.',
    detection: 'A plain event is refused and taken when it is sent again.',
    remediation:
      'Look into the log of the endpoint for the error behind the status; see whether one of several instances is broken, or something that it needs is there only now and then.',
    section: events,
  },
  'payload/ping': {
    surfaces: chat,
    symptom: 'Messages work, and the test in the app fails.',
    summary: 'The ping is refused, though messages are taken.',
    detection: 'A ping and a message are sent; only the message is answered with success, twice.',
    remediation: 'Look at type (or X-Svc-Event) first: a ping has no data; answer it 200.',
    section: 'Own-AI chat event: message.received',
    snippet: 'take-any-event',
  },
  'payload/listed-event': {
    surfaces: all,
    symptom: 'Events of one type are answered with an error.',
    summary: 'A type of event that the interface lists is refused.',
    detection: 'An event of each type is sent; some are refused twice, others accepted.',
    remediation: 'Answer the types that you have no use for as well: 204 on the CRM webhook, 200 on API webhooks.',
    section: events,
    snippet: 'take-any-event',
  },
  'payload/unknown-event': {
    surfaces: all,
    symptom: 'Nothing yet; the next new type of event will fail.',
    summary: 'A type of event that is not known yet is not answered as it should be.',
    detection: 'Events of two types that do not exist are sent; both are refused (CRM webhook: not answered 204).',
    remediation: 'Let the branch for other types answer with success, 204 on the CRM webhook, instead of throwing.',
    section: 'CRM webhook events',
    snippet: 'take-any-event',
  },
  'payload/number-event-type': {
    surfaces: crm,
    symptom: 'Events of older inboxes are answered with an error.',
    summary: 'eventType as a number is refused.',
    detection: 'The same event is sent with the name and with the number of its type; only the name is taken, twice.',
    remediation: 'Map the numbers 0 to 5 to their names before anything else reads eventType.',
    section: 'CRM webhook events',
    snippet: 'take-any-event',
  },
  'payload/named-event-type': {
    surfaces: crm,
    symptom: 'Every event is answered with an error.',
    summary: 'eventType as a text is refused; only the numbers from before are taken.',
    detection: 'The same event is sent with the name and with the number of its type; only the number is taken, twice.',
    remediation: 'Read eventType as text, and map the numbers 0 to 5 to their names before anything else reads it.',
    section: 'CRM webhook events',
    snippet: 'take-any-event',
  },
  'payload/unknown-caller': {
    surfaces: crm,
    symptom: 'Look-ups of customers work, those of new callers fail.',
    summary: 'A look-up of a caller whom nobody knows is answered with an error.',
    detection:
      'Look-ups of a known and of an unknown caller are sent; only the one of the known caller is taken, twice.',
    remediation:
      'Answer 204 when nobody has the number: an error, 404 too, counts as a failed answer and the event comes again.',
    section: 'CRM webhook answer',
    snippet: 'take-any-event',
  },
  'payload/unknown-member': value(
    'A field that is not known yet makes the event fail.',
    'a field that no version of the interface has',
    'Ignore fields that you do not know: no additionalProperties: false, no extra="forbid", no FAIL_ON_UNKNOWN_PROPERTIES.',
    versioning,
  ),
  'payload/unknown-value': value(
    'A value that is not known yet makes the event fail.',
    'a value that is not in the list of today',
    'Read such fields as text and keep a branch for values that you do not know, instead of a closed enumeration.',
    versioning,
  ),
  'payload/known-value': value(
    'One of the values that the interface lists makes the event fail.',
    'one value of those that are listed',
    'Add the value to your list, and a branch for values that you do not know.',
  ),
  'payload/missing-member': value(
    'The event fails when a field is omitted that may be omitted.',
    'a field that is not there',
    'Read the field as optional and go on without it.',
  ),
  'payload/optional-member': value(
    'The event fails when an optional field is there.',
    'an optional field that is there',
    'Take the field, or ignore it.',
  ),
  'payload/null-member': value(
    'The event fails when a field is null.',
    'a field that is null',
    'Read the field as nullable and test for null before you use it.',
  ),
  'payload/set-member': value(
    'The event fails when a field has a value that is null otherwise.',
    'a field that has a plain value instead of null',
    'Look at what is done with this field only when it has a value.',
  ),
  'payload/empty-list': value(
    'The event fails when a list is empty.',
    'a list without items',
    'Test the length before you read the first or last item.',
  ),
  'payload/many-items': value(
    'The event fails from a certain number of items in a list on.',
    'the number of items, each of them like one that is taken',
    'Take as many items as the interface allows: 30 turns of history, any number of addresses and skills.',
  ),
  'payload/large-number': value(
    'The event fails when a number does not fit into 32 bits.',
    'a number beyond 2147483647, when 2147483647 itself is taken',
    'Read ids as 64-bit integers, in the code and in the database.',
  ),
  'payload/long-text': value(
    'The event fails when a text is longer than a bound of the endpoint.',
    'the length of a text of plain letters',
    'Widen the column or field, or cut the text before it is stored.',
  ),
  'payload/large-body': value(
    'The event fails when its body is larger than a bound of the endpoint.',
    'the size of the body alone (a plain event with white space between its fields is refused as well)',
    'Raise the bound of the body parser, framework or proxy: 30 turns of 4000 characters are more than 120 KB.',
  ),
  'payload/astral-characters': value(
    'The event fails when a text has characters beyond U+FFFF, such as emoji.',
    'one character beyond U+FFFF',
    'Use a character set that holds all of Unicode; in MySQL that is utf8mb4.',
  ),
  'payload/non-ascii-characters': value(
    'The event fails when a text has letters beyond ASCII.',
    'letters with accents or of another script',
    'Read the body as UTF-8 and write it in UTF-8 wherever it goes.',
  ),
  'payload/quotes': value('The event fails when a text has quotes.', 'one kind of quotes', anyText),
  'payload/backslash': value('The event fails when a text has a backslash.', 'a backslash', anyText),
  'payload/line-ends': value('The event fails when a text has several lines or a tab.', 'a line end or tab', anyText),
  'payload/invisible-characters': value(
    'The event fails when a text has characters that cannot be seen.',
    'joiners, direction marks, line separators or control characters',
    anyText,
  ),
  'payload/markup': value(
    'The event fails when a text looks like HTML, SQL or a template.',
    'a piece of markup in a text',
    'If a firewall before the endpoint refuses it, exempt the address of the webhook; if not: escape where the text is shown, and take it as it is.',
  ),
  'payload/outer-space': value(
    'The event fails when a text begins or ends with white space.',
    'white space around a text',
    anyText,
  ),
  'payload/text-value': value(
    'The event fails at one text, for a reason that is not among those we know.',
    'one text; plain letters in its place are taken',
    anyText,
  ),
  'payload/map-name': value(
    'The event fails when a key of metadata is not a plain word.',
    'a key of metadata',
    'Take any key; metadata is a map of texts and no set of columns.',
    'Appointment (API and webhook shape)',
  ),
  'payload/combination': value(
    'The event fails when several values meet, each of which is taken alone.',
    'several places, none of which can be undone',
    'Send the event of the note to your endpoint and look into its log.',
  ),
} as const satisfies Record<`payload/${string}`, Cause>;
