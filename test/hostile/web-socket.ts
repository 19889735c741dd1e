import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { PhoneCall } from '../proving/phone-call.ts';
import { flood } from './flood.ts';
import type { HostileEndpoint } from './hostile-endpoint.ts';
import { markup } from './markup.ts';

/** Opcodes of RFC 6455, 5.2. */
const [continued, text, close, ping, pong] = [0x0, 0x1, 0x8, 0x9, 0xa];
/** Payload bytes of one endless fragment. */
const fragmentBytes = 16_384;
/** Frames without a payload that are written at once. */
const emptyAtOnce = 1_000;
/** Milliseconds between two bytes of a trickling frame. */
const trickleMs = 200;

/** One frame from the server: not masked. */
function frame(opcode: number, payload: Buffer | string, { isFinal = true } = {}): Buffer {
  const bytes = Buffer.from(payload);
  const first = (isFinal ? 0x80 : 0) | opcode;
  const length = bytes.length < 126 ? [bytes.length] : [126, bytes.length >> 8, bytes.length & 0xff];
  return Buffer.concat([Buffer.of(first, ...length), bytes]);
}

const empty = (opcode: number, isFinal = true) =>
  Buffer.concat(Array.from({ length: emptyAtOnce }, () => frame(opcode, '', { isFinal })));

type Rest = Partial<Pick<HostileEndpoint, 'fails' | 'blocks' | 'reason' | 'isNarrow'>>;

/** Writes raw bytes to the socket of a call at the first sentence. */
const atSentence = (name: string, what: string, write: (socket: Duplex) => void, rest: Rest = {}): HostileEndpoint => ({
  name: `phone-${name}`,
  what,
  surface: 'own-ai-phone',
  fails: ['own-ai-phone/keeps-the-call-open'],
  isNarrow: true,
  ...rest,
  build: () => ({ phone: { prompt: (_, call: PhoneCall) => write(call.request.socket) } }),
});

const bytes = (name: string, what: string, written: Buffer | string, rest?: Rest) =>
  atSentence(name, what, (socket) => void socket.write(written), rest);

/** Sends a whole answer byte by byte. */
function trickle(socket: Duplex): void {
  const whole = frame(text, JSON.stringify({ type: 'text', text: 'x'.repeat(100), last: true }));
  let at = 0;
  const timer = setInterval(() => {
    if (socket.destroyed || at === whole.length) clearInterval(timer);
    else socket.write(whole.subarray(at, ++at));
  }, trickleMs);
}

const cutOff: Rest = { fails: [], blocks: ['own-ai-phone/answers-a-prompt'] };

/** Frames that RFC 6455 forbids, or that never end: the themes of the Autobahn test suite. */
const frames: readonly HostileEndpoint[] = [
  bytes('reserved-bit', 'Sets a reserved bit.', Buffer.of(0xf1, 0x01, 0x61), { isNarrow: false }),
  bytes('masked-frame', 'Masks a frame.', Buffer.of(0x81, 0x81, 1, 2, 3, 4, 0x60)),
  bytes('invalid-utf-8', 'Sends text that is not UTF-8.', frame(text, Buffer.of(0xc3, 0x28))),
  bytes('unknown-opcode', 'Sends a frame with an opcode that does not exist.', frame(0x3, '')),
  bytes(
    'long-control-frame',
    'Sends a ping that is longer than a control frame may be.',
    frame(ping, Buffer.alloc(200)),
  ),
  bytes('http-again', 'Answers a sentence with HTTP.', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'),
  bytes('continuation-of-nothing', 'Continues a message that it has not begun.', frame(continued, 'a')),
  bytes(
    'message-within-a-message',
    'Begins a message before the last one has ended.',
    Buffer.concat([frame(text, 'a', { isFinal: false }), frame(text, 'b')]),
  ),
  bytes('fragmented-ping', 'Sends a ping in fragments.', frame(ping, '', { isFinal: false })),
  bytes(
    'impossible-length',
    'Announces a frame of 2^64 bytes.',
    Buffer.concat([Buffer.of(0x81, 127), Buffer.alloc(8, 0xff)]),
    {
      fails: ['own-ai-phone/frame-within-64-kb'],
    },
  ),
  bytes('close-of-one-byte', 'Closes with half a code.', frame(close, Buffer.of(3))),
  bytes('close-with-1006', 'Closes with a code that may never be sent.', frame(close, Buffer.of(0x03, 0xee))),
  bytes(
    'close-reason-not-utf-8',
    'Closes with a reason that is not UTF-8.',
    frame(close, Buffer.of(0x03, 0xe8, 0xc3, 0x28)),
  ),
  bytes(
    'close-reason-markup',
    'Closes with markup and control characters as the reason.',
    frame(close, Buffer.concat([Buffer.of(0x0f, 0xa0), Buffer.from(markup)])),
  ),
  atSentence('speaks-after-closing', 'Closes, and then sends frames without end.', (socket) => {
    socket.write(frame(close, Buffer.of(0x03, 0xe8)));
    flood(socket, frame(text, '{"type":"text","text":"a","last":true}'));
  }),
  atSentence('ping-flood', 'Sends pings without end.', (socket) => flood(socket, empty(ping)), cutOff),
  atSentence('pong-flood', 'Sends pongs without end.', (socket) => flood(socket, empty(pong)), cutOff),
  atSentence(
    'endless-message',
    'Sends fragments of one message without end.',
    (socket) => {
      socket.write(frame(text, '"', { isFinal: false }));
      flood(socket, frame(continued, Buffer.alloc(fragmentBytes, 'a'), { isFinal: false }));
    },
    { fails: ['own-ai-phone/frame-within-64-kb'] },
  ),
  atSentence(
    'empty-fragments',
    'Sends empty fragments of one message without end.',
    (socket) => {
      socket.write(frame(text, '', { isFinal: false }));
      flood(socket, empty(continued, false));
    },
    cutOff,
  ),
  atSentence('trickling-frame', 'Sends its answer byte by byte.', trickle, {
    fails: ['own-ai-phone/answers-a-prompt'],
  }),
];

/** Writes raw bytes in place of the answer to an upgrade, and never answers it otherwise. */
const atUpgrade = (
  name: string,
  what: string,
  write: (socket: Duplex, request: IncomingMessage) => void,
  rest: Rest = {},
): HostileEndpoint => ({
  name: `upgrade-${name}`,
  what,
  surface: 'own-ai-phone',
  fails: ['own-ai-phone/accepts-valid-signature'],
  isNarrow: true,
  ...rest,
  build: () => ({
    phone: {
      admit(request) {
        request.socket.on('error', () => undefined);
        write(request.socket, request);
        return new Promise<never>(() => undefined);
      },
    },
  }),
});

/** The answer that accepts an upgrade (RFC 6455, 4.2.2), with further headers. */
function accepting({ headers }: IncomingMessage, more = ''): string {
  const key = `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
  const accept = createHash('sha1').update(key).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${more}\r\n`;
}

/** Answers to an upgrade that break HTTP or the handshake of RFC 6455. */
const upgrades: readonly HostileEndpoint[] = [
  atUpgrade('wrong-accept', 'Accepts with the hash of another key.', (socket) => {
    socket.write(accepting({ headers: {} } as IncomingMessage));
  }),
  atUpgrade('extension', 'Accepts with compression, which was not offered.', (socket, request) => {
    socket.write(accepting(request, 'Sec-WebSocket-Extensions: permessage-deflate\r\n'));
  }),
  atUpgrade('subprotocol', 'Accepts with a subprotocol that was not offered.', (socket, request) => {
    socket.write(accepting(request, 'Sec-WebSocket-Protocol: a\r\n'));
  }),
  atUpgrade('interim-flood', 'Answers with 103 without end.', (socket) => {
    flood(socket, 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100));
  }),
  atUpgrade('endless-headers', 'Answers with headers without end.', (socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\n');
    flood(socket, `X-A: ${'a'.repeat(1_000)}\r\n`);
  }),
  atUpgrade('http2', 'Answers with frames of HTTP/2.', (socket) => {
    socket.write(Buffer.from('000000040000000000', 'hex'));
  }),
  atUpgrade(
    'two-answers',
    'Accepts twice.',
    (socket, request) => {
      socket.write(accepting(request).repeat(2));
    },
    // The second answer breaks the call, before or after its first sentence.
    { fails: [], blocks: ['own-ai-phone/keeps-the-call-open'] },
  ),
  atUpgrade('frames-first', 'Sends a frame before it accepts.', (socket, request) => {
    socket.write(Buffer.concat([frame(text, '{}'), Buffer.from(accepting(request))]));
  }),
];

export const hostileWebSockets: readonly HostileEndpoint[] = [...frames, ...upgrades];
