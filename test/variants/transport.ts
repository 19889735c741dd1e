import { gzipSync } from 'node:zlib';
import { knownCaller } from '../proving/crm.ts';
import { plainTransport, pause, type TransportSeams } from '../proving/wire.ts';
import type { Variant } from './variant.ts';

const everywhere = ['crm-webhook', 'api-webhooks', 'own-ai-chat'] as const;

/** Milliseconds that a lookup or an answer takes when it is slow but in time. */
const slowButInTimeMs = 800;

function writing(write: TransportSeams['write']): Variant['build'] {
  return () => ({ transport: { write } });
}

/** JSON with every character beyond ASCII and every slash escaped, over several lines. */
function asciiPretty(body: string | Buffer): string {
  const text = JSON.stringify(JSON.parse(body.toString()), null, 4);
  return text
    .replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .replaceAll('/', '\\/');
}

/** Correct ways to speak HTTP that are not the usual ones. */
export const transportVariants: readonly Variant[] = [
  {
    name: 'one-byte-chunks',
    what: 'Sends its answers chunked, a byte at a time.',
    surfaces: everywhere,
    build: writing((response, { status, headers, body = '' }) => {
      response.writeHead(status, headers);
      for (const byte of Buffer.from(body)) response.write(Buffer.of(byte));
      response.end();
    }),
  },
  {
    name: 'as-plain-text',
    what: 'Sends its JSON as text/plain.',
    surfaces: everywhere,
    build: writing((response, answer) =>
      plainTransport.write(response, { ...answer, headers: { 'Content-Type': 'text/plain' } }),
    ),
  },
  {
    name: 'without-content-type',
    what: 'Sends no content type, and writes header names in capitals.',
    surfaces: everywhere,
    build: writing((response, { status, body = '' }) => {
      response.writeHead(
        status,
        status === 204 ? { SERVER: 'CRM' } : { 'CONTENT-LENGTH': Buffer.byteLength(body), SERVER: 'CRM' },
      );
      response.end(body);
    }),
  },
  {
    name: 'connection-closed-each-time',
    what: 'Closes the connection after each answer.',
    surfaces: everywhere,
    build: writing((response, answer) =>
      plainTransport.write(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } }),
    ),
  },
  {
    name: 'http-1-0',
    what: 'Answers in HTTP/1.0 without a length: the end of the connection is the end of the body.',
    surfaces: everywhere,
    build: writing((response, { status, body = '' }) => {
      response.socket?.end(
        Buffer.concat([Buffer.from(`HTTP/1.0 ${status} Fine\r\nServer: old\r\n\r\n`), Buffer.from(body)]),
      );
    }),
  },
  {
    name: 'continue-first',
    what: 'Sends 100 before the answer, although it was not asked to.',
    surfaces: everywhere,
    build: writing(async (response, answer) => {
      response.writeContinue();
      await plainTransport.write(response, answer);
    }),
  },
  {
    name: 'early-hints-first',
    what: 'Sends 103 before the answer.',
    surfaces: everywhere,
    build: writing(async (response, answer) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      await plainTransport.write(response, answer);
    }),
  },
  {
    name: 'compressed',
    what: 'Compresses its answers, although the request does not ask for it, as some proxies do.',
    surfaces: everywhere,
    build: writing((response, answer) => {
      const { body = '' } = answer;
      if (body.length === 0) return plainTransport.write(response, answer);
      return plainTransport.write(response, {
        ...answer,
        headers: { ...answer.headers, 'content-encoding': 'gzip' },
        body: gzipSync(body),
      });
    }),
  },
  {
    name: 'pretty-and-escaped',
    what: 'Writes JSON over several lines, with escapes for everything beyond ASCII.',
    surfaces: ['crm-webhook', 'own-ai-chat'],
    build: writing((response, answer) =>
      plainTransport.write(response, answer.body ? { ...answer, body: `\n${asciiPretty(answer.body)}\n` } : answer),
    ),
  },
  {
    name: 'refusal-as-html',
    what: 'Refuses with 401, a challenge and a page of HTML.',
    surfaces: everywhere,
    build: () => {
      const refusal = () => ({
        status: 401,
        headers: { 'www-authenticate': 'Bearer', 'content-type': 'text/html' },
        body: '<!doctype html><h1>Who are you?</h1>',
      });
      return { crm: { refusal }, hooks: { refusal }, chat: { refusal } };
    },
  },
  {
    name: 'refusal-chunked-and-closing',
    what: 'Refuses with 401, an empty chunked body and the end of the connection.',
    surfaces: everywhere,
    build: writing((response, answer) => {
      if (answer.status !== 401) return plainTransport.write(response, answer);
      response.writeHead(401, { connection: 'close', 'transfer-encoding': 'chunked' });
      response.end();
      return undefined;
    }),
  },
  {
    name: 'refusal-before-the-body',
    what: 'Refuses a request without credentials before it reads the body, and closes the connection.',
    surfaces: everywhere,
    build: () => ({
      transport: {
        beforeBody: ({ url, headers }) => {
          const credential = url?.startsWith('/crm') === true ? headers.authorization : headers['x-svc-signature'];
          return credential === undefined ? { status: 401, headers: { 'content-length': '0' } } : undefined;
        },
      },
    }),
  },
  {
    name: 'slow-but-in-time',
    what: `Takes ${slowButInTimeMs} ms for every lookup of a known caller and every fourth chat answer, concurrently.`,
    surfaces: ['crm-webhook', 'own-ai-chat'],
    build: () => {
      let messages = 0;
      return {
        crm: {
          workMs: (name, { contactData }) =>
            contactData?.phoneNumber === knownCaller && (name === 'IncomingCallLookup' || name === 'NewConversation')
              ? slowButInTimeMs
              : 0,
        },
        chat: { workMs: () => (messages++ % 4 === 0 ? slowButInTimeMs : 0) },
      };
    },
  },
  {
    name: 'one-request-at-a-time',
    what: 'Handles one request at a time, each quickly.',
    surfaces: everywhere,
    build: () => {
      let before: Promise<unknown> = Promise.resolve();
      return {
        transport: {
          admit: (_, work) => {
            const turn = before.then(() => pause(3)).then(work);
            before = turn.catch(() => undefined);
            return turn;
          },
        },
      };
    },
  },
  {
    name: 'a-port-for-each-surface',
    what: 'Serves each surface from a separate port.',
    surfaces: everywhere,
    build: () => ({ separatePorts: true }),
  },
];
