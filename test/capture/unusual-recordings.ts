import { callback, crmEvent } from './crm-cases.ts';
import { message, reply } from './chat-cases.ts';
import { apiKey, base, sample, secret, signedHeaders, type HarEntry, type RecordedMessage } from './recorded.ts';
import { call, chat, hook } from './signed-cases.ts';

/** A recording of a correct integration that is unusual. */
export interface UnusualRecording {
  name: string;
  traffic: readonly RecordedMessage[];
  /** The extent of the config; default: everything. */
  knows?: 'everything' | 'nothing' | 'no-timeout';
}

const withKey = { 'X-Api-Key': apiKey, 'Content-Type': 'application/json' };
const hidden = { 'X-Api-Key': '[redacted]', 'Content-Type': 'application/json' };
const otherKey = { 'X-Api-Key': 'svc_sk_of_the_real_inbox', 'Content-Type': 'application/json' };
const me = (at: number, headers: Record<string, string> = withKey): RecordedMessage => ({
  method: 'GET',
  url: `${base}/v1/me`,
  headers,
  at,
  answer: { workspaceId: 1, workspaceName: 'Shop', keyName: 'CRM' },
});
const post = (path: string, at: number, body?: unknown, traffic: Partial<RecordedMessage> = {}): RecordedMessage => ({
  url: `${base}/v1/${path}`,
  headers: withKey,
  body,
  at,
  status: 200,
  ...traffic,
});
const note = (at: number, text: string, key: string): RecordedMessage =>
  post('notes', at, { contactId: 5, text }, { headers: { ...withKey, 'Idempotency-Key': key }, status: 201 });
const contact = (at: number): RecordedMessage =>
  post('contacts', at, { phone: '+4930901820', firstName: 'M' }, { answer: { id: 5 } });
const later = message({}, { status: 202 });
const voice = [
  { from: 'service', at: 0, value: sample.sessionStarted() },
  { from: 'service', at: 1, value: { type: 'prompt', text: 'Are you open?' } },
] as const;
const says = (at: number) => ({ from: 'ai', at, value: { type: 'text', text: 'Yes.', last: true } }) as const;
const callbackTo = (url: string, at: number): RecordedMessage => callback({ url: `${base}${url}`, at });
const eventWith = (url: string, at: number): RecordedMessage =>
  crmEvent('FinishedCall', { at, status: 202, callbackUrl: `${base}${url}` });
const refusedBySignature = { 'x-svc-signature': `t=1792486800,v1=${'a'.repeat(64)}` };

/** Replaces every letter of the customer's words in a body, as people do before they pass on a recording. */
function scrub({ request }: HarEntry): void {
  if (request.postData) {
    request.postData['text'] = String(request.postData['text']).replace(/"text":"[^"]+"/g, (found) =>
      found.replace(/(?<=:")[^"]+/, (text) => 'x'.repeat(Buffer.byteLength(text))),
    );
  }
}

/** The request behind a gateway that has checked the credential and removes it. */
function inner(traffic: RecordedMessage, url: string): RecordedMessage {
  const { headers = {} } = traffic;
  const kept = Object.entries(headers).filter(([name]) => !/signature|authorization/i.test(name));
  return { ...traffic, url, headers: Object.fromEntries(kept), at: traffic.at + 0.01 };
}

const ofOther = { projectId: 99, replyUrl: `${base}/v1/projects/99/agent-replies` };

export const unusualRecordings: readonly UnusualRecording[] = [
  {
    name: 'it begins in the middle of a conversation, with a reply',
    traffic: [
      reply({ text: 'Earlier' }, { at: 0 }),
      message({}, { at: 10, status: 202 }),
      reply({ text: 'Now' }, { at: 12 }),
    ],
  },
  {
    name: 'a reply goes to another host that has the same paths',
    traffic: [
      later,
      reply({ text: 'Hello' }),
      reply({ text: 'Hi' }, { url: 'http://gateway.local/v1/projects/815/agent-replies' }),
    ],
  },
  {
    name: 'a callback of an event that was not recorded differs in the query',
    traffic: [
      callbackTo('/crm/callbacks?id=1', 0),
      eventWith('/crm/callbacks?id=2', 5),
      callbackTo('/crm/callbacks?id=2', 20),
    ],
  },
  {
    name: 'a callback of an event that was not recorded begins as another one does',
    traffic: [callbackTo('/cb/1000000012', 0), eventWith('/cb/100000001', 5), callbackTo('/cb/100000001', 20)],
  },
  {
    name: 'callback addresses end in the same word',
    traffic: [
      callbackTo('/7/callbacks', 0),
      eventWith('/8/callbacks', 5),
      eventWith('/9/callbacks', 6),
      callbackTo('/8/callbacks', 20),
      callbackTo('/9/callbacks', 21),
    ],
  },
  {
    name: 'something else than a callback has the same id at its end',
    traffic: [
      eventWith('/callbacks/4711abcdef', 0),
      callbackTo('/callbacks/4711abcdef', 20),
      { method: 'GET', url: `${base}/pictures/4711abcdef`, at: 30 },
    ],
  },
  {
    name: 'a skill has the name at the end of a callback address',
    traffic: [
      crmEvent('FinishedCall', { status: 202, callbackUrl: `${base}/callbacks/front-desk` }),
      callbackTo('/callbacks/front-desk', 20),
      post('projects/815/skills/front-desk', 30, {}, { answer: { key: 'front-desk', ok: true } }),
    ],
  },
  {
    name: 'an upgrade that names no call is refused, though its signature fits an empty id',
    traffic: [call([...voice, says(3)]), call([], { at: 60, status: 401, headers: signedHeaders('', 60) })],
  },
  {
    name: 'an assistant answers after 15 s, and its timeout is not given',
    knows: 'no-timeout',
    traffic: [
      message({}, { status: 200, answer: { text: 'Hello' }, ms: 15_000 }),
      call([...voice, says(16)], { at: 60 }),
    ],
  },
  ...[302, 400, 404, 422].map((status) => ({
    name: `what is refused with ${status} may have been refused for its signature`,
    knows: 'nothing' as const,
    traffic: [
      hook('appointment.created', { status, headers: { ...refusedBySignature, 'x-svc-delivery-id': 'd1' } }),
      message({}, { status, headers: { ...refusedBySignature, 'x-svc-event': 'message.received' } }),
      crmEvent('Manual', { status }),
      hook('appointment.created', { at: 9 }),
    ],
  })),
  {
    name: 'a gateway checks signatures and tokens and does not pass them on',
    traffic: [
      hook('appointment.created'),
      inner(hook('appointment.created'), 'http://internal.local/hooks'),
      message({}, { at: 5 }),
      inner(message({}, { at: 5 }), 'http://internal.local/chat'),
      crmEvent('FinishedCall', { at: 9 }),
      inner(crmEvent('FinishedCall', { at: 9 }), 'http://internal.local/crm'),
      call([...voice, says(2)], { at: 12 }),
      inner(call([...voice, says(2)], { at: 12 }), 'ws://internal.local/voice'),
    ],
  },
  {
    name: 'a gateway does not pass signatures on, and no surface is assigned to an address',
    knows: 'nothing',
    traffic: [hook('appointment.created'), inner(hook('appointment.created'), 'http://internal.local/hooks')],
  },
  {
    name: 'the service took another key than the simulated one is given',
    traffic: [later, reply({ text: 'Hello' }, { headers: otherKey }), me(60, otherKey)],
  },
  {
    name: 'a key of another inbox meets a limit',
    traffic: [me(0, otherKey), { ...me(1, otherKey), status: 429, answer: { title: 'rate_limited' } }],
  },
  {
    name: 'a key was revoked later on',
    traffic: [me(0, otherKey), { ...me(900, otherKey), status: 401, answer: { title: 'unauthorized' } }],
  },
  {
    name: 'many keys are redacted',
    traffic: [
      later,
      reply({ text: 'Hello' }, { headers: hidden }),
      ...Array.from({ length: 150 }, (_, at) => me(at / 10, hidden)),
    ],
  },
  {
    name: 'an event that came again is called back for its second 202',
    traffic: [
      crmEvent('FinishedCall', { status: 202 }),
      crmEvent('FinishedCall', { status: 202, at: 60 }),
      callback({ at: 340 }),
    ],
  },
  {
    name: 'not every callback was recorded',
    traffic: [
      eventWith('/callbacks/cb_aaaaaaaa1', 0),
      eventWith('/callbacks/cb_bbbbbbbb1', 1),
      callbackTo('/callbacks/cb_aaaaaaaa1', 5),
      crmEvent('Manual', { at: 900, callbackUrl: `${base}/callbacks/cb_cccccccc1` }),
    ],
  },
  {
    name: 'words of customers are redacted in a body, letter by letter',
    traffic: [chat({ ...sample.ping() }), message({}, { at: 5, status: 200, answer: { text: 'Hello' }, over: scrub })],
  },
  {
    name: 'a body with redacted words was refused for another reason',
    traffic: [chat({ ...sample.ping() }), message({}, { at: 5, status: 413, over: scrub })],
  },
  {
    name: 'two subscriptions to one address have different secrets',
    traffic: [
      hook('appointment.created'),
      {
        ...hook('appointment.created', { id: 'whd_2', at: 1 }),
        headers: { ...refusedBySignature, 'x-svc-delivery-id': 'whd_2' },
      },
    ],
  },
  {
    name: 'two messages of one conversation are answered in the same words',
    traffic: [
      later,
      message({}, { at: 1, status: 202 }),
      reply({ text: 'One moment please.' }, { at: 3 }),
      reply({ text: 'One moment please.' }, { at: 4 }),
    ],
  },
  {
    name: 'the message before the recording was open, too',
    traffic: [
      message({ history: [{ role: 'customer', text: 'Hello?', at: '2026-10-20T08:59:00' }] }, { status: 202 }),
      reply({ text: 'One moment please.' }, { at: 3 }),
      reply({ text: 'One moment please.' }, { at: 4 }),
    ],
  },
  {
    name: 'two conversations are answered in the same words',
    traffic: [
      later,
      message(ofOther, { at: 1, status: 202 }),
      reply({ text: 'Hello' }, { at: 3 }),
      reply({ text: 'Hello' }, { at: 4, url: ofOther.replyUrl }),
    ],
  },
  {
    name: 'an Idempotency-Key comes again after two days',
    traffic: [note(0, 'one', 'key-1'), note(5, 'two', 'key-2'), note(48 * 3600, 'three', 'key-1')],
  },
  {
    name: 'an assistant gets another secret after weeks',
    traffic: [0, 20 * 86_400].map((at) => post('agents/5/secret', at, undefined, { answer: { secret } })),
  },
  { name: 'contacts are sent again night by night', traffic: [contact(0), contact(86_400), contact(2 * 86_400)] },
  ...(
    [
      [404, 'project_not_found'],
      [409, 'project_not_with_agent'],
      [422, 'not_deliverable'],
    ] as const
  ).map(([status, title]) => ({
    name: `a reply whose key was omitted of the recording got ${status} ${title}`,
    traffic: [
      later,
      reply({ text: 'One' }),
      reply({ text: 'Two' }, { headers: { 'Content-Type': 'application/json' }, at: 9, status, answer: { title } }),
    ],
  })),
];
