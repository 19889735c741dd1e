import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import { listening } from '../../server-fixture.ts';
import { schemeName, type Scheme, type SignedSurface } from './scheme.ts';
import { one, verifies, type Received } from './verifier.ts';

/** How an endpoint refuses, and other behaviour. */
export interface Manner {
  /** Default: 401 without a body. */
  status?: number;
  body?: string;
  /** Closes the connection in place of an answer. */
  closes?: true;
  /** Accepts calls first and closes those with an invalid signature, with this code. */
  closesWith?: number;
  /** Milliseconds before any answer. */
  afterMs?: number;
  /** Seconds by which its Date header is off; `none`: it has none. */
  date?: number | 'none';
  /** Answers every nth request with a request for a pause. */
  pausesEvery?: number;
}

export const usualSecret = 'whsec_Zt8bQ0vXn2uYw4eRk6pLs1dHg3jCf5mA';

/** A running endpoint. */
export interface Receiver extends AsyncDisposable {
  url: string;
  secret: string;
  received: number;
}

/** Starts an endpoint that verifies according to this scheme. */
export async function startReceiver(scheme: Scheme, surface: SignedSurface): Promise<Receiver> {
  const { manner = {}, secret = usualSecret, configured = secret, steps = {} } = scheme;
  const accepts = scheme.accepts?.() ?? ((request: Received, key: string): boolean => verifies(steps, key, request));
  const state = { received: 0 };
  const delay = async (): Promise<void> => {
    if (manner.afterMs) await new Promise((wake) => setTimeout(wake, manner.afterMs));
  };
  const dated = (): Record<string, string> =>
    typeof manner.date === 'number' ? { Date: new Date(Date.now() + manner.date * 1000).toUTCString() } : {};
  const pauses = (): boolean => manner.pausesEvery !== undefined && ++state.received % manner.pausesEvery === 0;

  const server = createServer((request, response) => {
    void (async () => {
      if (manner.date === 'none') response.sendDate = false;
      const received = await readRequest(request);
      await delay();
      if (pauses()) {
        response.writeHead(429, { 'Retry-After': '0', ...dated() }).end();
      } else if (accepts(received, secret)) {
        if (scheme.taken === undefined) accept(response, surface, dated(), received);
        else response.writeHead(200, dated()).end(scheme.taken);
      } else if (manner.closes) {
        request.socket.destroy();
      } else {
        response.writeHead(manner.status ?? 401, dated()).end(manner.body);
      }
    })();
  });
  const calls = new WebSocketServer({ noServer: true });
  calls.on('headers', (headers) =>
    headers.push(...Object.entries(dated()).map(([name, value]) => `${name}: ${value}`)),
  );
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    void (async () => {
      socket.on('error', () => socket.destroy());
      await delay();
      const { method = '', url: path = '', headers } = request;
      const callId = one(headers['x-svc-call-id']);
      const isRight = accepts({ method, path, headers, body: Buffer.alloc(0), callId }, secret);
      if (isRight || manner.closesWith !== undefined) {
        calls.handleUpgrade(request, socket, head, (call) => (isRight ? talk(call) : call.close(manner.closesWith)));
      } else if (manner.closes) {
        socket.destroy();
      } else {
        const lines = Object.entries({ 'Content-Length': '0', Connection: 'close', ...dated() });
        socket.end(
          `HTTP/1.1 ${manner.status ?? 401} No\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
        );
      }
    })();
  });
  const running = await listening(server);
  const protocol = surface === 'own-ai-phone' ? 'ws' : 'http';
  return Object.assign(state, {
    url: `${protocol}://${running.host}/svc/inbound?tenant=7`,
    secret: configured,
    name: schemeName(scheme),
    [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
  });
}

async function readRequest(request: IncomingMessage): Promise<Received> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { method = '', url: path = '', headers } = request;
  return { method, path, headers, body: Buffer.concat(chunks) };
}

function accept(
  response: ServerResponse,
  surface: SignedSurface,
  dated: Record<string, string>,
  { headers }: Received,
): void {
  if (surface === 'own-ai-chat' && headers['x-svc-event'] !== 'ping') {
    response.writeHead(200, { 'Content-Type': 'application/json', ...dated });
    response.end(JSON.stringify({ text: 'We are open until five.', action: 'none' }));
    return;
  }
  response.writeHead(200, dated).end();
}

function talk(call: WebSocket): void {
  call.on('message', (data: Buffer) => {
    const frame = JSON.parse(data.toString()) as { type: string };
    if (frame.type === 'prompt')
      call.send(JSON.stringify({ type: 'text', text: 'We are open until five.', last: true }));
  });
}
