import type { CauseId } from '../../../diagnosis/causes.ts';
import { asJson, type Reply } from '../receiver.ts';
import type { Mistake } from './mistake.ts';
import { answerCorrectly, isLookup, node, type Event, type NodeSeams } from './node-endpoint.ts';

const json = (body: string): Reply => ({ status: 200, body, headers: { 'content-type': 'application/json' } });
const chat = (name: string, causes: readonly CauseId[], make: (event: Event) => Reply): Mistake =>
  node({ name, group: 'answer', surface: 'own-ai-chat', causes }, () => ({
    answer: (event) => (event.type === 'ping' ? asJson(200, {}) : make(event)),
  }));
const crm = (name: string, causes: readonly CauseId[], answer: NonNullable<NodeSeams['answer']>): Mistake =>
  node({ name, group: 'answer', surface: 'crm-webhook', causes }, () => ({ answer }));
const wrote = ({ data }: Event): string => data.message.text.slice(0, 900);

/** Faulty answers, some only for certain messages of the customer. */
export const answerMistakes: readonly Mistake[] = [
  chat('a template of JSON breaks on a quotation mark', ['payload/answer-not-escaped'], (event) =>
    json(`{"text": "You wrote: ${wrote(event)}", "action": "none"}`),
  ),
  chat(
    'the template escapes quotation marks, and breaks on a line break',
    ['payload/answer-not-escaped', 'answer/raw-line-ends'],
    (event) =>
      json(`{"text": "You wrote: ${wrote(event).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}", "action": "none"}`),
  ),
  {
    ...chat(
      'a missing name throws, and every exception is a 200 with plain text',
      ['payload/missing-field'],
      (event) => (event.data.contact.name === undefined ? { status: 200, body: 'error' } : answerCorrectly(event)),
    ),
    ofCheck: ['answer/plain-text'],
  },
  chat(
    'an apostrophe breaks the SQL, and the exception is a 200 with an object of Python',
    ['payload/quotes'],
    (event) => (wrote(event).includes("'") ? json("{'error': 'failed'}") : answerCorrectly(event)),
  ),
  node(
    {
      name: 'pings are answered with pong, and every message fails',
      group: 'answer',
      surface: 'own-ai-chat',
      causes: ['payload/every-message'],
    },
    () => ({
      answer: (event) =>
        event.type === 'ping' ? { status: 200, body: 'pong' } : asJson(500, { error: 'internal error' }),
    }),
  ),
  chat(
    'a format string breaks on a brace',
    ['payload/markup', 'payload/text-value', 'payload/format-characters'],
    (event) => {
      if (/[{}]/.test(wrote(event))) throw new Error('KeyError');
      return answerCorrectly(event);
    },
  ),
  chat(
    'a format string breaks on a percent sign',
    ['payload/format-characters', 'payload/markup', 'payload/text-value'],
    (event) => {
      if (wrote(event).includes('%')) throw new Error('TypeError: not enough arguments for format string');
      return answerCorrectly(event);
    },
  ),
  chat('the text is in reply, next to action', ['answer/text-elsewhere'], (event) =>
    asJson(200, { reply: `You wrote: ${wrote(event)}`, action: 'none' }),
  ),
  // An empty text may be intended: it sends nothing.
  {
    ...chat('the text is in message, next to an empty text', ['answer/text-elsewhere'], (event) =>
      asJson(200, { text: '', message: `You wrote: ${wrote(event)}`, action: 'none' }),
    ),
    isSuspected: true,
  },
  chat('everything is in data', ['answer/wrapped'], (event) =>
    asJson(200, { data: { text: `You wrote: ${wrote(event)}`, action: 'none' } }),
  ),
  crm(
    'the contact without its envelope',
    ['answer/parts-without-envelope', 'answer/wrapped', 'answer/part-without-flag'],
    (event) =>
      isLookup(event) ? asJson(200, { crmContactId: '7', firstName: 'Ada', crmAiInfo: 'A customer' }) : { status: 204 },
  ),
  node(
    {
      name: 'the id of the contact is a number, and projectData null gets 500',
      group: 'answer',
      surface: 'crm-webhook',
      causes: ['answer/id-not-text'],
      ofCheck: ['payload/null-field'],
    },
    () => ({
      answer: (event) => {
        if (event.projectData === null) throw new TypeError('null');
        if (!isLookup(event)) return { status: 204 };
        return asJson(200, { requestContactUpdate: true, contactData: { crmContactId: 7, firstName: 'Ada' } });
      },
    }),
  ),
  crm('the contact without its flag', ['answer/part-without-flag'], (event) =>
    isLookup(event) ? asJson(200, { contactData: { crmContactId: '7', firstName: 'Ada' } }) : { status: 204 },
  ),
];
