import type { ServerResponse } from 'node:http';
import { setUp } from '../proving/endpoint.ts';
import { postJson } from '../proving/crm.ts';
import type { PhoneCall } from '../proving/phone-call.ts';
import { plainTransport, type TransportSeams } from '../proving/wire.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';

const whole = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
const markup = `<img src=x onerror="document.title='ran'">]]>--></script><script>document.title='ran'</script>\u001b]0;ran\u0007`;

/** Writes these bytes instead of each 200; everything else stays correct. */
function raw(write: (socket: NonNullable<ServerResponse['socket']>) => void): Pick<TransportSeams, 'write'> {
  return {
    write(response, answer) {
      if (answer.status === 200 && response.socket) write(response.socket);
      else void plainTransport.write(response, answer);
    },
  };
}

/** Sends interim answers until the connection ends. */
function floodWithInterim(socket: NonNullable<ServerResponse['socket']>): void {
  if (!socket.destroyed)
    socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', () => setImmediate(floodWithInterim, socket));
}

const crm = (
  name: string,
  what: string,
  write: Parameters<typeof raw>[0],
  rest: Pick<HostileEndpoint, 'fails' | 'blocks'>,
): HostileEndpoint => ({
  name: `crm-${name}`,
  what,
  surface: 'crm-webhook',
  ...rest,
  build: () => ({ transport: raw(write), crm: { later: () => false } }),
});

/** Answers of another protocol than HTTP/1.1, or that break its rules. */
const answers: readonly HostileEndpoint[] = [
  crm('interim-flood', 'Answers with 103 without end.', floodWithInterim, {
    fails: ['crm-webhook/lookup-within-two-seconds'],
  }),
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
];

const everyForm = (secret: string) => {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    secret.replaceAll(/./g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    `${secret.slice(0, 9)} ${secret.slice(9)}`,
  ];
};

/** Values that a report shows: secrets in every form, markup, and names that objects of JavaScript have. */
const values: readonly HostileEndpoint[] = [
  {
    name: 'crm-secret-echoed',
    what: 'Sends the token back in every encoding and in parts, in place of ids.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: { compose: () => ({ requestContactUpdate: true, contactData: { crmContactId: everyForm(setUp.token) } }) },
    }),
  },
  {
    name: 'chat-secret-echoed',
    what: 'Sends the secret and the API key back in every encoding, as an unknown action.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/action-is-known'],
    build: () => ({
      chat: {
        now: () => ({
          status: 200,
          body: JSON.stringify({
            text: 'a',
            action: [...everyForm(setUp.agentSecret), ...everyForm(setUp.apiKey)].join(' '),
          }),
        }),
      },
    }),
  },
  {
    name: 'crm-markup',
    what: 'Sends markup and control characters where ids are expected, and as names of fields.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: {
        compose: () => ({
          requestContactUpdate: true,
          [markup]: markup,
          contactData: { crmContactId: [markup], [markup]: 1 },
        }),
      },
    }),
  },
  {
    name: 'chat-markup',
    what: 'Sends markup and control characters as an action and as a reason.',
    surface: 'own-ai-chat',
    fails: ['own-ai-chat/action-is-known'],
    build: () => ({
      chat: { now: () => ({ status: 200, body: JSON.stringify({ text: markup, action: markup, [markup]: markup }) }) },
    }),
  },
  {
    name: 'crm-prototype-keys',
    what: 'Sends __proto__, constructor and prototype as fields, at every level.',
    surface: 'crm-webhook',
    fails: ['crm-webhook/ids-are-strings'],
    build: () => ({
      crm: {
        now: () => ({
          status: 200,
          body: '{"requestContactUpdate":true,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}},"contactData":{"crmContactId":1,"__proto__":{"crmContactId":"a"},"hasOwnProperty":1}}',
        }),
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

/** Writes raw bytes to the socket of a call at the first sentence. */
const broken = (name: string, what: string, bytes: Buffer | string): HostileEndpoint => ({
  name: `phone-${name}`,
  what,
  surface: 'own-ai-phone',
  fails: ['own-ai-phone/keeps-the-call-open'],
  build: () => ({
    phone: { prompt: (_, call: PhoneCall) => void call.request.socket.write(bytes) },
  }),
});

/** Frames that RFC 6455 forbids. */
const frames: readonly HostileEndpoint[] = [
  broken('reserved-bit', 'Sets a reserved bit.', Buffer.from([0xf1, 0x01, 0x61])),
  broken('masked-frame', 'Masks a frame.', Buffer.from([0x81, 0x81, 1, 2, 3, 4, 0x60])),
  broken('invalid-utf-8', 'Sends text that is not UTF-8.', Buffer.from([0x81, 0x02, 0xc3, 0x28])),
  broken('unknown-opcode', 'Sends a frame with an opcode that does not exist.', Buffer.from([0x83, 0x00])),
  broken(
    'long-control-frame',
    'Sends a ping that is longer than a control frame may be.',
    Buffer.concat([Buffer.from([0x89, 126, 0, 200]), Buffer.alloc(200)]),
  ),
  broken('http-again', 'Answers a sentence with HTTP.', whole),
];

export const hostileProtocols: readonly HostileEndpoint[] = [...answers, ...values, ...frames];
