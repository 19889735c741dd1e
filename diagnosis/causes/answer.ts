import type { Cause } from '../cause.ts';
import { answerFormCauses } from './answer-form.ts';

const chat = ['own-ai-chat'] as const;
const crm = ['crm-webhook'] as const;
const both = ['own-ai-chat', 'crm-webhook'] as const;

const chatSection = 'Own-AI chat event: message.received';
const crmSection = 'CRM webhook answer';
const unread = 'The endpoint answers 200, but the message waits for the team or the CRM data is not applied.';
const nothingSaid = 'The endpoint answers 200, but the customer gets no answer.';

/** Causes in the content of an answer. */
export const answerCauses = {
  ...answerFormCauses,
  'answer/of-another-contact': {
    surfaces: both,
    symptom: 'Customers read what belongs to others, or a call is greeted with the data of an earlier caller.',
    summary: 'Answers contain data of another contact.',
    detection:
      'Every contact of the diagnosis has a unique id, and in events of a chat also a unique phone number and name. Two answers, callbacks or replies contain one of another contact.',
    remediation:
      'Keep contact, history and address with the request that they came with, not in a variable or cache that all requests share, and choose the key of each cache so that it contains the contact.',
    section: chatSection,
  },
  'answer/too-large': {
    surfaces: chat,
    symptom: unread,
    summary: 'The body of the answer is larger than 64 KB.',
    detection: 'The bytes of the answer to a valid event are counted.',
    remediation:
      'Omit sources, traces and whole documents from the answer; the service reads only text, action, note and skills.',
    section: 'Limits',
    snippet: 'answer-json',
  },
  'answer/text-too-long': {
    surfaces: chat,
    symptom: unread,
    summary: 'The text of the answer has more than 4000 characters.',
    detection: 'The characters of text in the answer to a valid event are counted.',
    remediation: 'Shorten the text, or give the model a maximum length; send the rest with agent-replies.',
    section: 'Limits',
    snippet: 'answer-json',
  },
  'answer/note-too-long': {
    surfaces: chat,
    symptom: 'The team sees a note without its end.',
    summary: 'The note of the answer has more than 500 characters and is truncated.',
    detection: 'The characters of note in the answer to a valid event are counted.',
    remediation: 'Cut the note to 500 characters.',
    section: 'Limits',
  },
  'answer/unknown-action': {
    surfaces: chat,
    symptom: unread,
    summary: 'The answer has an action that the interface does not define.',
    detection: 'In the answer to a valid event, action is not none, handover or end.',
    remediation:
      'Write none, handover or end, in lower case; if the model chooses the action, map its words to these three.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/wrong-type': {
    surfaces: both,
    symptom: unread,
    summary: 'A field of the answer does not have the type that the interface defines.',
    detection: 'The answer to a valid event is validated against the schema of its surface.',
    remediation: 'Send the field with the documented type.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/text-elsewhere': {
    surfaces: chat,
    symptom: nothingSaid,
    summary: 'The message text of the answer is in a field that the service does not read.',
    detection: 'In the answer to a valid event, the object has no text, but another field contains words.',
    remediation: 'Put the words into text, in lower case, at the top level of the object.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/wrapped': {
    surfaces: both,
    symptom: 'The endpoint answers 200, but nothing happens.',
    summary: 'The answer is wrapped in another object, so the service does not find its fields.',
    detection:
      'In the answer to a valid event, the object has none of the known fields, but one of its fields contains them.',
    remediation:
      'Send only the inner object; behind a gateway, configure the integration to send the body that your function returns.',
    section: chatSection,
    snippet: 'answer-json',
  },
  'answer/error-in-success': {
    surfaces: both,
    symptom: 'The endpoint answers 200, but nothing happens.',
    summary: 'The endpoint reports an error in the body of a 200.',
    detection: 'In the answer to a valid event, the object has none of the known fields, but one that names an error.',
    remediation:
      'Find the error in your log and fix it; until then, answer with an error status (5xx), so that the service takes over.',
    section: chatSection,
  },
  'answer/unlisted-status': {
    surfaces: ['own-ai-chat', 'crm-webhook', 'api-webhooks'],
    symptom: 'The event is answered with a success status, but nothing happens.',
    summary: 'The answer has a 2xx status that the interface does not list.',
    detection: 'A valid event gets a 2xx status other than 200, 202 and 204 (for API webhooks: other than 200).',
    remediation: 'Set the status explicitly; some frameworks answer every POST with 201.',
    section: chatSection,
  },
  'answer/lost-in-status': {
    surfaces: both,
    symptom: nothingSaid,
    summary: 'The answer is in the body of a 202 or 204, which the service does not read.',
    detection: 'A valid event gets 202 or 204 with a body that belongs to a 200, and nothing follows.',
    remediation: 'Send the answer with status 200; 202 means that it comes later, and 204 that there is none.',
    section: chatSection,
  },
  'answer/too-many-skills': {
    surfaces: chat,
    symptom: 'Some of the skills that the assistant requests are not executed.',
    summary: 'The answer names more than five skills.',
    detection: 'The entries of executeSkills in the answer to a valid event are counted.',
    remediation: 'Name at most five skills.',
    section: 'Skills as tools',
  },
  'answer/two-forwards': {
    surfaces: chat,
    symptom: 'Only one of two requested forwards is executed.',
    summary: 'The answer names more than one forward skill.',
    detection: 'A valid event offers the skills; executeSkills in the answer names two of the kind forward.',
    remediation: 'Choose one forward; the service rejects the others with one-forward-per-turn.',
    section: 'Skills as tools',
  },
  'answer/unknown-skill': {
    surfaces: chat,
    symptom: 'A skill is rejected with unknown-skill.',
    summary: 'The answer names a skill that the event does not offer.',
    detection: 'A valid event offers the allowed skills; executeSkills in the answer names another one.',
    remediation: 'Use keys or ids from data.skills of the event that you answer.',
    section: 'Skills as tools',
  },
  'answer/flag-not-boolean': {
    surfaces: crm,
    symptom: unread,
    summary: 'A flag of the answer is not a boolean.',
    detection: 'In the answer to a valid event, requestContactUpdate or requestProjectUpdate is not a boolean.',
    remediation: 'Write the flags as the JSON values true and false, without quotes.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/flagged-part-missing': {
    surfaces: crm,
    symptom: unread,
    summary: 'A flag of the answer is true, but the object that it refers to is missing.',
    detection: 'In the answer to a valid event, a flag is true, and the object for it is missing or not an object.',
    remediation: 'Send contactData or projectData together with its flag, or set the flag to false.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/other-spelling': {
    surfaces: crm,
    symptom: unread,
    summary: 'The field names of the answer are spelled differently than in the interface.',
    detection: 'In the answer to a valid event, field names differ from the interface only in case, _ or -.',
    remediation:
      'Write the documented names: requestContactUpdate, contactData, requestProjectUpdate, projectData and the fields inside them; check how your serialiser names fields (camelCase).',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/part-without-flag': {
    surfaces: crm,
    symptom: 'The endpoint answers 200 with data, but the data is not applied.',
    summary: 'The answer contains contactData or projectData without its flag, so the service does not apply it.',
    detection: 'In the answer to a valid event, contactData or projectData is present and its flag is missing.',
    remediation: 'Send requestContactUpdate: true with contactData and requestProjectUpdate: true with projectData.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/parts-without-envelope': {
    surfaces: crm,
    symptom: 'The endpoint answers 200 with data, but the data is not applied.',
    summary:
      'The answer has the fields of contactData or projectData at its top level, where the service does not read them.',
    detection: 'In the answer to a valid event, no documented field is at the top level, but fields of its parts are.',
    remediation:
      'Send { "requestContactUpdate": true, "contactData": { … } }, and the same with requestProjectUpdate and projectData.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/id-not-text': {
    surfaces: crm,
    symptom: unread,
    summary: 'The answer has crmContactId or crmProjectId as a number instead of a string.',
    detection: 'In the answer to a valid event, the id in contactData or projectData is not a string.',
    remediation: 'Convert the id to a string before you serialise it.',
    section: crmSection,
    snippet: 'answer-json',
  },
  'answer/null-not-allowed': {
    surfaces: crm,
    symptom: unread,
    summary: 'A field of the answer is null, although the interface does not allow null there.',
    detection: 'In the answer to a valid event, contactData or projectData has null in a field that does not allow it.',
    remediation: 'Omit the field if it has no value.',
    section: 'CRM webhook: contactData',
    snippet: 'answer-json',
  },
  'answer/time-with-zone': {
    surfaces: crm,
    symptom: unread,
    summary: 'A customOptIn timestamp of the answer has a time zone or another format; it must have no time zone.',
    detection: 'In the answer to a valid event, a timestamp of contactData does not have the form 2026-10-11T09:30:00.',
    remediation: 'Write the time in UTC as 2026-10-11T09:30:00, without Z and without an offset.',
    section: 'CRM webhook: contactData',
  },
  'answer/ai-info-too-long': {
    surfaces: crm,
    symptom: unread,
    summary: 'The crmAiInfo of the answer has more than 5000 characters.',
    detection: 'The characters of crmAiInfo in the answer to a valid event are counted.',
    remediation: 'Shorten crmAiInfo to what the assistant needs in a conversation.',
    section: 'Limits',
  },
  'answer/svc-id-altered': {
    surfaces: crm,
    symptom: 'CRM data is not applied, or is applied to another contact or project.',
    summary: 'The answer returns svcContactId or svcProjectId with another value than the event.',
    detection: 'The id in the answer is compared with the id in the event.',
    remediation:
      'Return the ids of the service unchanged, in a type with at least 53 bits, or omit them; your own ids belong in crmContactId and crmProjectId.',
    section: 'CRM webhook: contactData',
  },
} as const satisfies Record<`answer/${string}`, Cause>;
