import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { WebSocket, type ClientOptions, type RawData } from 'ws';
import type { Brand } from '../../specs/brand.ts';
import { limits } from '../../specs/limits.ts';
import { boundInterim } from './bound-interim.ts';
import { clientCertificateAnswer, watchForClientCertificate } from './client-certificate.ts';
import { corked, creatorOf, type Abortable } from './connect.ts';
import { describeError } from './describe-error.ts';
import { FloodMeter } from './flood-meter.ts';
import { FrameReader } from './frame-reader.ts';
import type { Answer, CallEnd, CallFrame, CallObservation, Stop, WireRequest } from './observation.ts';
import { noteSetUpShare, proxyShareMs, recordRoundTrip } from './proxy-tunnel.ts';
import { directRoute, withRouteHeaders, type Route } from './route.ts';
import { timeoutAfterReads } from './timeout-after-reads.ts';
import { toAnswered, readRefusal, switchingProtocols } from './upgrade-answer.ts';

/** Options of dialling one call. */
export interface DialOptions {
  label: string;
  callId: string;
  /** Milliseconds until a missing connection is an observation. */
  timeoutMs: number;
  limitMs?: number;
  /** Its names are on the wire, those of the document in the observation. */
  brand?: Brand;
  /** How the address is reached; default: directly. Its headers are on the wire only. */
  route?: Route;
  /** Called once an established connection is down; `isBroken`: the other side ended it without a close frame. */
  onDown?: (isBroken: boolean) => Promise<Stop | undefined>;
  /** The AI has flooded an earlier call. */
  afterFlood?: boolean;
}

/** Maximum bytes of one frame: enough to distinguish "too large" from "endless". */
const maxFrameBytes = 4 * limits.phoneFrameBytes;
/** Maximum WebSocket fragments of one frame: one per allowed byte. */
const maxFragments = limits.phoneFrameBytes;
/** Maximum pings of one call. */
const maxPings = 20_000;
/** Error codes of the WebSocket library for frames beyond the first bound. */
const tooLarge = new Set(['WS_ERR_UNSUPPORTED_MESSAGE_LENGTH', 'WS_ERR_UNSUPPORTED_DATA_PAYLOAD_LENGTH']);
/** Its code for a frame in too many fragments, which may be empty. */
const tooManyFragments = 'WS_ERR_TOO_MANY_BUFFERED_PARTS';
/** Close code of a connection that ended without a close frame (RFC 6455, 7.1.5). */
const withoutCloseFrame = 1006;
/** Milliseconds for the other side to complete the closing handshake. */
const closingTimeoutMs = 3_000;

/**
 * One outgoing WebSocket connection and all of its traffic. It does not interpret frames and trusts no input: sizes,
 * numbers and times are bounded, no extension is offered, no redirect is followed.
 */
export class CallConnection {
  readonly observation: CallObservation;
  /** Set once the connection is down; resolves when its end is known. */
  examined: Promise<unknown> | undefined;
  readonly #socket: WebSocket;
  #wire: Socket | undefined;
  /** The TCP connection, over which a TLS one may run. */
  #tcp: Abortable | undefined;
  readonly #reader = new FrameReader();
  readonly #floods: FloodMeter;
  #isCutOff = false;
  /** The side that began to end the connection. */
  #endedBy: CallEnd['by'] | undefined;
  #cut = false;
  #pings = 0;
  #broke: string | undefined;
  #upgraded: IncomingMessage | undefined;
  readonly #down = Promise.withResolvers<void>();
  readonly #onDown: DialOptions['onDown'];
  #onFrame: (frame: CallFrame, index: number) => void = () => undefined;
  #onEnd: (end: CallEnd) => void = () => undefined;

  private constructor(request: WireRequest, dialling: DialOptions) {
    const { label, callId, limitMs, onDown, brand, afterFlood, route = directRoute } = dialling;
    this.#floods = new FloodMeter(afterFlood === true);
    this.#onDown = onDown;
    this.observation = {
      kind: 'call',
      label,
      startedAt: new Date(),
      at: performance.now(),
      request,
      answer: { outcome: 'no-answer', afterMs: 0 },
      times: { connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 },
      ...(limitMs === undefined ? {} : { limitMs }),
      callId,
      frames: [],
      framesOmitted: 0,
      answers: [],
    };
    // The types of the library lack closeTimeout and an asynchronous createConnection.
    const options: Omit<ClientOptions, 'createConnection'> & { closeTimeout: number; createConnection?: unknown } = {
      headers: Object.fromEntries(withRouteHeaders(brand?.headers(request.headers) ?? request.headers, route)),
      perMessageDeflate: false,
      followRedirects: false,
      maxPayload: maxFrameBytes,
      maxFragments,
      // Applies when the other side has begun to close, or broke the protocol, and then keeps the connection open.
      closeTimeout: closingTimeoutMs,
      createConnection: creatorOf(route, request.url.startsWith('wss:'), (tcp) => (this.#tcp = tcp)),
      finishRequest: (upgrade: ClientRequest) => {
        boundInterim(upgrade).once('socket', (wire) => this.#watch(wire, route));
        upgrade.end();
      },
    };
    this.#socket = new WebSocket(request.url, options as ClientOptions);
  }

  /** Dials. Never rejects: everything that the other side can do is an `answer` of the observation. */
  static async dial(request: WireRequest, options: DialOptions): Promise<CallConnection> {
    const connection = new CallConnection(request, options);
    connection.observation.answer = await connection.#upgrade(options.timeoutMs);
    return connection;
  }

  /** Whether the connection is open and neither side has begun to close it. */
  get isUp(): boolean {
    return (
      this.#socket.readyState === WebSocket.OPEN && this.#endedBy === undefined && this.observation.end === undefined
    );
  }

  /** Milliseconds that the proxy may add to the time between our frame and the next one of the AI. */
  get proxyMs(): number {
    return proxyShareMs(this.#wire);
  }

  /** Milliseconds since dialling. */
  get nowMs(): number {
    return this.#now();
  }

  /** `performance.now()` of a moment of this call. */
  clockOf(atMs: number): number {
    return this.observation.at + atMs;
  }

  /** Subscribes to every frame of the AI, with its index in `frames`, and to the end. */
  listen(onFrame: (frame: CallFrame, index: number) => void, onEnd: (end: CallEnd) => void): void {
    this.#onFrame = onFrame;
    this.#onEnd = onEnd;
  }

  /**
   * Sends a frame as text. Returns its index; that of the latest frame if the connection is down and nothing is sent.
   */
  send(text: string): number {
    const { frames } = this.observation;
    if (!this.isUp) return frames.length - 1;
    // Timestamped before sending: a later time would make the measured one too short.
    const frame = this.#reader.read('service', Buffer.from(text, 'utf8'), this.#now());
    this.#socket.send(text, () => undefined);
    return frames.push(frame) - 1;
  }

  /** Writes the frames that the function sends to the network in one piece, as a busy machine may do. */
  together = (send: () => void): void => corked(this.#wire, send);

  /** Marks the start of another answer for the flood limits. */
  startAnswer = (): void => this.#floods.nextAnswer();

  /**
   * Performs the closing handshake; terminates the connection when the other side does not complete it. Closing again
   * waits for the same end.
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

  /** Drops the connection without a close frame: `reset` as after a crash (RST), `end` as by a closed socket (FIN). */
  async vanish(how: 'reset' | 'end'): Promise<void> {
    if (this.observation.end) return;
    this.#markEnding();
    if (how === 'reset' && this.#tcp && 'resetAndDestroy' in this.#tcp) this.#tcp.resetAndDestroy();
    else this.#socket.terminate();
    await this.#down.promise;
  }

  /** Stops reading, like a peer with a stalled network: data accumulates on the other side. */
  stall = (): void => this.#socket.pause();

  #now(): number {
    return performance.now() - this.observation.at;
  }

  /** Marks us as the ending side, unless the other side has begun to close. */
  #markEnding(): void {
    this.#endedBy ??= this.#socket.readyState === WebSocket.OPEN ? 'service' : 'ai';
  }

  #watch(wire: Socket, route: Route): void {
    this.#wire = wire;
    this.#tcp ??= wire;
    watchForClientCertificate(wire, route.cert !== undefined);
    noteSetUpShare(this.observation.times, wire);
    const connected = () => {
      this.observation.times.connectMs ??= this.#now();
    };
    if ('encrypted' in wire) wire.once('secureConnect', connected);
    else if (wire.connecting) wire.once('connect', connected);
    else connected();
  }

  #upgrade(timeoutMs: number): Promise<Answer> {
    const { observation } = this;
    const socket = this.#socket;
    return new Promise((resolve) => {
      /** `refused`: the status has arrived, and what happens to the connection while the body is read does not matter. */
      let [done, refused] = [false, false];
      const finish = (answer: Answer) => {
        if (done || refused) return;
        done = true;
        clearTimeout(timer);
        resolve(answer);
      };
      const timeOut = () => {
        if (done || refused) return;
        finish({ outcome: 'no-answer', afterMs: timeoutMs });
        this.#cut = true;
        socket.terminate();
        // Before the connection is established the library has nothing to terminate.
        this.#tcp?.destroy();
      };
      const timer = timeoutAfterReads(timeOut, timeoutMs);
      socket.on('upgrade', (response: IncomingMessage) => {
        observation.times.firstByteMs = this.#now();
        this.#upgraded = response;
      });
      socket.on('unexpected-response', (_, response) => {
        observation.times.firstByteMs = this.#now();
        clearTimeout(timer);
        refused = true;
        void readRefusal(response).then((answer) => {
          const noUpgrade = `status ${switchingProtocols} without an Upgrade header`;
          refused = false;
          finish(answer.status === switchingProtocols ? { outcome: 'malformed', detail: noUpgrade } : answer);
          socket.terminate();
        });
      });
      // Attached before the connection is open: a frame may arrive together with the answer to the upgrade.
      socket.on('message', (data, isBinary) => this.#receive(data, isBinary));
      socket.on('ping', () => this.#receivePing());
      socket.on('pong', () => this.#receivePing());
      socket.on('open', () => {
        observation.times.totalMs = this.#now();
        recordRoundTrip(this.#wire, this.#now() - (observation.times.connectMs ?? 0));
        noteSetUpShare(observation.times, this.#wire);
        finish(toAnswered(switchingProtocols, this.#upgraded));
      });
      socket.on('error', (error) => {
        const { code = '' } = error as NodeJS.ErrnoException;
        const detail = describeError(error);
        const isFlood = code === tooManyFragments && this.#endedBy === undefined;
        this.#isCutOff ||= isFlood;
        this.#broke ??= isFlood ? `more than ${maxFragments} fragments of one frame` : detail;
        this.#endedBy ??= isFlood || tooLarge.has(code) ? 'service' : 'ai';
        if (tooLarge.has(code)) this.#receiveTooLarge();
        finish(clientCertificateAnswer(this.#wire) ?? this.#refusedBy(detail, code));
      });
      socket.on('close', (code, reason) => {
        finish({ outcome: 'closed', detail: 'the connection ended before the upgrade was answered' });
        void this.#ended(code, reason.toString('utf8'));
      });
    });
  }

  /** Classifies an error before the connection was open. */
  #refusedBy(detail: string, code: string): Answer {
    const { connectMs } = this.observation.times;
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
      this.observation.framesOmitted++;
      this.#cutOff(flood);
      return;
    }
    const frame = this.#reader.read('ai', bytes, this.#now());
    if (isBinary) frame.binary = true;
    const index = frames.push(frame) - 1;
    this.#onFrame(frame, index);
  }

  /** Pings are answered by the library and are not frames of the call; a flood of them still ends it. */
  #receivePing(): void {
    if (++this.#pings > maxPings) this.#cutOff(`more than ${maxPings} pings and pongs in one call`);
    // The library gave up because the other side does not read its answers.
    else if (this.#endedBy === undefined && !this.isUp) {
      this.#broke ??= 'more pings than answers that it read';
      this.#isCutOff = true;
    }
  }

  #cutOff(reason: string): void {
    // If the AI has begun to end the call, the flood is not the reason.
    this.#isCutOff ||= this.isUp;
    this.#broke ??= reason;
    this.#markEnding();
    this.#socket.terminate();
  }

  /** Records an oversized frame, which is not read completely. */
  #receiveTooLarge(): void {
    const text = `(more than ${maxFrameBytes} bytes, not read)`;
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
