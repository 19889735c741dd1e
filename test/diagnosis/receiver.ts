import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { listening } from '../server-fixture.ts';

/** One request as a receiver sees it. */
export interface Received {
  method: string;
  headers: IncomingHttpHeaders;
  path: string;
  query: URLSearchParams;
  body: Buffer;
  /** Number of the connection. */
  socket: Socket;
  /** Number of earlier requests on this connection. */
  before: number;
}

/** The answer of a receiver; `drop` ends the connection silently, `silence` never answers. */
export type Reply = { status: number; body?: string; headers?: Record<string, string> } | 'drop' | 'silence';

/** Answers a request. A function that writes to the response itself returns `written`. */
export type Receive = (request: Received, response: ServerResponse) => Promise<Reply | 'written'> | Reply | 'written';

export interface RunningReceiver extends AsyncDisposable {
  /** Without a path. */
  origin: string;
}

/** A plain HTTP server that shares no code with the harness or `diagnosis`. */
export async function startReceiver(receive: Receive): Promise<RunningReceiver> {
  const counts = new WeakMap<Socket, number>();
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const before = counts.get(request.socket) ?? 0;
    counts.set(request.socket, before + 1);
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
      const url = new URL(request.url ?? '/', 'http://receiver');
      const { headers, socket } = request;
      const body = Buffer.concat(chunks);
      const reply = await receive(
        { method: request.method ?? '', headers, path: url.pathname, query: url.searchParams, body, socket, before },
        response,
      );
      if (reply === 'silence' || reply === 'written') return;
      if (reply === 'drop') {
        request.socket.destroy();
        return;
      }
      response.writeHead(reply.status, reply.headers);
      response.end(reply.body);
    } catch {
      if (!response.headersSent) response.writeHead(500);
      response.end();
    }
  };
  const server = createServer((request, response) => void serve(request, response));
  server.keepAliveTimeout = 20_000;
  const running = await listening(server);
  return { ...running, origin: `http://${running.host}` };
}

/** An answer whose body is this value as JSON. */
export function asJson(
  status: number,
  value: unknown,
): { status: number; body: string; headers: Record<string, string> } {
  return { status, body: JSON.stringify(value), headers: { 'content-type': 'application/json' } };
}

/** `ms` milliseconds. */
export function pause(ms: number): Promise<void> {
  return new Promise((wake) => setTimeout(wake, ms));
}
