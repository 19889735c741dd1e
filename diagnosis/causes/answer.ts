import type { Cause } from '../cause.ts';
import { answerFormCauses } from './answer-form.ts';

const chat = ['own-ai-chat'] as const;
const crm = ['crm-webhook'] as const;
const both = ['own-ai-chat', 'crm-webhook'] as const;

const chatSection = 'Own-AI chat event: message.received';
const crmSection = 'CRM webhook answer';
/** What all of them look like from outside. */
const unread = 'The endpoint answers 200, and yet the message waits for the team or the CRM data is not applied.';
const nothingSaid = 'The endpoint answers 200 and the customer gets nothing.';

/** Causes about what an answer holds. */
export const answerCauses = {
  ...answerFormCauses,
  'answer/too-large': {
    surfaces: chat,
    symptom: unread,
    summary: 'The body of the answer is larger than 64 KB.',
    detection: 'A signed event is sent; the bytes of the body are counted.',
    remediation:
      'Leave sources, traces and whole documents out of the answer; only text, action, note and skills are read.',
    section: 'Limits',
    snippet: 'answer-json',
  },
  'answer/text-too-long': {
    surfaces: chat,
    symptom: unread,
    summary: 'The text of the answer has more than 4000 characters.',
    detection: 'A signed event is sent; the characters of the text are counted.',
    remediation: 'Cut the text, or tell the model how long it may be; send the rest by agent-replies.',
    section: 'Limits',
    snippet: 'answer-json',
  },
  'answer/note-too-long': {
    surfaces: chat,
    symptom: 'The team sees a note whose end is missing.',
    summary: 'The note has more than 500 characters and is cut.',
    detection: 'A signed event is sent; the characters of the note are counted.',
    remediation: 'Keep the note short.',
    section: 'Limits',
  },
  'answer/unknown-action': {
    surfaces: chat,
    symptom: unread,
    summary: 'The answer has an action that the interface does not know.',
    detection: 'A signed event is sent; action is none of none, handover and end.',
    remediation:
      'Write none, handover or end, in lower case; where the model names the action, map its words to these three.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/wrong-type': {
    surfaces: both,
    symptom: unread,
    summary: 'A field of the answer has another type than the interface states.',
    detection: 'A signed event is sent; the answer is held against the schema of its surface.',
    remediation: 'Send the field with the type that is listed.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/text-elsewhere': {
    surfaces: chat,
    symptom: nothingSaid,
    summary: 'The words of the answer stand in a field that the service does not read.',
    detection: 'A signed event is sent; the object of the 200 has no text, and has words under another name.',
    remediation: 'Put the words into text, all lower case, at the top of the object.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/wrapped': {
    surfaces: both,
    symptom: 'The endpoint answers 200 and nothing happens.',
    summary: 'The answer is wrapped into another object, so that its fields are not found.',
    detection:
      'A signed event is sent; the object of the 200 has none of the known fields, and one of its fields has them.',
    remediation:
      'Send the inner object alone; behind a gateway, set up the integration so that the body is what your function gives as body.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/error-in-success': {
    surfaces: both,
    symptom: 'The endpoint answers 200 and nothing happens.',
    summary: 'The status is 200, but the body tells of an error.',
    detection:
      'A signed event is sent; the object of the 200 has none of the known fields and one that names an error.',
    remediation:
      'Look for the error in your log and fix it; while it lasts, answer with a status of its own (5xx), so that the service takes over.',
    section: chatSection,
  },
  'answer/unlisted-status': {
    surfaces: ['own-ai-chat', 'crm-webhook', 'api-webhooks'],
    symptom: 'The event is answered with success and nothing happens.',
    summary: 'The answer has a 2xx status that the interface does not list.',
    detection: 'A signed event is sent; the status is neither 200 nor 202 or 204 (for API webhooks: not 200).',
    remediation: 'Set the status yourself; some frameworks answer each POST with 201.',
    section: chatSection,
  },
  'answer/lost-in-status': {
    surfaces: both,
    symptom: nothingSaid,
    summary: 'The answer stands in the body of a 202 or 204, where nobody reads it.',
    detection:
      'A signed event is sent; the status is 202 or 204, the body has what belongs into a 200, and nothing follows.',
    remediation: 'Answer 200 when the body has the answer; 202 and 204 are for no answer yet and for none.',
    section: chatSection,
  },
  'answer/too-many-skills': {
    surfaces: chat,
    symptom: 'Some of the skills that the assistant asks for are not carried out.',
    summary: 'The answer names more than five skills.',
    detection: 'A signed event is sent; the entries of executeSkills are counted.',
    remediation: 'Name five skills at the most.',
    section: 'Skills as tools',
  },
  'answer/two-forwards': {
    surfaces: chat,
    symptom: 'Of two forwards only one is carried out.',
    summary: 'The answer names more than one forward skill.',
    detection: 'A signed event is sent with the skills; executeSkills names two of the kind forward.',
    remediation: 'Choose one forward; the others are refused with one-forward-per-turn.',
    section: 'Skills as tools',
  },
  'answer/unknown-skill': {
    surfaces: chat,
    symptom: 'A skill is refused with unknown-skill.',
    summary: 'The answer names a skill that the event does not offer.',
    detection: 'A signed event is sent with the skills that are allowed; executeSkills names another one.',
    remediation: 'Take keys or ids from data.skills of the event that is answered.',
    section: 'Skills as tools',
  },
  'answer/flag-not-boolean': {
    surfaces: crm,
    symptom: unread,
    summary: 'A flag of the answer is not true or false.',
    detection: 'An event with the token is sent; requestContactUpdate or requestProjectUpdate is of another type.',
    remediation: 'Write the flags as the JSON values true and false, without quotes.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/flagged-part-missing': {
    surfaces: crm,
    symptom: unread,
    summary: 'A flag says that a part is to be applied, and that part is not there.',
    detection: 'An event with the token is sent; a flag is true and its part is not an object.',
    remediation: 'Send the part with its flag, or the flag as false.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/other-spelling': {
    surfaces: crm,
    symptom: unread,
    summary: 'The fields of the answer are spelled otherwise than the interface has them.',
    detection: 'A signed event is sent; the object of the 200 has fields that differ in case, _ or - alone.',
    remediation:
      'Write the names as they are listed: requestContactUpdate, contactData, requestProjectUpdate, projectData and theirs; see how your serialiser names fields (camelCase).',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/part-without-flag': {
    surfaces: crm,
    symptom: 'The endpoint answers 200 with data, and the data is not applied.',
    summary: 'A part of the answer has no flag beside it, so it is not applied.',
    detection: 'An event with the token is sent; contactData or projectData is there and its flag is not.',
    remediation:
      'Send requestContactUpdate: true beside contactData and requestProjectUpdate: true beside projectData.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/id-not-text': {
    surfaces: crm,
    symptom: unread,
    summary: 'crmContactId or crmProjectId is sent as a number; ids are strings.',
    detection: 'An event with the token is sent; the id in a flagged part is not a string.',
    remediation: 'Turn the id into a string before it is serialised.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/null-not-allowed': {
    surfaces: crm,
    symptom: unread,
    summary: 'A field is null that the interface does not allow to be null.',
    detection: 'An event with the token is sent; a flagged part has null where none is listed.',
    remediation: 'Leave the field out when there is no value.',
    section: 'CRM webhook: contactData',
    snippet: 'answer-json',
  },
  'answer/time-with-zone': {
    surfaces: crm,
    symptom: unread,
    summary: 'A customOptIn timestamp has a zone or another form; it is written without one.',
    detection: 'An event with the token is sent; a timestamp of the flagged contact is not like 2026-10-11T09:30:00.',
    remediation: 'Write the time in UTC as 2026-10-11T09:30:00, without Z and without an offset.',
    section: 'CRM webhook: contactData',
  },
  'answer/ai-info-too-long': {
    surfaces: crm,
    symptom: unread,
    summary: 'crmAiInfo has more than 5000 characters.',
    detection: 'An event with the token is sent; the characters of crmAiInfo are counted.',
    remediation: 'Cut crmAiInfo to what the assistant needs in a conversation.',
    section: 'Limits',
  },
  'answer/svc-id-altered': {
    surfaces: crm,
    symptom: 'CRM data is not applied, or lands at another contact or project.',
    summary: 'svcContactId or svcProjectId comes back with another value than it was sent.',
    detection: 'An event with the token is sent; the id in the answer is compared with that of the event.',
    remediation:
      'Leave the ids of the service as they came, in a type that holds 53 bits, or leave them out; your own ids go into crmContactId and crmProjectId.',
    section: 'CRM webhook: contactData',
  },
} as const satisfies Record<`answer/${string}`, Cause>;
