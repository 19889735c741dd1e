import { request } from 'node:http';
import { postJson } from '../proving/crm.ts';
import { sentences } from '../proving/chat.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

/** Bytes of a large body, and of one piece of it. */
const large = 64 * 1024 * 1024;
const chunk = Buffer.alloc(65_536, 'x');
/** Number of small requests in a flood, and of those in flight at once. */
const many = 20_000;
const atOnce = 20;
/** Milliseconds after which the run has ended. */
const pauseMs = 150_000;

/** Posts a body of this size with this beginning and end, in pieces, with a pause before the end. Never rejects. */
export function postLong(
  url: string,
  bytes: number,
  start: string,
  end: string,
  { headers = {}, pauseMs = 0 }: { headers?: Record<string, string>; pauseMs?: number } = {},
) {
  return new Promise<void>((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.on('error', () => resolve());
    outgoing.on('close', () => resolve());
    outgoing.on('response', (answer) => answer.resume());
    outgoing.write(start);
    let left = bytes;
    const next = () => {
      if (outgoing.destroyed) return;
      if (left <= 0) {
        setTimeout(() => outgoing.end(end), pauseMs).unref();
        return;
      }
      left -= chunk.length;
      outgoing.write(chunk, () => setImmediate(next));
    };
    next();
  });
}

export async function sendMany(sendOne: () => Promise<unknown>): Promise<void> {
  let left = many;
  const sender = async () => {
    while (left-- > 0) await sendOne();
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}

/** Returns true only the first time: one endless sender is enough. */
export function firstOnly(): () => boolean {
  let isFirst = true;
  return () => isFirst && !(isFirst = false);
}

export const hostileArrivals: readonly HostileEndpoint[] = [
  {
    name: 'callback-64-mb',
    what: 'Calls back with an object of 64 MB.',
    surface: 'crm-webhook',
    fails: [],
    blocks: ['crm-webhook/callback-is-a-json-object'],
    build: () => {
      const isFirst = firstOnly();
      return {
        crm: { callback: (call) => (isFirst() ? postLong(call.url, large, '{"note":"', '"}') : postJson(call)) },
      };
    },
  },
  {
    name: 'callback-array-64-mb',
    what: 'Calls back with an array of 64 MB.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/callback-is-a-json-object'],
    build: () => {
      const isFirst = firstOnly();
      return { crm: { callback: (call) => (isFirst() ? postLong(call.url, large, '["', '"]') : postJson(call)) } };
    },
  },
  {
    name: 'callback-unfinished',
    what: 'Begins one callback and ends it only after the run.',
    surface: 'crm-webhook',
    fails: [],
    blocks: [
      'crm-webhook/callback-is-a-json-object',
      'crm-webhook/callback-carries-no-token',
      'crm-webhook/flags-are-boolean',
    ],
    build: () => {
      const isFirst = firstOnly();
      return {
        crm: { callback: (call) => (isFirst() ? postLong(call.url, 0, '["', '"]', { pauseMs }) : postJson(call)) },
      };
    },
  },
  {
    name: 'callback-endless',
    what: 'Calls back with a body that never ends.',
    surface: 'crm-webhook',
    fails: [],
    blocks: ['crm-webhook/calls-back-after-202'],
    build: () => ({ crm: { callback: ({ url }) => postLong(url, Infinity, '{"note":"', '') } }),
  },
  {
    name: 'callback-deep',
    what: 'Calls back with an object nested 100,000 levels deep.',
    surface: 'crm-webhook',
    fails: [],
    blocks: ['crm-webhook/callback-is-a-json-object'],
    build: () => ({
      crm: { callback: ({ url }) => postJson({ url, body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}` }) },
    }),
  },
  {
    name: 'callbacks-without-number',
    what: 'Calls back thousands of times.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/calls-back-once'],
    build: () => {
      const isFirst = firstOnly();
      return { crm: { callback: (call) => (isFirst() ? sendMany(() => postJson(call)) : postJson(call)) } };
    },
  },
  {
    name: 'reply-64-mb',
    what: 'Replies with an object of 64 MB.',
    surface: 'own-ai-chat',
    fails: [],
    blocks: ['own-ai-chat/reply-is-a-json-object'],
    build: () => ({
      chat: {
        later: ({ data: { message } }) => message.text === sentences.async,
        reply: ({ url, apiKey }) => postLong(url, large, '{"text":"', '"}', { headers: { 'x-api-key': apiKey } }),
      },
    }),
  },
  {
    name: 'callback-to-wrong-paths',
    what: 'Sends its callbacks to hundreds of paths that were never given out.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/callback-uses-the-address-given'],
    blocks: ['crm-webhook/calls-back-after-202'],
    build: () => ({
      crm: {
        later: () => true,
        callback: async (call) => {
          for (let count = 0; count < 300; count++)
            await postJson({ ...call, url: `${call.url.slice(0, -3)}${count}` });
        },
      },
    }),
  },
];
