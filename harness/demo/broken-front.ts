import { once } from 'node:events';
import { createServer, request as httpRequest, STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket, WebSocketServer, type RawData } from 'ws';
import { sign, type Mistake } from './mistakes.ts';

export interface BrokenFrontOptions {
  /** Origin of the correct endpoint. */
  origin: string;
  mistake: Mistake;
  /** The secret of each path whose requests are signed. */
  secrets: Readonly<Record<string, string>>;
}

const signatureHeader = 'x-svc-signature';

/** A proxy to a correct endpoint that makes one mistake. */
export class BrokenFront implements AsyncDisposable {
  readonly #server: Server;
  readonly #calls = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  readonly #options: BrokenFrontOptions;
  /** Connections of calls, which the HTTP server does not close. */
  readonly #sockets = new Set<Duplex>();

  private constructor(options: BrokenFrontOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => {
      this.#pass(request).then(
        ({ status, headers, body }) => response.writeHead(status, headers).end(body),
        () => response.destroy(),
      );
    });
    this.#server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) =>
      this.#connect(request, socket, head),
    );
  }

  static async open(options: BrokenFrontOptions): Promise<BrokenFront> {
    const front = new BrokenFront(options);
    front.#server.listen(0, '127.0.0.1');
    await once(front.#server, 'listening');
    return front;
  }

  /** The address at the front of an address of the endpoint. */
  url(address: string): string {
    const url = new URL(address);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  async #pass(request: IncomingMessage): Promise<{ status: number; headers: Record<string, string>; body: Buffer }> {
    const { origin, mistake } = this.#options;
    const path = request.url ?? '/';
    const body = await buffer(request);
    const headers = this.#signedAnew(path, body, request.headers);
    if (!headers) return { status: 401, headers: {}, body: Buffer.alloc(0) };
    const delayMs = mistake.delayMs?.({ path, body }) ?? 0;
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    const passed = httpRequest(new URL(path, origin), { method: request.method, headers });
    // Also after the answer has begun, whose reader reports it then.
    passed.on('error', () => undefined).end(body);
    const [answer] = (await once(passed, 'response')) as [IncomingMessage];
    const received = await buffer(answer);
    const type = answer.headers['content-type'];
    const isJson = type?.includes('json') === true && mistake.answer !== undefined;
    return {
      status: answer.statusCode ?? 502,
      headers: type === undefined ? {} : { 'content-type': type },
      body: isJson
        ? Buffer.from(JSON.stringify(mistake.answer?.(path, JSON.parse(received.toString('utf8')))))
        : received,
    };
  }

  /** The headers of a request, with a valid signature where the mistake accepts it; `undefined` where it does not. */
  #signedAnew(path: string, body: Buffer, headers: IncomingMessage['headers']): IncomingMessage['headers'] | undefined {
    const { mistake, secrets } = this.#options;
    const { [path]: secret } = secrets;
    if (!mistake.accepts || secret === undefined) return headers;
    const [, t, v1] = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/.exec(String(headers[signatureHeader])) ?? [];
    if (t === undefined || v1 === undefined || !mistake.accepts({ t, v1 }, body, secret)) return undefined;
    const now = String(Math.floor(Date.now() / 1000));
    return { ...headers, [signatureHeader]: `t=${now},v1=${sign(body, now, secret)}` };
  }

  #connect(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { origin, mistake } = this.#options;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
    const named = Object.entries(request.headers).filter(([name]) => name.startsWith('x-') || name === 'user-agent');
    const ai = new WebSocket(new URL(request.url ?? '/', origin.replace(/^http/, 'ws')), {
      headers: Object.fromEntries(named.map(([name, value]) => [name, String(value)])),
      perMessageDeflate: false,
    });
    ai.once('unexpected-response', (_, { statusCode = 502 }: IncomingMessage) => {
      socket.end(`HTTP/1.1 ${statusCode} ${STATUS_CODES[statusCode] ?? ''}\r\nConnection: close\r\n\r\n`);
      ai.terminate();
    });
    // A refusal that was just written must still arrive.
    ai.on('error', () => {
      if (!socket.writableEnded) socket.destroy();
    });
    const leave = () => {
      ai.terminate();
      socket.destroy();
    };
    // Only a socket that is read ends; a caller sends nothing before the answer.
    socket.once('end', leave).once('close', leave).resume();
    ai.once('open', () => {
      if (socket.destroyed) return ai.terminate();
      socket.off('end', leave).off('close', leave);
      this.#calls.handleUpgrade(request, socket, head, (service) => {
        join(service, ai, mistake.passes);
        join(ai, service);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    this.#server.closeAllConnections();
    await once(this.#server, 'close');
  }
}

function join(from: WebSocket, to: WebSocket, passes: (frame: string) => boolean = () => true): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    const frame = (data as Buffer).toString('utf8');
    if (to.readyState === WebSocket.OPEN && (isBinary || passes(frame))) to.send(isBinary ? data : frame);
  });
  from.on('close', (code, reason) => {
    // A code that may not be sent means that the connection was lost.
    if (code >= 1000 && code < 5000 && ![1004, 1005, 1006, 1015].includes(code)) to.close(code, reason);
    else if (code === 1005) to.close();
    else to.terminate();
  });
  from.on('error', () => to.terminate());
}
