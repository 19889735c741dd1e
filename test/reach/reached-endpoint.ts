import { createServer, type IncomingHttpHeaders } from 'node:http';
import { createServer as createSecureServer, type ServerOptions } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer, type WebSocket } from 'ws';
import { listening, type ListeningServer } from '../server-fixture.ts';

export interface ReachedEndpoint extends ListeningServer {
  /** Headers of every request and upgrade. */
  readonly headers: IncomingHttpHeaders[];
  /** Local host names that TLS clients requested. */
  readonly names: (string | false | undefined | null)[];
  /** Addresses from which connections came. */
  readonly sources: (string | undefined)[];
}

export interface EndpointBehaviour {
  /** A header that a gateway in front of it requires, with its value. */
  requires?: readonly [name: string, value: string];
  /** Milliseconds before it answers. */
  delayMs?: number;
  /** Delays only the answers to events. */
  delaysEvents?: true;
  tls?: ServerOptions;
  /** Listens on [::1]. */
  isIpv6?: boolean;
}

/** Answers each sentence of the caller. */
function speak(call: WebSocket): void {
  call.on('message', () => call.send(JSON.stringify({ type: 'text', text: 'Yes.', last: true })));
}

/** Answers every request with 204 and accepts every call, unless the gateway in front of it refuses with 403. */
export async function reachedEndpoint(behaviour: EndpointBehaviour = {}): Promise<ReachedEndpoint> {
  const { requires, delayMs = 0, delaysEvents = false, tls, isIpv6 = false } = behaviour;
  const headers: IncomingHttpHeaders[] = [];
  const names: ReachedEndpoint['names'] = [];
  const sources: ReachedEndpoint['sources'] = [];
  const server = tls ? createSecureServer(tls) : createServer();
  const lets = (given: IncomingHttpHeaders) => !requires || given[requires[0].toLowerCase()] === requires[1];
  server.on('connection', (socket) => sources.push(socket.remoteAddress));
  server.on('secureConnection', (socket: TLSSocket) => {
    names.push((socket as TLSSocket & { servername?: string | false | null }).servername);
  });
  server.on('request', (request, response) => {
    headers.push(request.headers);
    request.resume().once('end', () => {
      const ms = delaysEvents && request.method !== 'POST' ? 0 : delayMs;
      setTimeout(() => response.writeHead(lets(request.headers) ? 204 : 403).end(), ms);
    });
  });
  const calls = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    headers.push(request.headers);
    if (lets(request.headers)) calls.handleUpgrade(request, socket, head, speak);
    else socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
  });
  if (!isIpv6) return { ...(await listening(server)), headers, names, sources };
  server.listen(0, '::1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `[::1]:${port}`,
    connections: () => sources.length,
    headers,
    names,
    sources,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
