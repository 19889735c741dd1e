import { apiKey, base, sample, type RecordedMessage } from './recorded.ts';
import type { RuleCase } from './rule-case.ts';
import { chat, signedCases } from './signed-cases.ts';

type Data = Record<string, unknown>;

const projectId = 815;
const replyUrl = `${base}/v1/projects/${projectId}/agent-replies`;
const skills = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
  { id: 2, key: 'care', name: 'Care', kind: 'forward', announcement: null },
  { id: 3, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null },
];

/** A message of the service and its answer. */
export function message(data: Data = {}, traffic: Partial<RecordedMessage> = {}, event: Data = {}): RecordedMessage {
  const received = sample.messageReceived();
  const whole = { ...received.data, projectId, replyUrl, skills, ...data };
  return chat({ ...received, data: whole, ...event }, traffic);
}

export function reply(body: unknown, traffic: Partial<RecordedMessage> = {}): RecordedMessage {
  return {
    url: replyUrl,
    headers: { 'Content-Type': 'application/json', 'X-Api-Key': apiKey },
    body,
    at: 5,
    status: 202,
    ...traffic,
  };
}

/** Answers of an AI that meet a rule, and answers that break it. */
const said: Readonly<Record<string, readonly [right: Data, wrong: Data]>> = {
  'has-a-documented-field': [{ text: 'Hello', reply: 'Hello' }, { data: { text: 'Hello' } }],
  'action-is-known': [{ action: 'none' }, { action: 'hangup' }],
  'text-is-a-string': [{ text: 'Hello' }, { text: 12 }],
  'text-within-4000-characters': [{ text: 'Hello' }, { text: 'x'.repeat(4001) }],
  'text-within-4000-utf-16-units': [{ text: 'Hello' }, { text: '😀'.repeat(2001) }],
  'note-within-500-characters': [{ note: 'n' }, { note: 'n'.repeat(501) }],
  'note-within-500-utf-16-units': [{ note: 'n' }, { note: '😀'.repeat(251) }],
  'members-have-their-types': [{ note: 'n' }, { note: 7 }],
  'no-null-members': [{ text: 'Hello' }, { text: null }],
  'no-placeholder-for-a-missing-value': [{ text: 'Hello' }, { text: 'Hello undefined, I am glad to help.' }],
  'at-most-five-skills': [{ executeSkills: ['urgent'] }, { executeSkills: ['urgent', 2, 3, 4, 5, 6] }],
  'at-most-one-forward': [{ executeSkills: ['sales'] }, { executeSkills: ['sales', 'care'] }],
  'names-known-skills': [{ executeSkills: ['urgent'] }, { executeSkills: ['unheard-of'] }],
  'names-only-offered-skills': [{ executeSkills: ['urgent'] }, { executeSkills: ['billing'] }],
  'names-each-skill-once': [{ executeSkills: ['urgent'] }, { executeSkills: ['urgent', 'urgent'] }],
  'names-no-skill-while-not-on': [{ text: 'Hello' }, { executeSkills: ['urgent'] }],
};

function conversationFor(slug: string): Data {
  return slug === 'names-no-skill-while-not-on' ? { autoReply: { state: 'off' } } : { autoReply: { state: 'on' } };
}

const inAnswers = Object.entries(said).map(([slug, [right, wrong]]): RuleCase => {
  const with200 = (answer: Data) => [message(conversationFor(slug), { status: 200, answer })];
  return { requirement: `own-ai-chat/${slug}`, title: /^in 200 answers/, right: with200(right), wrong: with200(wrong) };
});
const inReplies = Object.entries(said).map(([slug, [right, wrong]]): RuleCase => {
  const with202 = (body: Data) => [message(conversationFor(slug), { status: 202 }), reply(body)];
  return {
    requirement: `own-ai-chat/${slug}`,
    title: /^in later replies/,
    right: with202(right),
    wrong: with202(wrong),
  };
});

const turns = sample.history(30);
const later = message({}, { status: 202 });
const contact = { id: 4 };
const ping = (traffic: Partial<RecordedMessage> = {}) => chat({ ...sample.ping() }, traffic);
/** A case of one message that is accepted, and refused with 500. */
const taken = (requirement: string, data: Data, title?: RegExp, event: Data = {}): RuleCase => ({
  requirement: `own-ai-chat/${requirement}`,
  right: [message(data, {}, event)],
  wrong: [message(data, { status: 500 }, event)],
  ...(title && { title }),
});

export const chatCases: readonly RuleCase[] = [
  ...signedCases('own-ai-chat'),
  { requirement: 'own-ai-chat/answers-ping', right: [ping()], wrong: [ping({ status: 404 })] },
  taken('answers-messages', {}),
  taken('accepts-empty-history', { history: [] }),
  taken('accepts-30-turns', { history: turns }),
  taken('accepts-long-replies-in-history', {
    history: turns.map((turn, at) => (at % 2 === 1 ? { ...turn, text: 'x'.repeat(4000) } : turn)),
  }),
  ...['whatsapp', 'webchat', 'telegram', 'chat'].map((channel) =>
    taken('accepts-every-channel', { channel }, new RegExp(`channel ${channel} `)),
  ),
  taken('accepts-unknown-channel', { channel: 'fax' }),
  taken('accepts-missing-contact-members', { contact }),
  ...['on', 'paused', 'off'].map((state) =>
    taken('accepts-every-auto-reply-state', { autoReply: { state } }, new RegExp(`auto-reply is ${state} `)),
  ),
  taken('accepts-unknown-protocol-revision', {}, undefined, { protocol: '2027-03-01' }),
  taken('accepts-unknown-event-type', {}, undefined, { type: 'message.edited' }),
  {
    requirement: 'own-ai-chat/answers-with-a-listed-status',
    right: [message({}, { status: 202 })],
    wrong: [message({}, { status: 201 })],
  },
  {
    requirement: 'own-ai-chat/answers-in-time',
    right: [message({}, { ms: 9_000 })],
    wrong: [message({}, { ms: 11_000 })],
  },
  {
    requirement: 'own-ai-chat/answer-is-a-json-object',
    right: [message({}, { status: 200, answer: {} })],
    wrong: [message({}, { status: 200, answer: '<p>Hello</p>' })],
  },
  {
    requirement: 'own-ai-chat/answer-within-64-kb',
    right: [message({}, { status: 200, answer: { text: 'Hello' } })],
    wrong: [message({}, { status: 200, answer: { x: 'x'.repeat(65_536) } })],
  },
  {
    requirement: 'own-ai-chat/answer-within-64000-bytes',
    right: [message({}, { status: 200, answer: { text: 'Hello' } })],
    wrong: [message({}, { status: 200, answer: { x: 'x'.repeat(64_500) } })],
  },
  {
    requirement: 'own-ai-chat/answer-is-not-in-202-or-204',
    right: [message({}, { status: 202 })],
    wrong: [message({}, { status: 202, answer: { text: 'Hello' } })],
  },
  ...inAnswers,
  {
    requirement: 'own-ai-chat/reply-uses-the-address-given',
    right: [later, reply({})],
    wrong: [later, reply({}, { url: `${replyUrl}?again=1` })],
  },
  {
    requirement: 'own-ai-chat/reply-is-a-post',
    right: [later, reply({})],
    wrong: [later, reply({}, { method: 'PUT' })],
  },
  {
    requirement: 'own-ai-chat/reply-carries-the-api-key',
    right: [later, reply({})],
    wrong: [later, reply({}, { headers: { 'X-Api-Key': 'svc_sk_of_another_inbox' }, status: 401 })],
  },
  {
    requirement: 'own-ai-chat/reply-is-a-json-object',
    right: [later, reply({})],
    wrong: [later, reply('text=Hello')],
  },
  ...inReplies,
  {
    requirement: 'own-ai-chat/same-text-sent-once',
    right: [later, reply({ text: 'One' }), reply({ text: 'Two' }, { at: 6 })],
    wrong: [later, reply({ text: 'One' }), reply({ text: 'One' }, { at: 6 })],
  },
  {
    requirement: 'own-ai-chat/drops-the-reply-after-409',
    right: [later, reply({ text: 'One' }, { status: 409 })],
    wrong: [later, reply({ text: 'One' }, { status: 409 }), reply({ text: 'One' }, { at: 9, status: 409 })],
  },
];
