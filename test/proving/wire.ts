import {
  createServer,
  STATUS_CODES,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Duplex } from 'node:stream';

/** One request with its complete raw body, for a handler. */
export interface Incoming {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The answer of a handler; `drop` ends the connection silently, `silence` never answers. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer } | 'drop' | 'silence';

export type Handler = (request: Incoming) => Promise<Answer>;

/** Accepts or refuses an upgrade request. */
export type Upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => Promise<void>;

/** How requests are read and answers are written; handlers do everything else. */
export interface TransportSeams {
  /** Joins the received chunks of a body. */
  join(chunks: readonly Buffer[]): Buffer;
  /** Writes an answer. */
  write(response: ServerResponse, answer: Exclude<Answer, string>): void | Promise<void>;
  /** Decides when a request is handled: concurrently, or one at a time. */
  admit<T>(request: Incoming, work: () => Promise<T>): Promise<T>;
  /** An answer given before the body is read, after which the connection ends. */
  beforeBody(request: IncomingMessage): Answer | undefined;
  /** Handles an exception of a handler. */
  crash(error: unknown): Answer;
}

export const plainTransport: TransportSeams = {
  join: (chunks) => Buffer.concat(chunks),
  write(response, { status, headers = {}, body = '' }) {
    response.writeHead(status, {
      ...headers,
      ...(status === 204 ? {} : { 'content-length': Buffer.byteLength(body) }),
    });
    response.end(body);
  },
  admit: (_, work) => work(),
  beforeBody: () => undefined,
  crash: () => ({ status: 500 }),
};

/** How a server is reached: over TLS with this key and certificate, or plain. */
export type Security = Pick<TlsOptions, 'key' | 'cert'> | undefined;

/** An HTTP server on a separate port. */
export class WireServer {
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  /** Upgraded connections, which the server no longer closes. */
  readonly #upgraded = new Set<Duplex>();

  private constructor(server: Server, scheme: 'http' | 'https', upgrade: Upgrade) {
    this.#server = server;
    this.#scheme = scheme;
    server.on('upgrade', (request, socket, head) => {
      this.#upgraded.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#upgraded.delete(socket));
      void upgrade(request, socket, head);
    });
  }

  static async listen(
    handle: Handler,
    seams: TransportSeams,
    upgrade: Upgrade = refuseEach,
    security?: Security,
  ): Promise<WireServer> {
    const onRequest: RequestListener = (request, response) => void serve(request, response, handle, seams);
    const server = security ? createTlsServer(security, onRequest) : createServer(onRequest);
    server.keepAliveTimeout = 10_000;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new WireServer(server, security ? 'https' : 'http', upgrade);
  }

  get origin(): string {
    return `${this.#scheme}://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    this.#server.closeAllConnections();
    for (const socket of this.#upgraded) socket.destroy();
    await closed;
  }
}

const refuseEach: Upgrade = async (_, socket) => refuseUpgrade(socket, { status: 404 });

/** Answers an upgrade request with anything but 101. */
export function refuseUpgrade(socket: Duplex, answer: Answer): void {
  if (answer === 'silence') return;
  if (answer === 'drop') {
    socket.destroy();
    return;
  }
  const { status, headers = {}, body = '' } = answer;
  const fields = { connection: 'close', 'content-length': String(Buffer.byteLength(body)), ...headers };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    Buffer.concat([
      Buffer.from(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head.join('')}\r\n`),
      Buffer.from(body),
    ]),
  );
}

async function serve(request: IncomingMessage, response: ServerResponse, handle: Handler, seams: TransportSeams) {
  request.on('error', () => undefined);
  response.on('error', () => undefined);
  try {
    const early = seams.beforeBody(request);
    if (early !== undefined) {
      response.setHeader('connection', 'close');
      await answerWith(request, response, early, seams);
      return;
    }
    const body = seams.join(await readAll(request));
    const { method = '', url = '/', headers } = request;
    const incoming: Incoming = { method, path: url.split('?')[0] ?? '/', headers, body };
    const answer = await seams.admit(incoming, () => handle(incoming).catch((error: unknown) => seams.crash(error)));
    await answerWith(request, response, answer, seams);
  } catch {
    request.socket.destroy();
  }
}

async function answerWith(request: IncomingMessage, response: ServerResponse, answer: Answer, seams: TransportSeams) {
  if (answer === 'silence') return;
  if (answer === 'drop') request.socket.destroy();
  else await seams.write(response, answer);
}

async function readAll(request: IncomingMessage): Promise<Buffer[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return chunks;
}

/** An answer whose body is this value as JSON. */
export function json(status: number, value: unknown): Answer {
  return { status, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

/** `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
