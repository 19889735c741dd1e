import { sentences, type ChatEvent, type ChatSeams } from '../proving/chat.ts';
import { sign, verify } from '../proving/signature.ts';
import { pause } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';
import { chatEffectMutants } from './own-ai-chat-effects.ts';
import { signatureMutants } from './signature-mutants.ts';

/** Milliseconds beyond the waiting time of the proof, 2 s, but within the timeout of a run. */
const tooLongMs = 2_400;
/** Milliseconds within which two messages form a batch. */
const companyMs = 200;
/** Milliseconds per message of an AI that handles one at a time. */
const oneAtATimeMs = 480;

const anyEvent = {
  id: 'own-ai-chat/answers-any-valid-event',
  why: 'generated events contain such values too',
} as const;

function reading(read: (event: ChatEvent) => ReturnType<ChatSeams['read']>): Mutant['build'] {
  return () => ({ chat: { read } });
}

function refuseIf(wrong: boolean, status = 500): { status: number } | undefined {
  return wrong ? { status } : undefined;
}

function verifyingAlsoWith(other: (secret: string) => string | Buffer): Mutant['build'] {
  return () => ({
    chat: {
      verify: (header, body, secret) => {
        const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(header ?? '') ?? [];
        return verify(header, body, secret) || (t !== undefined && v1 === sign(other(secret), t, body));
      },
    },
  });
}

const own: readonly Mutant[] = [
  {
    name: 'chat-secret-decoded',
    breaks: 'own-ai-chat/refuses-decoded-secret',
    what: 'Signatures with the base64-decoded secret are also accepted.',
    build: verifyingAlsoWith((secret) => Buffer.from(secret.slice('whsec_'.length), 'base64')),
  },
  {
    name: 'chat-secret-stripped',
    breaks: 'own-ai-chat/refuses-stripped-secret',
    what: 'Signatures with the secret without whsec_ are also accepted.',
    build: verifyingAlsoWith((secret) => secret.slice('whsec_'.length)),
  },
  {
    name: 'chat-ping-before-verifying',
    breaks: 'own-ai-chat/refuses-ping-with-bad-signature',
    what: 'A ping is answered before its signature is verified.',
    build: () => ({ chat: { isVerified: ({ headers }) => headers['x-svc-event'] !== 'ping' } }),
  },
  {
    name: 'chat-ping-data-read',
    breaks: 'own-ai-chat/answers-ping',
    what: 'The data of a ping is read, although it has none.',
    mayAlso: [
      { id: 'own-ai-chat/refuses-ping-with-bad-signature', why: 'without an accepted ping its refusal proves nothing' },
    ],
    build: () => ({ chat: { ping: () => ({ status: 500 }) } }),
  },
  {
    name: 'chat-messages-fail',
    breaks: 'own-ai-chat/answers-messages',
    what: 'Only pings work: every message ends in a server error.',
    stopsTheRest: 'No message is accepted.',
    build: reading(() => ({ status: 500 })),
  },
  {
    name: 'chat-ended-is-gone',
    breaks: 'own-ai-chat/answers-messages',
    what: 'A conversation whose request is done is deleted, and every later message in it is answered 410.',
    build: () => {
      const ended = new Set<number>();
      return reading(({ data: { projectId, message, autoReply } }) => {
        if (ended.has(projectId)) return { status: 410 };
        if (message.text === sentences.end && autoReply.state === 'on') ended.add(projectId);
        return undefined;
      })();
    },
  },
  {
    name: 'chat-answered-201',
    breaks: 'own-ai-chat/answers-with-a-listed-status',
    what: 'Messages are answered 201, as the framework does for POST.',
    build: () => ({ chat: { now: (thought) => ({ status: 201, body: JSON.stringify(thought) }) } }),
  },
  {
    name: 'chat-lone-message-waits',
    breaks: 'own-ai-chat/answers-in-time',
    what: 'The AI works in batches, and a single message waits too long for others.',
    mayAlso: [{ id: 'own-ai-chat/stays-well-while-a-reply-is-slow', why: 'its message comes alone as well' }],
    build: () => {
      let lastAt = -Infinity;
      let release: () => void = () => undefined;
      return {
        transport: {
          admit: async (request, work) => {
            if (request.path !== '/chat') return work();
            const inCompany = performance.now() - lastAt < companyMs;
            lastAt = performance.now();
            release();
            if (!inCompany) await Promise.race([pause(tooLongMs), new Promise<void>((done) => (release = done))]);
            return work();
          },
        },
      };
    },
  },
  {
    name: 'chat-one-at-a-time',
    breaks: 'own-ai-chat/answers-in-time-in-parallel',
    what: 'The AI handles one question about a date at a time, so the last of several simultaneous ones is answered too late.',
    build: () => {
      let freeAt = 0;
      return {
        chat: {
          workMs: ({ data }) => {
            if (data.message.text !== sentences.answer) return 0;
            freeAt = Math.max(freeAt, performance.now()) + oneAtATimeMs;
            return freeAt - performance.now();
          },
        },
      };
    },
  },
  {
    name: 'chat-last-turn-read',
    breaks: 'own-ai-chat/accepts-empty-history',
    what: 'The last turn of the history is read, although a first message has none.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(data.history.length === 0)),
  },
  {
    name: 'chat-full-history-overflows',
    breaks: 'own-ai-chat/accepts-30-turns',
    what: 'A fixed buffer holds 29 turns, and the thirtieth throws.',
    mayAlso: [
      anyEvent,
      { id: 'own-ai-chat/accepts-long-replies-in-history', why: 'the longest history has thirty turns as well' },
      { id: 'own-ai-chat/answers-long-and-large-values', why: 'larger histories have thirty turns as well' },
    ],
    build: reading(({ data }) => refuseIf(data.history.length === 30)),
  },
  ...chatEffectMutants,
  {
    name: 'chat-body-of-50-kilobytes',
    breaks: 'own-ai-chat/accepts-long-replies-in-history',
    what: 'The body parser accepts 50,000 bytes, which a full history of long replies exceeds.',
    mayAlso: [{ id: 'own-ai-chat/answers-long-and-large-values', why: 'even larger events are refused as well' }],
    build: () => ({ chat: { read: (_, { body }) => refuseIf(body.length > 50_000, 413) } }),
  },
  {
    name: 'chat-body-of-100-kilobytes',
    breaks: 'own-ai-chat/answers-long-and-large-values',
    what: 'The body parser accepts 100 KB, as many do by default.',
    build: () => ({ chat: { read: (_, { body }) => refuseIf(body.length > 102_400, 413) } }),
  },
  {
    name: 'chat-roles-must-alternate',
    breaks: 'own-ai-chat/accepts-every-role',
    what: 'Two turns of one role in a row are refused, as the model refuses them.',
    mayAlso: [anyEvent, { id: 'own-ai-chat/answers-messages', why: 'a conversation has such turns as well' }],
    build: reading(({ data }) =>
      refuseIf(
        data.history.some(({ role }, at) => role === data.history[at - 1]?.role),
        400,
      ),
    ),
  },
  {
    name: 'chat-team-turn-first',
    breaks: 'own-ai-chat/accepts-every-role',
    what: 'A history that opens with a turn of the team throws.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(data.history[0]?.role === 'team')),
  },
  {
    name: 'chat-skill-outcome-parsed',
    breaks: 'own-ai-chat/accepts-refused-skill-turn',
    what: 'The key in the square brackets of a system turn is looked up, and a key that is not offered throws.',
    build: reading(({ data }) =>
      refuseIf(data.history.some(({ role, text }) => role === 'system' && /\[[\w-]+\].*\([\w-]+\)/s.test(text))),
    ),
  },
  {
    name: 'chat-telegram-missing',
    breaks: 'own-ai-chat/accepts-every-channel',
    what: 'Messages of Telegram are refused.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(data.channel === 'telegram', 422)),
  },
  {
    name: 'chat-channel-enumerated',
    breaks: 'own-ai-chat/accepts-unknown-channel',
    what: 'A channel other than the four known ones is not in the enumeration.',
    build: reading(({ data }) => refuseIf(!['whatsapp', 'webchat', 'telegram', 'chat'].includes(data.channel), 400)),
  },
  {
    name: 'chat-contact-needs-a-name',
    breaks: 'own-ai-chat/accepts-missing-contact-members',
    what: 'The greeting reads the name of a contact that has none.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(data.contact.name === undefined)),
  },
  {
    name: 'chat-pause-refused',
    breaks: 'own-ai-chat/accepts-every-auto-reply-state',
    what: 'An event during a pause is refused.',
    mayAlso: [anyEvent, { id: 'own-ai-chat/answers-messages', why: 'it sends a message during a pause as well' }],
    build: reading(({ data }) => refuseIf(data.autoReply.state === 'paused', 409)),
  },
  {
    name: 'chat-revision-compared',
    breaks: 'own-ai-chat/accepts-unknown-protocol-revision',
    what: 'Only the implemented revision of the protocol is accepted.',
    build: reading(({ protocol }) => refuseIf(protocol !== '2026-10-11', 400)),
  },
  {
    name: 'chat-strict-schema',
    breaks: 'own-ai-chat/accepts-unknown-members',
    what: 'A message event with data outside the documented fields is refused.',
    build: reading(({ data }) => {
      const known = ['projectId', 'channel', 'contact', 'message', 'history', 'replyUrl', 'skills', 'autoReply'];
      return refuseIf(!Object.keys(data).every((key) => known.includes(key)), 400);
    }),
  },
  {
    name: 'chat-roles-enumerated',
    breaks: 'own-ai-chat/accepts-unknown-values',
    what: 'A role other than the four known ones is not in the enumeration.',
    build: reading(({ data }) =>
      refuseIf(!data.history.every(({ role }) => ['customer', 'agent', 'team', 'system'].includes(role)), 400),
    ),
  },
  {
    name: 'chat-skill-kinds-enumerated',
    breaks: 'own-ai-chat/accepts-unknown-values',
    what: 'A skill kind other than the two known ones is not in the enumeration.',
    build: reading(({ data }) => refuseIf(!data.skills.every(({ kind }) => ['forward', 'alert'].includes(kind)), 400)),
  },
  {
    name: 'chat-other-types-refused',
    breaks: 'own-ai-chat/accepts-unknown-event-type',
    what: 'An event of another type is refused.',
    build: () => ({ chat: { otherType: () => ({ status: 400 }) } }),
  },
  {
    name: 'chat-tool-fails-at-first',
    breaks: 'own-ai-chat/accepts-reliably',
    what: 'The tool that reads the name of a customer fails at the first question with this content, and the message gets 500.',
    needsTheRest: 'a check of another requirement asks for the name',
    build: () => {
      const known = new Set<string>();
      return reading(({ data: { contact, message } }) => {
        if (!/my name/i.test(message.text)) return undefined;
        return refuseIf(known.size !== known.add(`${String(contact.name)} ${message.text}`).size);
      })();
    },
  },
  {
    name: 'chat-text-in-a-three-byte-column',
    breaks: 'own-ai-chat/answers-any-valid-event',
    what: 'The database column of messages cannot store characters beyond U+FFFF.',
    build: reading(({ data }) => refuseIf(/[\u{10000}-\u{10ffff}]/u.test(data.message.text))),
  },
];

/** Faults in accepting own-AI chat events. */
export const chatEventMutants: readonly Mutant[] = [
  ...signatureMutants('own-ai-chat', 'chat', ({ transport, ...seams }) => ({
    chat: seams,
    ...(transport && { transport }),
  })),
  ...own,
];
