import type { ServerResponse } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { TransportSeams } from '../proving/wire.ts';
import { plainTransport } from '../proving/wire.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

/** Size of large bodies in bytes: far beyond every bound of the tool. */
const large = 64 * 1024 * 1024;
/** Bytes of one write of an endless body. */
const chunk = Buffer.alloc(65_536, ' ');
/** Milliseconds between two bytes of a trickling body: it is never silent for long. */
const trickleMs = 200;

const jsonType = { 'content-type': 'application/json' };

type Write = (response: ServerResponse) => void;

/** Writes this instead of every 200. Everything else stays correct. */
const insteadOf200 =
  (write: Write): TransportSeams['write'] =>
  (response, answer) => {
    if (answer.status === 200) write(response);
    else void plainTransport.write(response, answer);
  };

/** Continues to write until the connection ends. */
function forever(response: ServerResponse, more: () => Buffer | string, everyMs = 0): void {
  const next = () => {
    if (response.destroyed || response.socket?.destroyed === true) return;
    response.write(more(), () => (everyMs === 0 ? setImmediate(next) : setTimeout(next, everyMs).unref()));
  };
  next();
}

const body =
  (bytes: string | Buffer, headers: Record<string, string> = {}): Write =>
  (response) => {
    response.writeHead(200, { ...jsonType, ...headers, 'content-length': Buffer.byteLength(bytes) });
    response.end(bytes);
  };

/** `{"text":"…"}` with this many bytes, in pieces, so that this process never keeps all of it. */
const wide =
  (bytes: number): Write =>
  (response) => {
    response.writeHead(200, jsonType);
    response.write('{"requestContactUpdate":false,"text":"');
    let left = bytes;
    const next = () => {
      if (response.destroyed) return;
      if (left <= 0) {
        response.end('"}');
        return;
      }
      left -= chunk.length;
      response.write(chunk, () => setImmediate(next));
    };
    next();
  };

const start =
  (more: () => Buffer | string, everyMs?: number): Write =>
  (response) => {
    response.writeHead(200, jsonType);
    response.write('{"text":"');
    forever(response, more, everyMs);
  };

const endlessHeaders: Write = (response) => {
  const { socket } = response;
  let count = 0;
  socket?.write('HTTP/1.1 200 OK\r\n');
  const next = () => {
    if (!socket || socket.destroyed) return;
    socket.write(`X-Header-${count++}: ${'x'.repeat(200)}\r\n`, () => setImmediate(next));
  };
  next();
};

/** A trickling chunked body whose first chunk announces more than it contains. */
const endlessChunk: Write = (response) => {
  const { socket } = response;
  if (!socket) return;
  socket.write(
    'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n7fffffff\r\n{"a":"',
  );
  const next = () => {
    if (!socket.destroyed) socket.write('x', () => setTimeout(next, trickleMs).unref());
  };
  next();
};

const zeros = Buffer.alloc(large, ' ');
const bomb = gzipSync(Buffer.concat([Buffer.from('{'), zeros]));
const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const nestedObject = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

const shapes: [string, string, Write, 'late' | 'shape' | 'unread'][] = [
  ['trickling', 'a body that trickles without end', start(() => 'x', trickleMs), 'late'],
  ['endless', 'a body that comes fast and never ends', start(() => chunk), 'late'],
  ['endless-headers', 'headers that never end', endlessHeaders, 'late'],
  ['endless-chunk', 'a chunk that never ends', endlessChunk, 'late'],
  ['array-300-kb', 'an array of 300 KB', body(JSON.stringify(Array.from({ length: 60_000 }, () => 'ab'))), 'shape'],
  ['string', 'a JSON string', body('"ok"'), 'shape'],
  ['number', 'a JSON number', body('42'), 'shape'],
  ['null', 'null', body('null'), 'shape'],
  ['empty-objects', '80,000 empty objects', body(`[${Array.from({ length: 80_000 }, () => '{}').join(',')}]`), 'shape'],
  ['array-30000-levels', 'arrays in arrays, 30,000 levels', body(nested(30_000)), 'shape'],
  ['array-100000-levels', 'arrays in arrays, 100,000 levels', body(nested(100_000)), 'shape'],
  ['object-30000-levels', 'objects in objects, 30,000 levels', body(nestedObject(10_000)), 'unread'],
  ['wide-64-mb', 'an object of 64 MB', wide(large), 'unread'],
  ['wide-8-mb', 'an object of 8 MB', wide(large / 8), 'unread'],
  ['gzip-bomb', 'a gzip bomb', body(bomb, { 'content-encoding': 'gzip' }), 'unread'],
  [
    'nested-bomb',
    'a gzip bomb within a gzip bomb',
    body(gzipSync(bomb), { 'content-encoding': 'gzip, gzip' }),
    'unread',
  ],
  ['deflate-bomb', 'a deflate bomb', body(deflateSync(zeros), { 'content-encoding': 'deflate' }), 'unread'],
  ['brotli-bomb', 'a Brotli bomb', body(brotliCompressSync(zeros), { 'content-encoding': 'br' }), 'unread'],
];

const crmFails = {
  late: 'crm-webhook/lookup-within-two-seconds',
  shape: 'crm-webhook/answer-is-a-json-object',
} as const;
const chatFails = {
  late: 'own-ai-chat/answers-in-time',
  shape: 'own-ai-chat/answer-is-a-json-object',
  unread: 'own-ai-chat/answer-within-64-kb',
} as const;

export const hostileAnswers: readonly HostileEndpoint[] = shapes.flatMap(
  ([name, what, write, kind]): HostileEndpoint[] => [
    {
      name: `crm-${name}`,
      what: `Answers 200 with ${what}.`,
      surface: 'crm-webhook',
      fails: kind === 'unread' ? [] : [crmFails[kind]],
      blocks: ['crm-webhook/answer-is-a-json-object'],
      build: () => ({ transport: { write: insteadOf200(write) }, crm: { later: () => false } }),
    },
    {
      name: `chat-${name}`,
      what: `Answers 200 with ${what}.`,
      surface: 'own-ai-chat',
      fails: [chatFails[kind]],
      build: () => ({ transport: { write: insteadOf200(write) } }),
    },
  ],
);
