import type { Requirement } from './requirement.ts';

/**
 * Requirements on the answers to CRM events and on the callbacks. The rules about flags, parts and fields apply to the
 * body of a 200 and to the body sent to `callbackUrl` alike.
 */
export const crmWebhookAnswers = {
  'crm-webhook/answer-is-a-json-object': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'must',
    statement: 'The body of a 200 answer is a JSON object.',
    remediation:
      'Send the object with flags and parts itself as JSON: not an array, a quoted string, an HTML page or an empty body. Answer 204 when there is nothing to add.',
  },
  'crm-webhook/flags-are-boolean': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'must',
    statement: 'requestContactUpdate and requestProjectUpdate are JSON booleans wherever they are given.',
    remediation: 'Write true or false without quotes; not "true", 1 or null.',
  },
  'crm-webhook/flagged-part-is-present': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'must',
    statement: 'A part that is flagged for update is present and is an object.',
    remediation:
      'Set requestContactUpdate only together with contactData, and requestProjectUpdate only together with projectData; otherwise send false.',
  },
  'crm-webhook/names-the-flag-of-each-part': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'should',
    statement: 'A part comes with its flag, true or false, since a part without a true flag is not applied.',
    remediation:
      'Add requestContactUpdate or requestProjectUpdate next to the part: true when it is to be applied, false when not.',
  },
  'crm-webhook/answers-with-documented-fields': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'should',
    statement:
      'If the object of an answer, or a flagged part, has fields, the interface documents at least one of them at that place; other fields have no effect.',
    remediation:
      'Send requestContactUpdate, contactData, requestProjectUpdate and projectData at the top of the body, with exactly these names. Do not wrap them, and switch off naming conventions of the serialiser such as PascalCase or snake_case.',
  },
  'crm-webhook/no-byte-order-mark': {
    section: 'CRM webhook (the service calls the integrator)',
    unprobed: 'message-shows-it',
    level: 'should',
    statement:
      'The body of a 200 answer begins without a byte order mark, which RFC 8259 forbids and parsers may refuse.',
    remediation:
      'Save the files of your program without a byte order mark (one in front of <?php goes out with every answer), and write the answer as UTF-8 without one, such as new UTF8Encoding(false) in .NET.',
  },
  'crm-webhook/ids-are-strings': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'must',
    statement: 'crmContactId and crmProjectId are strings in a flagged part, even when they look like numbers.',
    remediation: 'Convert the ids of your system to text before serialising: "4711" and not 4711.',
  },
  'crm-webhook/no-placeholder-for-a-missing-value': {
    section: 'CRM webhook: contactData',
    unprobed: 'message-shows-it',
    level: 'advice',
    statement:
      'No field of a flagged part contains a placeholder such as undefined or None, which a program prints for a missing value.',
    remediation:
      'Check for a missing value before it becomes a string (String(x), str(x), a template, a concatenation): send null where it is listed, or omit the field.',
  },
  'crm-webhook/field-types-as-listed': {
    section: 'CRM webhook: contactData',
    probe: 'answer',
    level: 'must',
    statement: 'The known fields of a flagged part have the types that the interface lists for them.',
    remediation:
      'Compare your answer with the tables of contactData and projectData: customNumeric values are strings, check boxes booleans, svc ids integers, postalAddresses a list of objects.',
  },
  'crm-webhook/null-only-where-listed': {
    section: 'CRM webhook: contactData',
    probe: 'answer',
    level: 'should',
    statement: 'Fields of a flagged part are null only where the interface lists null for them.',
    remediation:
      'Omit fields such as phoneNumber, language, projectName or the svc ids when you have no value; configure the serialiser to skip nulls.',
  },
  'crm-webhook/times-in-listed-form': {
    section: 'CRM webhook: contactData',
    probe: 'answer',
    level: 'should',
    statement: 'The customOptIn times of a flagged part are written as date and time without a zone.',
    remediation: 'Format opt-in times like 2026-10-11T08:30:00, with no Z and no offset.',
  },
  'crm-webhook/svc-contact-id-unaltered': {
    section: 'CRM webhook: contactData',
    unprobed: 'message-shows-it',
    level: 'must',
    statement: 'If an answer contains svcContactId, it is the one of the event.',
    remediation: 'Omit svcContactId or copy it unchanged from the event; your own number belongs in crmContactId.',
  },
  'crm-webhook/svc-project-id-unaltered': {
    section: 'CRM webhook: projectData',
    level: 'advice',
    statement: 'If an answer contains svcProjectId, it is the one of the event.',
    remediation: 'Omit svcProjectId or copy it unchanged from the event; your case number belongs in crmProjectId.',
  },
  'crm-webhook/crm-ai-info-within-5000-characters': {
    section: 'Limits',
    probe: 'answer',
    level: 'must',
    statement: 'crmAiInfo in a flagged part has at most 5000 characters, counted as Unicode code points.',
    remediation:
      'Shorten crmAiInfo before sending, at a whole character, and keep what matters most to the conversation at its beginning.',
  },
  'crm-webhook/crm-ai-info-within-5000-utf-16-units': {
    section: 'Limits',
    level: 'advice',
    statement:
      'crmAiInfo is at most 5000 UTF-16 units long as well, since the interface does not state how characters are counted.',
    remediation:
      'Measure the length in UTF-16 units (the length of a string in Java, C# or JavaScript) and shorten it without splitting a pair.',
  },
  'crm-webhook/answers-unknown-crm-ids': {
    section: 'CRM webhook: contactData',
    probe: 'payload',
    level: 'advice',
    statement:
      'An event with a crmContactId or crmProjectId that the receiver has not given is answered like any other.',
    remediation:
      'Treat an id that you cannot read or find as absent and answer 204, for example after data were moved from another CRM; do not convert it to a number or a key without a check.',
  },
  'crm-webhook/no-sensitive-hints-in-crm-ai-info': {
    section: 'What the service does',
    level: 'advice',
    statement:
      'crmAiInfo contains nothing that a stranger must not hear, such as amounts, bank or card numbers, health data, or the crmInternalInfo of the event.',
    remediation: 'Keep such facts in crmInternalInfo, which only the team sees: the number of a caller can be forged.',
  },
  'crm-webhook/no-content-has-no-body': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'should',
    statement: 'A 204 answer comes without a body.',
    remediation: 'Send no bytes after the head of a 204; answer 200 when there is something to say.',
  },
  'crm-webhook/answers-now-or-by-callback': {
    section: 'CRM webhook answer',
    unprobed: 'message-shows-it',
    level: 'should',
    statement: 'An event that was answered 200 or 204 is not followed by a callback.',
    remediation: 'Send one answer per event: the data in the 200 answer, or 202 and one POST to callbackUrl.',
  },
  'crm-webhook/calls-back-after-202': {
    section: 'Limits',
    probe: 'callback',
    level: 'must',
    statement: 'An event that was answered 202 is followed by a callback within five minutes.',
    remediation:
      'Hand the work to a queue that survives restarts and POST its result to callbackUrl, also when nothing was found; log failed attempts. Check that the endpoint can reach the address.',
  },
  'crm-webhook/calls-back-once': {
    section: 'Limits',
    probe: 'callback',
    level: 'must',
    statement: 'A single event that was answered 202 is followed by one callback, not by more.',
    remediation:
      'Mark the callback of a callbackUrl as sent when it was accepted, and make retries and parallel workers respect that mark.',
  },
  'crm-webhook/stays-well-while-a-callback-is-slow': {
    section: 'CRM webhook answer',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement: 'While the answer to a callback is delayed, lookups are still answered in time.',
    remediation:
      'Send callbacks outside the request handler with a time limit, without holding a lock or blocking the only worker meanwhile.',
  },
  'crm-webhook/callback-is-a-post': {
    section: 'CRM webhook answer',
    probe: 'callback',
    level: 'must',
    statement: 'The callback is sent with the method POST.',
    remediation:
      'Use POST; not PUT, PATCH or GET, and make sure that your HTTP client does not change the method on the way.',
  },
  'crm-webhook/callback-uses-the-address-given': {
    section: 'CRM webhook answer',
    probe: 'callback',
    level: 'must',
    statement: 'The callback goes to callbackUrl exactly as the event gave it, with path and query unchanged.',
    remediation:
      'Treat callbackUrl as opaque: store and call the whole address, and do not rebuild, decode, shorten or re-encode it.',
  },
  'crm-webhook/callback-is-a-json-object': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'callback',
    level: 'must',
    statement: 'The body of the callback is a JSON object, like that of a 200 answer.',
    remediation:
      'POST the object with flags and parts as JSON; not form-encoded, not wrapped into a list, not serialised twice.',
  },
  'crm-webhook/callback-carries-no-token': {
    section: 'Authentication',
    probe: 'callback',
    level: 'should',
    statement: 'The callback carries neither the webhook token nor an API key.',
    remediation:
      'Send the callback without Authorization and X-Api-Key: callbackUrl needs neither. Do not use the HTTP client of API v1 with its default headers for it.',
  },
  'crm-webhook/one-callback-after-redelivery': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'The same event sent again later with the same callbackUrl causes no second callback.',
    remediation:
      'Remember each callbackUrl for longer than the five minutes, and start no second job for one that is known.',
  },
  'crm-webhook/one-callback-after-redelivery-at-once': {
    section: 'CRM webhook events',
    probe: 'deduplication',
    level: 'must',
    statement: 'The same event, sent twice at the same moment, causes one callback.',
    remediation:
      'Reserve callbackUrl in one atomic step (a unique key, set-if-absent) before the job starts; checking first and storing later starts two jobs.',
  },
  'crm-webhook/answers-lookups-with-the-contact': {
    section: 'CRM webhook (the service calls the integrator)',
    probe: 'answer',
    level: 'should',
    statement: 'Of the lookups of the configured known caller, at least one is answered with the contact.',
    remediation:
      'Find the contact by phone number in any notation and send crmContactId, the names and crmAiInfo with requestContactUpdate set to true. Check that the data of the endpoint under test contains stimuli.knownCaller.',
  },
  'crm-webhook/answers-finished-events-with-the-case-number': {
    section: 'CRM webhook (the service calls the integrator)',
    level: 'advice',
    statement: 'FinishedCall and ConversationPaused are typically answered with crmProjectId.',
    remediation: 'Create or find the case and send its number as crmProjectId with requestProjectUpdate set to true.',
    unobservable: 'whether a conversation becomes a case is the choice of the business',
  },
  'crm-webhook/accepts-reliably': {
    section: 'CRM webhook events',
    unprobed: 'needs-earlier-exchanges',
    level: 'should',
    statement:
      'A valid event is accepted every time: no answer to it is an error while the same content is accepted at another time.',
    remediation:
      'Keep everything that belongs to one request with it, let a request wait for a lock or a connection of a pool instead of failing on it, and retry what fails for a moment, such as a deadlock. The log of the endpoint shows what failed at that time.',
  },
} as const satisfies Record<`crm-webhook/${string}`, Requirement>;
