import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { postReply, sentences, type ChatReply } from '../proving/chat.ts';
import { postJson, type CrmCallback } from '../proving/crm.ts';
import type { Seams } from '../proving/endpoint.ts';
import { send } from '../proving/outgoing.ts';
import { firstOnly, postLong, sendMany } from './arrivals.ts';
import { flood } from './flood.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';
import { markup } from './markup.ts';

/** Connections that send nothing: more than a service accepts at once. */
const idleConnections = 1_200;
/** Bytes that a compressed body contains. */
const unpackedBytes = 64 * 1024 * 1024;

/** Opens a connection to the host of an address and writes to it; resolves when it has ended. */
function rawly(url: string, write: (socket: ReturnType<typeof connect>, path: string) => unknown): Promise<void> {
  const { hostname, port, pathname, search } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined).resume();
  socket.once('connect', () => void write(socket, pathname + search));
  return new Promise((resolve) => socket.once('close', () => resolve()));
}

/** Replies later, and so: the answer to a message asks for it. */
const replying = (reply: (reply: ChatReply) => Promise<unknown>): Seams => ({
  chat: {
    later: ({ data: { message } }) => message.text === sentences.async,
    reply: async (call) => void (await reply(call)),
  },
});

/** Calls back after every event, the first time like this. */
const callingBack = (first: (call: CrmCallback) => Promise<unknown>): Seams => {
  const isFirst = firstOnly();
  return {
    crm: { callback: async (call) => void (await (isFirst() ? first(call) : postJson(call))) },
  };
};

const withKey = ({ apiKey }: ChatReply) => ({ 'content-type': 'application/json', 'x-api-key': apiKey });

const requests: readonly HostileEndpoint[] = [
  {
    name: 'callback-gzip-bomb',
    what: 'Calls back with a gzip bomb.',
    surface: 'crm-webhook',
    fails: [],
    blocks: ['crm-webhook/callback-is-a-json-object'],
    isNarrow: true,
    build: () => {
      const bomb = gzipSync(Buffer.alloc(unpackedBytes, ' '));
      return callingBack(({ url }) =>
        rawly(url, (socket, path) =>
          socket.end(
            Buffer.concat([
              Buffer.from(
                `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`,
              ),
              bomb,
            ]),
          ),
        ),
      );
    },
  },

  {
    name: 'replies-without-number',
    what: 'Replies thousands of times to one message.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/same-text-sent-once', 'own-ai-chat/drops-the-reply-after-409'],
    build: () => replying((call) => sendMany(() => postReply(call.url, call.thought, withKey(call)))),
  },
  {
    name: 'reply-endless',
    what: 'Replies with a body that never ends.',
    surface: 'own-ai-chat',
    fails: [],
    blocks: ['own-ai-chat/reply-is-a-json-object'],
    isNarrow: true,
    build: () => replying((call) => postLong(call.url, Infinity, '{"text":"', '', { headers: withKey(call) })),
  },
  {
    name: 'reply-deep',
    what: 'Replies with an object nested 100,000 levels deep.',
    surface: 'own-ai-chat',
    fails: [],
    blocks: ['own-ai-chat/reply-is-a-json-object'],
    isNarrow: true,
    build: () =>
      replying((call) =>
        send({
          url: call.url,
          method: 'POST',
          headers: withKey(call),
          body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
        }),
      ),
  },
  {
    name: 'replies-to-wrong-paths',
    what: 'Sends its replies to hundreds of addresses that were never given out, with markup in them.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/reply-uses-the-address-given'],
    isNarrow: true,
    build: () =>
      replying(async (call) => {
        for (let count = 0; count < 300; count++) {
          const url = `${call.url}/${count}?${encodeURIComponent(markup)}`;
          await postReply(url, { [markup]: markup }, { ...withKey(call), 'x-note': '<b>' });
        }
      }),
  },
];

/** Requests to a callback address that break HTTP, or exhaust its server. The later ones are correct. */
const connections: readonly HostileEndpoint[] = [
  {
    name: 'callback-not-http',
    what: 'Sends bytes that are not HTTP to the callback address.',
    build: () => callingBack(({ url }) => rawly(url, (socket) => socket.end('\u0000\u0001 no HTTP\r\n\r\n'))),
  },
  {
    name: 'callback-endless-headers',
    what: 'Calls back with headers that never end.',
    build: () =>
      callingBack(({ url }) =>
        rawly(url, (socket, path) => {
          socket.write(`POST ${path} HTTP/1.1\r\n`);
          flood(socket, `X-A: ${'a'.repeat(1_000)}\r\n`);
        }),
      ),
  },
  {
    name: 'callback-half-closed',
    what: 'Ends its side of the connection within a callback.',
    build: () =>
      callingBack(({ url }) =>
        rawly(url, (socket, path) =>
          socket.end(
            `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{`,
          ),
        ),
      ),
  },
  {
    name: 'callback-two-lengths',
    what: 'Calls back with a length and with chunks.',
    build: () =>
      callingBack(({ url }) =>
        rawly(url, (socket, path) =>
          socket.end(
            `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
          ),
        ),
      ),
  },
  {
    name: 'callback-idle-connections',
    what: 'Keeps more than a thousand connections to the callback address open, and sends nothing.',
    build: () =>
      callingBack((call) => {
        for (let count = 0; count < idleConnections; count++) void rawly(call.url, () => undefined);
        return Promise.resolve();
      }),
  },
].map((one) => ({
  ...one,
  surface: 'crm-webhook',
  fails: [],
  blocks: ['crm-webhook/calls-back-after-202'],
  isNarrow: true,
}));

export const hostileReturnPath: readonly HostileEndpoint[] = [...requests, ...connections];
