import type { ServerResponse } from 'node:http';
import { sentences, type ChatEvent } from '../proving/chat.ts';
import { pause, plainTransport } from '../proving/wire.ts';
import { lock } from './lock.ts';
import type { Mutant } from './mutant.ts';

/** Milliseconds beyond the waiting time of the proof, 2 s, but within the timeout of a run. */
const tooLongMs = 2_700;

/** Milliseconds after which a lock that was not released expires. */
const lockExpiresMs = 3_500;

/** Milliseconds for which one message locks the database. */
const lockedMs = 60;

/** Answers too late if this returns true. */
function lateIf(isLate: (event: ChatEvent) => boolean): Mutant['build'] {
  return () => ({ chat: { workMs: (event) => (isLate(event) ? tooLongMs : 0) } });
}

const inTime = 'own-ai-chat/answers-in-time';
const atOnce = {
  id: 'own-ai-chat/answers-in-time-in-parallel',
  why: 'the same messages are late among others as well',
} as const;

/** An own AI that is late only for some messages. */
export const chatTimeMutants: readonly Mutant[] = [
  {
    name: 'message-waits-for-an-announced-reply',
    breaks: inTime,
    what: 'The lock of a conversation is not released after a 202, and the next message waits until it expires.',
    build: () => {
      const lockedUntil = new Map<number, number>();
      return {
        chat: {
          workMs: ({ data }) => Math.max(0, (lockedUntil.get(data.projectId) ?? 0) - performance.now()),
          later: ({ data: { message, projectId } }) => {
            if (message.text !== sentences.async) return false;
            lockedUntil.set(projectId, performance.now() + lockExpiresMs);
            return true;
          },
        },
      };
    },
  },
  {
    name: 'chat-fails-alongside-another',
    breaks: 'own-ai-chat/accepts-messages-at-once',
    what: 'While a message is being processed, the database is locked, and another one is answered 500.',
    stopsTheRest: 'Any two messages at about the same time fail.',
    build: () => {
      const isLocked = lock(lockedMs);
      return { chat: { read: () => (isLocked() ? { status: 500 } : undefined), workMs: () => lockedMs } };
    },
  },
  {
    name: 'chat-thread-is-busy',
    breaks: 'own-ai-chat/accepts-messages-at-once',
    what: 'While the AI works on a message, the thread of its conversation is locked, and a second message is answered 500.',
    build: () => {
      const threads = new Map<number, () => boolean>();
      return {
        chat: {
          read: ({ data: { projectId } }) => {
            const isLocked = threads.get(projectId) ?? lock(lockedMs);
            threads.set(projectId, isLocked);
            return isLocked() ? { status: 500 } : undefined;
          },
          workMs: () => lockedMs,
        },
      };
    },
  },
  {
    name: 'chat-late-with-long-history',
    breaks: inTime,
    what: 'The AI reads the whole history first, so a message after many turns is answered too late.',
    build: lateIf(({ data }) => data.history.length >= 20),
  },
  {
    name: 'chat-late-with-long-replies',
    breaks: inTime,
    what: 'The AI summarises its earlier replies, and long ones take too long.',
    build: lateIf(({ data }) => data.history.some(({ text }) => text.length > 2_000)),
  },
  {
    name: 'chat-late-on-telegram',
    breaks: inTime,
    what: 'On Telegram the AI looks up a profile first and is too late.',
    build: lateIf(({ data }) => data.channel === 'telegram'),
  },
  {
    name: 'chat-late-for-unknown-contacts',
    breaks: inTime,
    what: 'A contact of which only the id is known is searched for too long.',
    build: lateIf(({ data }) => Object.keys(data.contact).length === 1),
  },
  {
    name: 'chat-late-while-team-has-it',
    breaks: inTime,
    what: 'While the team has the conversation, the AI first waits for an answer of the team, and is too late.',
    build: lateIf(({ data }) => data.autoReply.state === 'off'),
  },
  {
    name: 'chat-late-at-handover',
    breaks: inTime,
    what: 'A handover is prepared with a summary, which takes too long.',
    build: lateIf(({ data }) => data.message.text === sentences.handover),
  },
  {
    name: 'chat-late-for-emoji',
    breaks: inTime,
    what: 'Text with characters beyond U+FFFF is transcribed first, which takes too long.',
    build: lateIf(({ data }) => /[\u{10000}-\u{10ffff}]/u.test(data.message.text)),
  },
  {
    name: 'chat-late-in-long-conversations',
    breaks: inTime,
    what: 'From the fourth message of one conversation on, the AI is too late.',
    build: () => {
      const messages = new Map<number, number>();
      return {
        chat: {
          workMs: ({ data: { projectId } }) => {
            const count = (messages.get(projectId) ?? 0) + 1;
            messages.set(projectId, count);
            return count > 3 ? tooLongMs : 0;
          },
        },
      };
    },
  },
  {
    name: 'chat-late-on-used-connections',
    breaks: inTime,
    what: 'The second request of a connection is read only after a timeout.',
    mayAlso: [
      { id: 'own-ai-chat/stays-well-while-a-reply-is-slow', why: 'its message comes on a used connection as well' },
    ],
    build: () => {
      const used = new WeakSet<object>();
      return {
        transport: {
          write: async (response: ServerResponse, answer) => {
            const { socket } = response;
            if (socket && used.has(socket)) await pause(tooLongMs);
            if (socket) used.add(socket);
            await plainTransport.write(response, answer);
          },
        },
      };
    },
  },
  {
    name: 'chat-late-beside-long-histories',
    breaks: atOnce.id,
    what: 'While a message with a long history is handled, others wait for it.',
    build: () => {
      let busyUntil = 0;
      return {
        chat: {
          workMs: ({ data }) => {
            const now = performance.now();
            if (data.history.length < 30) return Math.max(0, busyUntil - now);
            busyUntil = Math.max(busyUntil, now) + 1_500;
            return 1_500;
          },
        },
      };
    },
  },
];
