import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Attempt {
  method: string;
  /** Path and query. */
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** `cut`: the connection ends without an answer. `never`: no answer comes. */
export type Reply = 'cut' | 'never' | { status: number; headers?: Record<string, string>; body?: string };

/** An API that answers requests with the given replies in order, and repeats the last one. */
export async function scriptedApi(
  ...replies: readonly Reply[]
): Promise<AsyncDisposable & { url: string; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const reply = replies[Math.min(attempts.length, replies.length - 1)] ?? { status: 500 };
      attempts.push({ method, url, headers, body: Buffer.concat(chunks).toString('utf8') });
      if (reply === 'cut') request.socket.destroy();
      else if (reply !== 'never') response.writeHead(reply.status, reply.headers).end(reply.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    attempts,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A clock that advances only while code waits on it. */
export function patientClock(): { now: () => number; wait: (ms: number) => Promise<void>; waits: number[] } {
  const waits: number[] = [];
  let ms = 0;
  return {
    waits,
    now: () => ms,
    wait: async (pause) => {
      waits.push(pause);
      ms += pause;
    },
  };
}
