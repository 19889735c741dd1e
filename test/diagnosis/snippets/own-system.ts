import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request that a snippet sent: to the integrator's own system, or as a callback. */
export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
}

/** Replaces the integrator's own system and the service's callback address. */
export interface OwnSystem extends AsyncDisposable {
  url: string;
  received: Received[];
  /** Lets the lookups that ask for this be answered: one whose phone number has the word "held" waits for it. */
  release(of: string): void;
  /** The first request that fits, waited for. */
  next(fits: (request: Received) => boolean, withinMs: number): Promise<Received | undefined>;
}

export async function ownSystem(): Promise<OwnSystem> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const held = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('utf8') };
      // What says that it fails once does.
      const again = received.some(({ body }) => body === one.body);
      received.push(one);
      waiting.forEach((look) => look());
      if (request.method === 'POST') response.writeHead(one.body.includes('fails once') && !again ? 500 : 200).end();
      else if (one.path.includes('held')) held.set(one.path, () => response.end('K-77'));
      else response.end('K-77');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    release: (of) => {
      for (const [path, answer] of held) if (path.includes(of)) answer();
    },
    next: (fits, withinMs) =>
      new Promise((resolve) => {
        const end = (found: Received | undefined) => {
          clearTimeout(timer);
          waiting.delete(look);
          resolve(found);
        };
        const look = () => {
          const found = received.find(fits);
          if (found) end(found);
        };
        const timer = setTimeout(() => end(undefined), withinMs);
        waiting.add(look);
        look();
      }),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
