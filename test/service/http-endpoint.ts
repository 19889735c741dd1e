import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as an integrator saw it. */
export interface Seen<Event> {
  path: string;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body as JSON, taken to be what is sent there. */
  json: Event;
}

/** What the integrator does about a request; `silence`: never answers; `cut`: ends the connection without a word. */
export type HttpAnswer =
  { status: number; body?: string | object; headers?: Record<string, string> } | 'silence' | 'cut';

type Answering<Event> = (seen: Seen<Event>, nth: number) => HttpAnswer | Promise<HttpAnswer>;

export interface HttpEndpoint<Event> extends AsyncDisposable {
  url: string;
  /** Oldest first. */
  requests: Seen<Event>[];
  /** From now on; default 204. `nth` counts from 1. */
  answerWith: (answer: Answering<Event>) => void;
}

/** An integrator's endpoint on plain node:http. Knows nothing of the harness. */
export async function httpEndpoint<Event>(path: string): Promise<HttpEndpoint<Event>> {
  let answer: Answering<Event> = () => ({ status: 204 });
  const requests: Seen<Event>[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const seen = {
      path: request.url ?? '',
      method: request.method ?? '',
      headers: request.headers as Record<string, string>,
      body,
      json: JSON.parse(body.toString('utf8')) as Event,
    };
    const what = await answer(seen, requests.push(seen));
    if (what === 'silence') return;
    if (what === 'cut') {
      request.socket.destroy();
      return;
    }
    response.writeHead(what.status, what.headers);
    response.end(typeof what.body === 'object' ? JSON.stringify(what.body) : what.body);
  };
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    requests,
    answerWith: (other) => (answer = other),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}
