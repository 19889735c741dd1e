import type { ServerResponse } from 'node:http';
import { plainTransport, type TransportSeams } from '../proving/wire.ts';
import { flood } from './flood.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

const whole = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const none = 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n';

/** Writes these bytes instead of each 200; everything else stays correct. */
function raw(write: (socket: NonNullable<ServerResponse['socket']>) => void): Pick<TransportSeams, 'write'> {
  return {
    write(response, answer) {
      if (answer.status === 200 && response.socket) write(response.socket);
      else void plainTransport.write(response, answer);
    },
  };
}

const crm = (
  name: string,
  what: string,
  write: Parameters<typeof raw>[0],
  rest: Pick<HostileEndpoint, 'fails' | 'blocks' | 'passes' | 'reason' | 'isNarrow'>,
): HostileEndpoint => ({
  name: `crm-${name}`,
  what,
  surface: 'crm-webhook',
  ...rest,
  build: () => ({ transport: raw(write), crm: { later: () => false } }),
});

/** Answers of another protocol than HTTP/1.1, or that break its rules. */
export const hostileProtocols: readonly HostileEndpoint[] = [
  crm(
    'interim-flood',
    'Answers with 103 without end.',
    (socket) => flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'),
    {
      fails: ['crm-webhook/lookup-within-two-seconds'],
    },
  ),
  crm('two-answers', 'Answers each request twice.', (socket) => socket.write(whole + whole), {
    fails: ['crm-webhook/answers-lookups-with-the-contact'],
  }),
  crm('half-closed', 'Ends its side of the connection without an answer.', (socket) => socket.end(), {
    fails: ['crm-webhook/accepts-the-token'],
  }),
  crm(
    'reset-in-the-body',
    'Resets the connection within the answer.',
    (socket) => {
      socket.write(whole.slice(0, -1), () => socket.resetAndDestroy());
    },
    { fails: ['crm-webhook/accepts-the-token'] },
  ),
  crm(
    'short-body',
    'Announces more bytes than it sends.',
    (socket) => socket.end(whole.replace('Length: 2', 'Length: 99')),
    { fails: ['crm-webhook/accepts-the-token'] },
  ),
  crm('no-http', 'Answers with bytes that are not HTTP.', (socket) => socket.end('\u0000\u0001 no HTTP\r\n\r\n'), {
    fails: ['crm-webhook/accepts-the-token'],
  }),
  crm(
    'two-lengths',
    'Announces two lengths.',
    (socket) => socket.end(whole.replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\n')),
    { fails: ['crm-webhook/accepts-the-token'] },
  ),
  crm(
    'redirect-to-itself',
    'Redirects each request to itself.',
    (socket) => {
      socket.write('HTTP/1.1 307 Temporary Redirect\r\nLocation: /crm\r\nContent-Length: 0\r\n\r\n');
    },
    { fails: ['crm-webhook/accepts-the-token'] },
  ),
  crm(
    'continue',
    'Sends an unsolicited 100 Continue before each answer.',
    (socket) => socket.end(`HTTP/1.1 100 Continue\r\n\r\n${none}`),
    {
      fails: [],
      passes: ['crm-webhook/accepts-the-token', 'crm-webhook/lookup-within-two-seconds'],
      isNarrow: true,
    },
  ),
  crm(
    'continue-flood',
    'Answers with 100 Continue without end.',
    (socket) => flood(socket, 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(100)),
    {
      fails: ['crm-webhook/lookup-within-two-seconds'],
      isNarrow: true,
    },
  ),
  crm(
    'switching-protocols',
    'Answers with 101 and frames of HTTP/2.',
    (socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n');
      socket.write(Buffer.from('000000040000000000', 'hex'));
    },
    { fails: ['crm-webhook/accepts-the-token'], isNarrow: true },
  ),
  crm(
    'half-closed-in-the-body',
    'Ends its side of the connection within a chunk.',
    (socket) =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}'),
    {
      fails: ['crm-webhook/accepts-the-token'],
      isNarrow: true,
    },
  ),
  crm(
    'chunk-size',
    'Announces a chunk of more bytes than any number counts.',
    (socket) =>
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}',
      ),
    {
      fails: ['crm-webhook/accepts-the-token'],
      isNarrow: true,
    },
  ),
  crm(
    'length-and-chunks',
    'Sends a length and chunks, which disagree.',
    (socket) =>
      socket.end(
        'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n1\r\n}\r\n0\r\n\r\n',
      ),
    {
      fails: ['crm-webhook/accepts-the-token'],
      isNarrow: true,
    },
  ),
];
