import { recordingServer, type RecordedRequest } from '../server-fixture.ts';

export type Attempt = Pick<RecordedRequest, 'method' | 'url' | 'headers' | 'body'>;

/** `cut`: the connection ends without an answer. `never`: no answer comes. */
export type Reply = 'cut' | 'never' | { status: number; headers?: Record<string, string>; body?: string };

/** An API that answers requests with the given replies in order, and repeats the last one. */
export async function scriptedApi(
  ...replies: readonly Reply[]
): Promise<AsyncDisposable & { url: string; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  const server = await recordingServer(({ method, url, headers, body }, response) => {
    const reply = replies[Math.min(attempts.length, replies.length - 1)] ?? { status: 500 };
    attempts.push({ method, url, headers, body });
    if (reply === 'cut') response.req.socket.destroy();
    else if (reply !== 'never') response.writeHead(reply.status, reply.headers).end(reply.body);
  });
  return { ...server, url: `http://${server.host}`, attempts };
}

/** A clock that advances only while code waits on it. */
export function steppedClock(): { now: () => number; wait: (ms: number) => Promise<void>; waits: number[] } {
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
