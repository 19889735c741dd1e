import type { IncomingHttpHeaders } from 'node:http';
import { recordingServer } from '../../server-fixture.ts';

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
  /** Answers waiting lookups: a lookup whose phone number contains "held" waits for this call. */
  release(of: string): void;
  /** Waits for the first matching request. */
  next(fits: (request: Received) => boolean, withinMs: number): Promise<Received | undefined>;
}

export async function ownSystem(): Promise<OwnSystem> {
  const received: Received[] = [];
  const waiting = new Set<() => void>();
  const held = new Map<string, () => void>();
  const server = await recordingServer(({ method, url: path, headers, body }, response) => {
    // A request with "fails once" fails the first time.
    const again = received.some((one) => one.body === body);
    received.push({ path, headers, body });
    waiting.forEach((look) => look());
    if (method === 'POST') response.writeHead(body.includes('fails once') && !again ? 500 : 200).end();
    else if (path.includes('held')) held.set(path, () => response.end('K-77'));
    else response.end('K-77');
  });
  return {
    ...server,
    url: `http://${server.host}`,
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
  };
}
