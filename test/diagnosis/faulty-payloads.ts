import type { ChatEvent, ChatSeams } from '../proving/chat.ts';
import type { Seams } from '../proving/endpoint.ts';
import type { Answer } from '../proving/wire.ts';
import { faultyCrmPayloads } from './faulty-crm-payloads.ts';
import type { Faulty } from './faulty.ts';

const error: Answer = { status: 500 };
const astral = /[\u{10000}-\u{10ffff}]/u;

function refuseIf(wrong: boolean, status = 500): Answer | undefined {
  return wrong ? { status } : undefined;
}

function chat(
  cause: Faulty['cause'],
  name: string,
  read: (event: ChatEvent) => ReturnType<ChatSeams['read']>,
  says?: string,
): Faulty {
  return {
    cause,
    name,
    surface: 'own-ai-chat',
    build: () => ({ chat: { read } }),
    ...(says !== undefined && { says }),
  };
}

/** Refuses bodies above a size limit, like a parser. */
function bodiesUpTo(bytes: number): () => Seams {
  return () => ({ chat: { read: (_, { body }) => refuseIf(body.length > bytes, 413) } });
}

/** Endpoints that fail for certain events, each with one cause. */
export const faultyPayloads: readonly Faulty[] = [
  ...faultyCrmPayloads,
  chat(
    'payload/non-latin-1-characters',
    'a Latin-1 column',
    ({ data }) => refuseIf(/[^\0-\xff]/.test(data.message.text)),
    'Latin-1',
  ),
  chat(
    'payload/right-to-left-letters',
    'a font without Arabic and Hebrew',
    ({ data }) => refuseIf(/[\u0590-\u06ff]/.test(data.message.text)),
    'right to left',
  ),
  chat(
    'payload/format-characters',
    'the message is the format of a log entry',
    ({ data }) => refuseIf(data.message.text.includes('%')),
    'a percent sign',
  ),
  {
    cause: 'payload/answer-not-escaped',
    name: 'the answer is a template',
    surface: 'own-ai-chat',
    build: () => ({
      chat: {
        now: (thought, { data }) => ({
          status: 200,
          body: `{"text": "You wrote: ${data.message.text}", "action": "none"}`,
          headers: { 'content-type': 'application/json' },
        }),
      },
    }),
    says: 'double quotes',
  },
  chat(
    'payload/missing-field',
    'a name is assumed to exist',
    ({ data }) => refuseIf(data.contact.name === undefined),
    'data.contact.name',
  ),
  chat(
    'payload/missing-field',
    'a phone number is assumed to exist',
    ({ data }) => refuseIf(data.contact.phone === undefined),
    'data.contact.phone',
  ),
  chat(
    'payload/optional-field',
    'an email address throws',
    ({ data }) => refuseIf(data.contact.email !== undefined),
    'data.contact.email',
  ),
  chat(
    'payload/empty-list',
    'the last turn is read',
    ({ data }) => refuseIf(data.history.length === 0),
    'data.history',
  ),
  chat('payload/many-items', 'a buffer of 29 turns', ({ data }) => refuseIf(data.history.length > 29), '30'),
  chat('payload/many-items', 'a buffer of 12 turns', ({ data }) => refuseIf(data.history.length > 12), '13'),
  chat(
    'payload/known-value',
    'the role team',
    ({ data }) => refuseIf(data.history.some(({ role }) => role === 'team')),
    'team',
  ),
  chat(
    'payload/known-value',
    'the channel telegram',
    ({ data }) => refuseIf(data.channel === 'telegram', 422),
    'telegram',
  ),
  chat('payload/known-value', 'auto-reply off', ({ data }) => refuseIf(data.autoReply.state === 'off'), 'off'),
  chat(
    'payload/unknown-value',
    'channels enumerated',
    ({ data }) => refuseIf(!['whatsapp', 'webchat', 'telegram', 'chat'].includes(data.channel), 400),
    'rcs',
  ),
  chat(
    'payload/unknown-value',
    'roles enumerated',
    ({ data }) =>
      refuseIf(!data.history.every(({ role }) => ['customer', 'agent', 'team', 'system'].includes(role)), 400),
    'role',
  ),
  chat(
    'payload/unknown-value',
    'skill kinds enumerated',
    ({ data }) => refuseIf(!data.skills.every(({ kind }) => ['forward', 'alert'].includes(kind)), 400),
    'kind',
  ),
  chat(
    'payload/unknown-value',
    'one protocol alone',
    ({ protocol }) => refuseIf(protocol !== '2026-10-11', 400),
    'protocol',
  ),
  chat(
    'payload/unknown-field',
    'a strict schema of data',
    ({ data }) => refuseIf('xFuture' in data, 400),
    'data.xFuture',
  ),
  chat(
    'payload/unknown-field',
    'a strict schema of turns',
    ({ data }) =>
      refuseIf(
        data.history.some((turn) => 'xFuture' in turn),
        400,
      ),
    'data.history[1].xFuture',
  ),
  chat(
    'payload/astral-characters',
    'a three-byte column',
    ({ data }) => refuseIf(astral.test(data.message.text)),
    'data.message.text',
  ),
  chat(
    'payload/non-ascii-characters',
    'an ASCII log',
    ({ data }) => refuseIf(/[\u00c0-\u024f]/.test(String(data.contact.name))),
    'data.contact.name',
  ),
  chat(
    'payload/quotes',
    'a statement pieced together',
    ({ data }) => refuseIf(data.message.text.includes("'")),
    'single quote',
  ),
  chat(
    'payload/quotes',
    'JSON pieced together',
    ({ data }) => refuseIf(data.message.text.includes('"')),
    'double quotes',
  ),
  chat('payload/backslash', 'an escape', ({ data }) => refuseIf(data.message.text.includes('\\')), 'backslash'),
  chat('payload/line-ends', 'one line alone', ({ data }) => refuseIf(data.message.text.includes('\n')), 'line feed'),
  chat('payload/markup', 'a firewall', ({ data }) => refuseIf(/<b>|<script/.test(data.message.text), 406), 'HTML'),
  chat(
    'payload/markup',
    'a firewall against SQL',
    ({ data }) => refuseIf(/drop table/i.test(data.message.text), 406),
    'SQL',
  ),
  chat(
    'payload/invisible-characters',
    'a line separator',
    ({ data }) => refuseIf(data.message.text.includes('\u2028')),
    'U+2028',
  ),
  chat(
    'payload/outer-space',
    'trimmed and compared',
    ({ data }) => refuseIf(data.message.text !== data.message.text.trim()),
    'white space',
  ),
  {
    ...chat(
      'payload/large-number',
      'an id of 32 bits',
      ({ data }) => refuseIf(data.message.id > 2_147_483_647),
      'data.message.id',
    ),
    suspected: true,
  },
  ...[4_294_967_295, 999_999_999_999].map((most) => ({
    ...chat(
      'payload/large-number',
      `an id of at most ${most}`,
      ({ data }) => refuseIf(data.message.id > most),
      '2147483647 is accepted',
    ),
    suspected: true as const,
  })),
  {
    ...chat(
      'payload/long-text',
      'a column of 1000',
      ({ data }) => refuseIf([...data.message.text].length > 1000),
      'more than 1000',
    ),
    suspected: true,
  },
  {
    ...chat(
      'payload/long-text',
      'a column of 255',
      ({ data }) => refuseIf([...data.message.text].length > 255),
      'more than 255',
    ),
    suspected: true,
  },
  {
    ...chat('payload/large-body', 'a parser of 100 KB', () => undefined),
    build: bodiesUpTo(102_400),
    says: '102400',
    suspected: true,
  },
  {
    ...chat('payload/large-body', 'a parser of 64 KB', () => undefined),
    build: bodiesUpTo(65_536),
    says: '65536',
    suspected: true,
  },
  { ...chat('payload/large-body', 'a parser of 32 KB', () => undefined), build: bodiesUpTo(32_768), says: '32768' },
  chat(
    'payload/combination',
    'neither a name nor a history',
    ({ data }) => refuseIf(data.contact.name === undefined && data.history.length === 0),
    'data.contact.name',
  ),
  chat(
    'payload/known-value',
    'only an AI that may speak is known',
    ({ data }) => refuseIf(data.autoReply.state !== 'on'),
    'data.autoReply.state is "off"',
  ),
  {
    cause: 'payload/at-random',
    name: 'one instance of two is broken at first',
    surface: 'own-ai-chat',
    build: () => {
      let events = 0;
      return { chat: { read: () => refuseIf(++events === 1) } };
    },
    suspected: true,
  },
  chat('payload/every-message', 'every message fails', () => error),
  {
    ...chat('payload/markup', 'a refusal that looks like an invalid signature', ({ data }) =>
      refuseIf(data.message.text.includes('<b>'), 401),
    ),
    suspected: true,
  },
  {
    cause: 'payload/ping',
    name: 'the data of a ping is read',
    surface: 'own-ai-chat',
    build: () => ({ chat: { ping: () => error } }),
  },
  {
    cause: 'payload/unknown-event',
    name: 'other types are refused',
    surface: 'own-ai-chat',
    build: () => ({ chat: { otherType: () => ({ status: 400 }) } }),
  },
];
