import { createSecureServer } from 'node:http2';
import { connect, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { plainTransport } from '../proving/wire.ts';
import { listening, type ListeningServer } from '../server-fixture.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { localCertificate, testAuthority } from '../tls/test-authority.ts';
import { tlsFront } from '../tls/tls-front.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';
import { markup } from './markup.ts';
import { flood } from './flood.ts';

type Front = NonNullable<HostileEndpoint['front']>;

/** Types of TLS records (RFC 8446, 5.1). */
const alertRecord = 0x15;
const dataRecord = 0x17;
const recordHeaderBytes = 5;

/** A server that answers a ClientHello itself. */
function insteadOfHandshake(answer: (client: Socket) => unknown): () => Promise<ListeningServer> {
  return () => listening(createServer((client) => client.once('data', () => answer(client))));
}

/** A server that has a TLS connection, and answers the first bytes of a request itself. */
function afterHandshake(answer: (client: Socket) => unknown): () => Promise<ListeningServer> {
  const onConnection = (client: Socket) => client.on('error', () => undefined).once('data', () => answer(client));
  return () => listening(createTlsServer(localCertificate, onConnection));
}

/**
 * TLS 1.2 in front of the endpoint, where the records that it sends can be changed: in TLS 1.3, tickets look like data.
 *
 * @param change returns the bytes to send in place of a record
 */
function changingRecords(change: (record: Buffer) => Buffer): Front {
  return async (port) => {
    const front = await tlsFront(port, { ...localCertificate, maxVersion: 'TLSv1.2' });
    const outer = createServer({ allowHalfOpen: true }, (client) => {
      const inner = connect({ host: '127.0.0.1', port: front.port });
      let pending = Buffer.alloc(0);
      inner.on('data', (data) => {
        pending = Buffer.concat([pending, data]);
        while (pending.length >= recordHeaderBytes) {
          const end = recordHeaderBytes + pending.readUInt16BE(3);
          if (pending.length < end) return;
          client.write(change(Buffer.from(pending.subarray(0, end))));
          pending = pending.subarray(end);
        }
      });
      inner.on('end', () => client.end()).on('error', () => client.destroy());
      client.on('close', () => inner.destroy());
      client.pipe(inner);
    });
    const server = await listening(outer);
    return {
      ...server,
      async [Symbol.asyncDispose]() {
        await server[Symbol.asyncDispose]();
        await front[Symbol.asyncDispose]();
      },
    };
  };
}

function withCertificate(certificate: { cert: string; key: string }): Front {
  return (port) => tlsFront(port, certificate);
}

/** A frame of HTTP/2 (RFC 9113, 4.1). */
const frame = (type: number, bytes: Buffer, stream = 0) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(bytes.length, 0, 3);
  head[3] = type;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, bytes]);
};
const settings = frame(4, Buffer.alloc(0));
const ping = frame(6, Buffer.alloc(8));
const goAway = frame(7, Buffer.alloc(8));
/** Headers that a CONTINUATION frame of stream 1 continues without end. */
const headers = frame(1, Buffer.of(0x88), 1);
const continuation = frame(9, Buffer.alloc(16_384), 1);

/** Breaks TLS in the handshake, with a word of the reason that the report must give. */
const handshakes: readonly (readonly [string, string, Front, RegExp])[] = [
  [
    'silent',
    'Accepts the connection and never answers the ClientHello.',
    insteadOfHandshake(() => undefined),
    /timeout/i,
  ],
  [
    'alert',
    'Ends the handshake with an alert.',
    insteadOfHandshake((client) => client.end(Buffer.from('15030300020228', 'hex'))),
    /handshake failure/,
  ],
  [
    'garbage',
    'Answers the ClientHello with bytes that are not TLS.',
    insteadOfHandshake((client) => client.end(Buffer.alloc(1_000, 0xa5))),
    /TLS: wrong version/,
  ],
  [
    'plain-http',
    'Answers the ClientHello with plain HTTP.',
    insteadOfHandshake((client) => client.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n')),
    /TLS: wrong version/,
  ],
  [
    'alert-flood',
    'Answers the ClientHello with warnings without end.',
    insteadOfHandshake((client) => flood(client, Buffer.from('1503030002015a'.repeat(1_000), 'hex'))),
    /TLS: too many/,
  ],
  [
    'huge-server-hello',
    'Answers with a ServerHello that announces 16 MB and never ends.',
    insteadOfHandshake((client) => {
      client.write(Buffer.from('160303400002ffffff', 'hex'));
      flood(client, Buffer.alloc(16_384));
    }),
    /TLS: excessive/,
  ],
  [
    'markup-in-certificate',
    'Presents a certificate whose names are markup.',
    withCertificate(makeCertificate({ name: markup, organisation: markup, hosts: [markup] })),
    /self-signed certificate/,
  ],
  [
    'many-names',
    'Presents a certificate for 3,000 other hosts.',
    withCertificate(
      makeCertificate({
        name: 'a',
        hosts: Array.from({ length: 3_000 }, (_, at) => `host-${at}.example`),
        issuer: testAuthority,
      }),
    ),
    /certificate/,
  ],
  [
    'http2-only',
    'Speaks HTTP/2 only.',
    () => listening(createSecureServer(localCertificate, (_, response) => response.end())),
    /no application protocol/,
  ],
];

const repeated = (bytes: Buffer) => Buffer.concat(Array.from({ length: 1_000 }, () => bytes));

/** Speaks HTTP/2 in an HTTP/1.1 connection: the themes of h2spec. */
const http2: readonly (readonly [string, string, (client: Socket) => unknown])[] = [
  ['settings', 'Answers with SETTINGS frames of HTTP/2 without end.', (client) => flood(client, repeated(settings))],
  ['pings', 'Answers with PING frames of HTTP/2 without end.', (client) => flood(client, repeated(ping))],
  [
    'continuations',
    'Answers with CONTINUATION frames of HTTP/2 without end.',
    (client) => {
      client.write(Buffer.concat([settings, headers]));
      flood(client, continuation);
    },
  ],
  ['go-away', 'Answers with GOAWAY of HTTP/2.', (client) => client.end(Buffer.concat([settings, goAway]))],
];

const surface = 'crm-webhook';

export const hostileTls: readonly HostileEndpoint[] = [
  ...handshakes.map(([name, what, front, reason]): HostileEndpoint => ({
    name: `tls-${name}`,
    what,
    surface,
    fails: [],
    blocks: ['crm-webhook/accepts-the-token', 'crm-webhook/refuses-wrong-token'],
    reason,
    isNarrow: true,
    build: () => ({}),
    front,
  })),
  ...http2.map(([name, what, answer]): HostileEndpoint => ({
    name: `tls-http2-${name}`,
    what,
    surface,
    fails: ['crm-webhook/accepts-the-token'],
    reason: /not HTTP/,
    isNarrow: true,
    build: () => ({}),
    front: afterHandshake(answer),
  })),
  {
    name: 'tls-broken-records',
    what: 'Sends records that cannot be decrypted.',
    surface,
    fails: ['crm-webhook/accepts-the-token'],
    reason: /connection closed before the answer was complete/,
    isNarrow: true,
    build: () => ({}),
    front: changingRecords((record) => {
      if (record[0] === dataRecord) record[record.length - 1] = (record.at(-1) ?? 0) ^ 1;
      return record;
    }),
  },
  {
    name: 'tls-cut-off',
    what: 'Ends the connection within an answer, without the notice that TLS requires.',
    surface,
    fails: ['crm-webhook/answer-is-a-json-object'],
    reason: /not JSON/,
    isNarrow: true,
    build: () => ({
      crm: { later: () => false },
      transport: {
        write(response, answer) {
          if (answer.status !== 200) return plainTransport.write(response, answer);
          response.socket?.end(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{"requestContactUpdate":fal',
          );
        },
      },
    }),
    front: changingRecords((record) => (record[0] === alertRecord ? Buffer.alloc(0) : record)),
  },
];
