import type { RuleCase } from './rule-case.ts';
import { addresses, base, sample, token, type RecordedMessage } from './recorded.ts';

const callbackUrl = `${base}/callbacks/cb_4711abcdef?k=1`;
const bearer = { authorization: `Bearer ${token}` };
type EventType = Parameters<typeof sample.crmEvent>[0];

/** An event of the service and its answer. */
export function crmEvent(
  eventType: EventType | number,
  traffic: Partial<RecordedMessage> & { callbackUrl?: string } = {},
): RecordedMessage {
  const { callbackUrl: to = callbackUrl, ...rest } = traffic;
  const event = { ...sample.crmEvent('Manual'), eventType, callbackUrl: to };
  return { url: addresses.crm, headers: bearer, body: event, at: 0, status: 204, ...rest };
}

export function callback(traffic: Partial<RecordedMessage> = {}): RecordedMessage {
  const headers = { 'content-type': 'application/json' };
  return { url: callbackUrl, headers, body: { requestContactUpdate: false }, at: 20, status: 200, ...traffic };
}

const otherUrl = `${base}/callbacks/cb_9999fedcba`;
const later = (over: Partial<RecordedMessage> = {}) => crmEvent('FinishedCall', { status: 202, ...over });
const wrongToken = (over: Partial<RecordedMessage>) =>
  crmEvent('Manual', { at: 5, headers: { authorization: 'Bearer other' }, ...over });
const types = [
  'IncomingCallLookup',
  'NewConversation',
  'FinishedCall',
  'ConversationPaused',
  'Manual',
  'FormSubmitted',
  'AppointmentCreated',
  'AppointmentConfirmed',
  'AppointmentRescheduled',
  'AppointmentCancelled',
  'AppointmentFinished',
  'AppointmentReminderSent',
] as const;

/** Answers that meet a rule about their content, and answers that break it. */
const answers: Readonly<Record<string, readonly [right: unknown, wrong: unknown]>> = {
  'flags-are-boolean': [{ requestContactUpdate: false }, { requestContactUpdate: 'yes' }],
  'flagged-part-is-present': [{ requestContactUpdate: true, contactData: {} }, { requestContactUpdate: true }],
  'answers-with-documented-fields': [{ requestContactUpdate: false }, { data: { requestContactUpdate: false } }],
  'names-the-flag-of-each-part': [{ requestContactUpdate: true, contactData: {} }, { contactData: {} }],
  'ids-are-strings': [contact({ crmContactId: '7' }), contact({ crmContactId: 7 })],
  'no-placeholder-for-a-missing-value': [contact({ lastName: 'Nil' }), contact({ lastName: 'None' })],
  'field-types-as-listed': [contact({ firstName: 'Mara' }), contact({ firstName: 12 })],
  'null-only-where-listed': [contact({ firstName: null }), contact({ phoneNumber: null })],
  'times-in-listed-form': [
    contact({ customOptIn1: '2026-10-11T09:30:00' }),
    contact({ customOptIn1: '2026-10-11T09:30:00Z' }),
  ],
  'svc-contact-id-unaltered': ['same', contact({ svcContactId: 1 })],
  'svc-project-id-unaltered': ['same', { requestProjectUpdate: true, projectData: { svcProjectId: 1 } }],
  'crm-ai-info-within-5000-characters': [contact({ crmAiInfo: 'x' }), contact({ crmAiInfo: 'x'.repeat(5001) })],
  'crm-ai-info-within-5000-utf-16-units': [contact({ crmAiInfo: 'x' }), contact({ crmAiInfo: '😀'.repeat(2501) })],
  'no-sensitive-hints-in-crm-ai-info': [
    contact({ crmAiInfo: 'Likes tea.' }),
    contact({ crmAiInfo: 'IBAN DE02120300000000202051' }),
  ],
};

function contact(contactData: Record<string, unknown>) {
  return { requestContactUpdate: true, contactData };
}

/** The answer; `same` means the contact and project data of the event. */
function answerTo(event: RecordedMessage, answer: unknown): unknown {
  const { contactData, projectData } = event.body as Record<string, Record<string, unknown>>;
  if (answer !== 'same') return answer;
  return {
    requestContactUpdate: true,
    contactData: { svcContactId: contactData?.['svcContactId'] },
    requestProjectUpdate: true,
    projectData: { svcProjectId: projectData?.['svcProjectId'] },
  };
}

function with200(answer: unknown): RecordedMessage[] {
  const event = crmEvent('Manual', { status: 200 });
  return [{ ...event, answer: answerTo(event, answer) }];
}

function withCallback(answer: unknown): RecordedMessage[] {
  const event = later();
  return [event, callback({ body: answerTo(event, answer) })];
}

const data = { requestProjectUpdate: true, projectData: { crmProjectId: 'A-1' } };
const otherData = { requestProjectUpdate: true, projectData: { crmProjectId: 'A-2' } };

export const crmCases: readonly RuleCase[] = [
  rule('accepts-the-token', [crmEvent('Manual')], [crmEvent('Manual', { status: 401 }), crmEvent('Manual', { at: 9 })]),
  rule(
    'refuses-wrong-token',
    [crmEvent('Manual'), wrongToken({ status: 401 })],
    [crmEvent('Manual'), wrongToken({ status: 204 })],
  ),
  rule(
    'refuses-with-401',
    [crmEvent('Manual'), wrongToken({ status: 401 })],
    [crmEvent('Manual'), wrongToken({ status: 403 })],
  ),
  ...types.map((type) =>
    rule('answers-every-event', [crmEvent(type)], [crmEvent(type, { status: 500 })], new RegExp(`^${type} `)),
  ),
  rule('accepts-legacy-numbers', [crmEvent(3)], [crmEvent(3, { status: 400 })]),
  rule(
    'unknown-event-name-204',
    [crmEvent('ConversationTagged' as never)],
    [crmEvent('ConversationTagged' as never, { status: 200 })],
  ),
  rule('unknown-event-number-204', [crmEvent(99)], [crmEvent(99, { status: 422 })]),
  rule(
    'lookup-within-two-seconds',
    [crmEvent('IncomingCallLookup', { ms: 1_900 })],
    [crmEvent('IncomingCallLookup', { ms: 2_400 })],
  ),
  rule(
    'new-conversation-within-two-seconds',
    [crmEvent('NewConversation', { ms: 1_900 })],
    [crmEvent('NewConversation', { ms: 2_400 })],
  ),
  rule('answer-is-a-json-object', with200({}), with200('[]')),
  rule('no-content-has-no-body', [crmEvent('Manual')], [crmEvent('Manual', { answer: { ok: true } })]),
  ...Object.entries(answers).map(([slug, [right, wrong]]) =>
    rule(slug, with200(right), with200(wrong), /^in 200 answers/),
  ),
  ...Object.entries(answers).map(([slug, [right, wrong]]) =>
    rule(slug, withCallback(right), withCallback(wrong), /^in callbacks/),
  ),
  rule(
    'redelivery-has-the-same-outcome',
    [
      crmEvent('FinishedCall', { status: 200, answer: data }),
      crmEvent('FinishedCall', { at: 4, status: 200, answer: data }),
    ],
    [
      crmEvent('FinishedCall', { status: 200, answer: data }),
      crmEvent('FinishedCall', { at: 4, status: 200, answer: otherData }),
    ],
  ),
  rule('calls-back-after-202', [later(), callback({ at: 299 })], [later(), callback({ at: 340 })]),
  rule('calls-back-once', [later(), callback()], [later(), callback(), callback({ at: 30 })]),
  rule(
    'one-callback-after-redelivery',
    [later(), later({ at: 3 }), callback()],
    [later(), later({ at: 3 }), callback(), callback({ at: 30 })],
  ),
  rule('callback-is-a-post', [later(), callback()], [later(), callback({ method: 'PUT' })]),
  rule(
    'callback-uses-the-address-given',
    [later(), callback()],
    [later(), callback({ url: callbackUrl.replace('?k=1', '') })],
  ),
  rule('callback-is-a-json-object', [later(), callback()], [later(), callback({ body: 'done' })]),
  rule('callback-carries-no-token', [later(), callback()], [later(), callback({ headers: bearer })]),
  rule(
    'answers-now-or-by-callback',
    [crmEvent('Manual', { callbackUrl: otherUrl }), later(), callback()],
    [crmEvent('Manual'), callback()],
  ),
];

function rule(
  slug: string,
  right: readonly RecordedMessage[],
  wrong: readonly RecordedMessage[],
  title?: RegExp,
): RuleCase {
  return { requirement: `crm-webhook/${slug}`, right, wrong, ...(title && { title }) };
}
