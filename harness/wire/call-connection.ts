import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { ConnectionOptions } from 'node:tls';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import { limits } from '../../specs/limits.ts';
import {
  clientCertificateAnswer,
  hasRequiredClientCertificate,
  watchForClientCertificate,
} from './client-certificate.ts';
import { connectOverTcp } from './connect.ts';
import { FloodMeter } from './flood-meter.ts';
import { FrameReader } from './frame-reader.ts';
import type { Answer, CallEnd, CallFrame, CallObservation, Stop, WireRequest } from './observation.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';
import { toAnswered, readRefusal, switchingProtocols } from './upgrade-answer.ts';

/** How one call is dialled. */
export interface DialOptions {
  label: string;
  callId: string;
  /** Milliseconds from dialling after which a connection that has not come about is an observation of its own. */
  patienceMs: number;
  limitMs?: number;
  /** Called once when a connection that was made is down; `isBroken` when the other side ended it without a close frame. */
  onDown?: (isBroken: boolean) => Promise<Stop | undefined>;
  /** The AI has flooded an earlier call. */
  afterFlood?: boolean;
}

/** Bytes of one frame that are read: enough to tell "too large" from "endless". */
const maxFrameBytes = 4 * limits.phoneFrameBytes;
/** WebSocket fragments of one frame: one for each byte that is allowed. */
const maxFragments = limits.phoneFrameBytes;
/** Pings of one call after which it is ended. */
const maxPings = 20_000;
/** What the WebSocket library says of frames beyond those bounds. */
const tooLarge = new Set([
  'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH',
  'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH',
  'WS_ERR_TOO_MANY_BUFFERED_PARTS',
]);
/** Close code of a connection that ended without a close frame (RFC 6455, 7.1.5). */
const withoutCloseFrame = 1006;
/** Milliseconds that the other side has for its part of the closing. */
const closingTimeoutMs = 3_000;

/**
 * One WebSocket connection that we dialled, and everything that goes over it. Knows nothing of what frames mean, and
 * trusts nothing that comes: sizes, numbers and times are bounded, no extension is offered, nothing is followed.
 */
export class CallConnection {
  readonly observation: CallObservation;
  /** Set once the connection is down; `end` is there when it is known why. */
  examined: Promise<unknown> | undefined;
  readonly #socket: WebSocket;
  readonly #dialledAt: number;
  #wire: Socket | undefined;
  /** The TCP connection, over which a TLS one may run. */
  #tcp: Socket | undefined;
  readonly #reader = new FrameReader();
  readonly #floods: FloodMeter;
  #isCutOff = false;
  /** Who ended the connection, once somebody has begun to. */
  #endedBy: CallEnd['by'] | undefined;
  #cut = false;
  #pings = 0;
  #broke: string | undefined;
  #upgraded: IncomingMessage | undefined;
  readonly #down = Promise.withResolvers<void>();
  readonly #onDown: DialOptions['onDown'];
  #onFrame: (frame: CallFrame, index: number) => void = () => undefined;
  #onEnd: (end: CallEnd) => void = () => undefined;

  private constructor(request: WireRequest, { label, callId, limitMs, onDown, afterFlood = false }: DialOptions) {
    this.#floods = new FloodMeter(afterFlood);
    this.#dialledAt = performance.now();
    this.#onDown = onDown;
    this.observation = {
      kind: 'call',
      label,
      startedAt: new Date(),
      request,
      answer: { outcome: 'no-answer', afterMs: 0 },
      times: { connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 },
      ...(limitMs === undefined ? {} : { limitMs }),
      callId,
      frames: [],
      framesLeftOut: 0,
      answers: [],
    };
    // The types of the library do not know closeTimeout yet, nor that a connection may be made later.
    const options: Omit<ClientOptions, 'createConnection'> & { closeTimeout: number; createConnection?: unknown } = {
      headers: Object.fromEntries(request.headers),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: maxFrameBytes,
      maxFragments,
      // The other side has begun to close, or broke the protocol, and then leaves the connection standing.
      closeTimeout: closingTimeoutMs,
      ...(request.url.startsWith('wss:') && { createConnection: this.#connectOverTls }),
      finishRequest: (upgrade: ClientRequest) => {
        upgrade.once('socket', (wire) => this.#watch(wire));
        upgrade.end();
      },
    };
    this.#socket = new WebSocket(request.url, options as ClientOptions);
  }

  /** Dials. Never rejects: everything that the other side can do is an `answer` of the observation. */
  static async dial(request: WireRequest, options: DialOptions): Promise<CallConnection> {
    const connection = new CallConnection(request, options);
    connection.observation.answer = await connection.#upgrade(options.patienceMs);
    return connection;
  }

  /** The connection stands and nobody has begun to close it. */
  get isUp(): boolean {
    return (
      this.#socket.readyState === WebSocket.OPEN && this.#endedBy === undefined && this.observation.end === undefined
    );
  }

  /** Milliseconds since dialling. */
  get nowMs(): number {
    return this.#now();
  }

  /** `performance.now()` of a moment of this call. */
  clockOf(atMs: number): number {
    return this.#dialledAt + atMs;
  }

  /** Is told of every frame of the AI with its index in `frames`, and of the end. */
  listen(onFrame: (frame: CallFrame, index: number) => void, onEnd: (end: CallEnd) => void): void {
    this.#onFrame = onFrame;
    this.#onEnd = onEnd;
  }

  /** Sends a frame as this text. Returns its index; of the latest frame when the connection is not up and nothing goes out. */
  send(text: string): number {
    const { frames } = this.observation;
    if (!this.isUp) return frames.length - 1;
    // Stamped before it is sent: a time that began too late would be too short.
    const frame = this.#reader.read('service', Buffer.from(text, 'utf8'), this.#now());
    this.#socket.send(text, () => undefined);
    return frames.push(frame) - 1;
  }

  /** What comes from now on is another answer. */
  startAnswer(): void {
    this.#floods.nextAnswer();
  }

  /**
   * Closes as WebSocket does and waits for the other side's part; cuts the connection when that does not come. Closing
   * again waits for the same end.
   */
  async close(code = 1000, reason = ''): Promise<void> {
    if (this.observation.end) return;
    this.#markEnding();
    const deadline = setTimeout(() => {
      this.#cut = true;
      this.#socket.terminate();
    }, closingTimeoutMs);
    this.#socket.close(code, reason);
    await this.#down.promise;
    clearTimeout(deadline);
  }

  /** The other side is gone without a word: `reset` as after a crash (RST), `end` as by a closed socket (FIN). */
  async vanish(how: 'reset' | 'end'): Promise<void> {
    if (this.observation.end) return;
    this.#markEnding();
    if (how === 'reset' && this.#tcp) this.#tcp.resetAndDestroy();
    else this.#socket.terminate();
    await this.#down.promise;
  }

  /** Stops reading, as a peer whose network stands still: what is sent to us piles up on the other side. */
  stall(): void {
    this.#socket.pause();
  }

  #now(): number {
    return performance.now() - this.#dialledAt;
  }

  /** We end the connection, unless the other side has begun to. */
  #markEnding(): void {
    this.#endedBy ??= this.#socket.readyState === WebSocket.OPEN ? 'service' : 'ai';
  }

  readonly #connectOverTls = (
    options: ConnectionOptions & { host: string; port: number },
    done: (error: Error | null, wire?: Socket) => void,
  ): void => {
    connectOverTcp(options, (tcp) => (this.#tcp = tcp), done);
  };

  #watch(wire: Socket): void {
    this.#wire = wire;
    this.#tcp ??= wire;
    watchForClientCertificate(wire);
    const connected = () => {
      this.observation.times.connectMs ??= this.#now();
    };
    if ('encrypted' in wire) wire.once('secureConnect', connected);
    else if (wire.connecting) wire.once('connect', connected);
    else connected();
  }

  #upgrade(patienceMs: number): Promise<Answer> {
    const { observation } = this;
    const socket = this.#socket;
    return new Promise((resolve) => {
      let done = false;
      /** The status has come: what becomes of the connection while the body is read decides nothing more. */
      let refused = false;
      const finish = (answer: Answer) => {
        if (done || refused) return;
        done = true;
        clearTimeout(patience);
        resolve(answer);
      };
      const timeOut = () => {
        if (done || refused) return;
        finish({ outcome: 'no-answer', afterMs: patienceMs });
        this.#cut = true;
        socket.terminate();
        // Without a connection the library has nothing to end yet.
        this.#tcp?.destroy();
      };
      const patience = timeoutAfterReads(timeOut, patienceMs);
      socket.on('upgrade', (response: IncomingMessage) => {
        observation.times.firstByteMs = this.#now();
        this.#upgraded = response;
      });
      socket.on('unexpected-response', (_, response) => {
        observation.times.firstByteMs = this.#now();
        clearTimeout(patience);
        refused = true;
        void readRefusal(response).then((answer) => {
          const noUpgrade = `status ${switchingProtocols} without an Upgrade header`;
          refused = false;
          finish(answer.status === switchingProtocols ? { outcome: 'malformed', detail: noUpgrade } : answer);
          socket.terminate();
        });
      });
      // Attached before the connection stands: a frame may come together with the answer to the upgrade.
      socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
      socket.on('ping', () => this.#receivePing());
      socket.on('pong', () => this.#receivePing());
      socket.on('open', () => {
        observation.times.totalMs = this.#now();
        finish(toAnswered(switchingProtocols, this.#upgraded));
      });
      socket.on('error', (error) => {
        const { code = '' } = error as NodeJS.ErrnoException;
        const detail = code === '' ? error.message : `${error.message} (${code})`;
        this.#broke ??= detail;
        this.#endedBy ??= tooLarge.has(code) ? 'service' : 'ai';
        if (tooLarge.has(code)) this.#receiveTooLarge();
        finish(this.#refusedBy(detail, code));
      });
      socket.on('close', (code, reason) => {
        finish({ outcome: 'closed', detail: 'the connection ended before the upgrade was answered' });
        void this.#ended(code, reason.toString('utf8'));
      });
    });
  }

  /** What an error before the connection stood says about the upgrade. */
  #refusedBy(detail: string, code: string): Answer {
    const { connectMs } = this.observation.times;
    if (this.#wire && hasRequiredClientCertificate(this.#wire)) return clientCertificateAnswer;
    if (connectMs === null) return { outcome: 'unreachable', detail };
    if (code.startsWith('HPE_') || this.#upgraded !== undefined) return { outcome: 'malformed', detail };
    return { outcome: 'closed', detail };
  }

  #receive(data: RawData, isBinary: boolean): void {
    const bytes = Buffer.isBuffer(data) ? data : Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data);
    const { frames } = this.observation;
    const tooMany = this.#floods.count(bytes.length);
    const flood = this.#isCutOff ? 'frames after it' : tooMany;
    if (flood !== undefined) {
      this.observation.framesLeftOut++;
      this.#cutOff(flood);
      return;
    }
    const frame = this.#reader.read('ai', bytes, this.#now());
    if (isBinary) frame.binary = true;
    const index = frames.push(frame) - 1;
    this.#onFrame(frame, index);
  }

  /** Pings are answered by the library, and no frame of the call; a flood of them ends it all the same. */
  #receivePing(): void {
    if (++this.#pings > maxPings) this.#cutOff(`more than ${maxPings} pings in one call`);
    // The library has given up because its answers are not read.
    else if (this.#endedBy === undefined && !this.isUp) {
      this.#broke ??= 'more pings than it read answers to';
      this.#isCutOff = true;
    }
  }

  #cutOff(reason: string): void {
    // What the AI has begun to end is not ours to explain.
    this.#isCutOff ||= this.isUp;
    this.#broke ??= reason;
    this.#markEnding();
    this.#socket.terminate();
  }

  /** A frame that is not read to its end: that it is too large is known all the same. */
  #receiveTooLarge(): void {
    const text = `(more than ${maxFrameBytes} bytes or ${maxFragments} fragments, not read)`;
    const frame: CallFrame = { from: 'ai', atMs: this.#now(), text, bytes: maxFrameBytes + 1, value: undefined };
    this.#onFrame(frame, this.observation.frames.push(frame) - 1);
  }

  async #ended(code: number, reason: string): Promise<void> {
    if (this.observation.end) return;
    const end: CallEnd = {
      by: this.#endedBy ?? 'ai',
      atMs: this.#now(),
      code,
      reason,
      clean: !this.#cut,
      ...(this.#isCutOff && { isCutOff: true }),
      ...(this.#broke === undefined ? {} : { detail: this.#broke }),
    };
    if (this.#onDown && this.observation.times.totalMs !== null) {
      const examined = this.#onDown(end.by === 'ai' && code === withoutCloseFrame);
      this.examined = examined;
      const stop = await examined;
      if (stop) end.stop = stop;
    }
    this.observation.end = end;
    this.#onEnd(end);
    this.#down.resolve();
  }
}
