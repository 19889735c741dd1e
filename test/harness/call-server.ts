import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import { Call, type CallOptions } from '../../harness/wire/call.ts';
import type { CallTimeouts } from '../../harness/wire/call-timeouts.ts';
import { CallConnection, type DialOptions } from '../../harness/wire/call-connection.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { rawServer, type RawRequest, type RawServer } from './raw-server.ts';
import { credentials } from './settings-for-tests.ts';

/** Milliseconds that no test here should reach. */
export const longTimeoutMs = 30_000;
/** Milliseconds that a test waits for something that never arrives. */
export const shortTimeoutMs = 150;

/** One for all calls of a test file. */
const lag = new LagMeter();

const patient: CallTimeouts = {
  firstPieceMs: longTimeoutMs,
  nextPieceMs: longTimeoutMs,
  wholeMs: 60_000,
  shortened: false,
  usualMs: 500,
  quietMs: shortTimeoutMs,
};

/** Dials a signed connection, like the driver, that never ends by itself. */
export async function connect(url: string, options: Partial<DialOptions> = {}): Promise<CallConnection> {
  const callId = 'call-of-a-test';
  const upgrade = SignedDelivery.upgrade(callId, [['X-Svc-Call-Id', callId]], credentials.agentSecret);
  const request = upgrade.request(url, Date.now());
  return await CallConnection.dial(request, { label: 'a test', callId, timeoutMs: longTimeoutMs, ...options });
}

/** A call that has sent only its offered skills. */
export async function dial(
  url: string,
  { timeouts = {}, ...options }: { timeouts?: Partial<CallTimeouts> } & Pick<CallOptions, 'resultsOf'> = {},
): Promise<Call> {
  const call = new Call(await connect(url), {
    timeouts: () => ({ ...patient, ...timeouts }),
    lag,
    ...options,
  });
  call.start({ type: 'session.started', skills: offeredSkills });
  return call;
}

export const offeredSkills = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
  { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: 'One moment.' },
  { id: 3, key: 'service', name: 'Service', kind: 'forward', announcement: null },
];

/** Reaction of the AI to one frame of the service. */
export type OnFrame = (frame: Record<string, unknown>, say: (frame: object | string) => void, ai: WebSocket) => void;

export interface Ai extends AsyncDisposable {
  url: string;
  /** Received frames of all calls, in order. */
  heard: Record<string, unknown>[];
  /** The accepted connections, in order. */
  calls: WebSocket[];
}

/**
 * An AI that calls `onFrame` for each frame. It accepts at most `most` concurrent calls and refuses others with 503.
 */
export async function ai(
  onFrame: OnFrame,
  onCall: (ai: WebSocket) => void = () => undefined,
  most = Infinity,
): Promise<Ai> {
  const heard: Record<string, unknown>[] = [];
  const calls: WebSocket[] = [];
  const server: WebSocketServer = new WebSocketServer({
    port: 0,
    host: '127.0.0.1',
    verifyClient: (_: unknown, decide: (isAccepted: boolean, status?: number) => void) =>
      decide(server.clients.size < most, 503),
  });
  server.on('connection', (socket) => {
    calls.push(socket);
    socket.on('error', () => undefined);
    const say = (frame: object | string) => {
      socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame));
    };
    socket.on('message', (data: Buffer) => {
      const frame = JSON.parse(data.toString('utf8')) as Record<string, unknown>;
      heard.push(frame);
      onFrame(frame, say, socket);
    });
    onCall(socket);
  });
  await new Promise<void>((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  return {
    url: `ws://127.0.0.1:${port}/voice`,
    heard,
    calls,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of calls) socket.terminate();
      await closed;
    },
  };
}

/** An AI that answers each sentence with exactly these frames. */
export const answering = (...frames: (object | string)[]): Promise<Ai> =>
  ai(({ type }, say) => {
    if (type === 'prompt') frames.forEach(say);
  });

/** The address of a raw server as the URL of a call. */
export const callUrl = ({ origin }: RawServer, path = '/voice'): string => `${origin.replace('http', 'ws')}${path}`;

/** The answer that accepts an upgrade (RFC 6455, 4.2.2). */
export function switchingProtocolsHead({ head }: RawRequest, more = ''): string {
  const key = /^sec-websocket-key: *(\S+)/im.exec(head)?.[1] ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n${more}\r\n`;
}

/** Accepts every upgrade; `onCall` decides the rest. */
export function rawAi(onCall: (socket: Socket) => void, tls?: TlsOptions): Promise<RawServer> {
  return rawServer((socket, request) => {
    socket.write(switchingProtocolsHead(request));
    onCall(socket);
  }, tls);
}

/** As {@link rawAi}, but `onCall` is called once the service has begun the call. */
export const rawAiOnceBegun = (onCall: (socket: Socket) => void): Promise<RawServer> =>
  rawAi((socket) => void socket.once('data', () => onCall(socket)));

/** Opcodes (RFC 6455, 5.2). */
export const opcode = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

export interface FrameOptions {
  kind?: keyof typeof opcode;
  fin?: boolean;
  rsv1?: boolean;
  masked?: boolean;
  /** Length in the header; default: the actual one. */
  announced?: number;
}

/** One WebSocket frame, byte for byte: FIN, RSV1 and opcode; MASK and length in 7, 7+16 or 7+64 bits; payload. */
export function frameBytes(
  payload: string | Buffer,
  { kind = 'text', fin = true, rsv1 = false, masked = false, announced }: FrameOptions = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const length = announced ?? bytes.length;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (fin ? 0x80 : 0) | (rsv1 ? 0x40 : 0) | opcode[kind];
  head[1] = (masked ? 0x80 : 0) | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  return Buffer.concat([head, ...(masked ? [Buffer.alloc(4)] : []), bytes]);
}

/** Waits for an imminent condition, checked in each turn of the event loop. */
export async function until(is: () => boolean): Promise<void> {
  while (!is()) await new Promise((wake) => setImmediate(wake));
}
