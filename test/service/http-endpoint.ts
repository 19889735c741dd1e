import { recordingServer } from '../server-fixture.ts';

/** One received request. */
export interface Seen<Event> {
  path: string;
  method: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: Buffer;
  /** The body as JSON of the expected type. */
  json: Event;
}

/** Reaction to a request; `silence`: never answers; `cut`: ends the connection without an answer. */
export type HttpAnswer =
  { status: number; body?: string | object; headers?: Record<string, string> } | 'silence' | 'cut';

type Answering<Event> = (seen: Seen<Event>, nth: number) => HttpAnswer | Promise<HttpAnswer>;

export interface HttpEndpoint<Event> extends AsyncDisposable {
  url: string;
  /** Oldest first. */
  requests: Seen<Event>[];
  /** Sets the reaction from now on; default: 204. `nth` counts from 1. */
  answerWith: (answer: Answering<Event>) => void;
}

/** An integrator's endpoint on plain node:http, independent of the harness. */
export async function httpEndpoint<Event>(path: string): Promise<HttpEndpoint<Event>> {
  let answer: Answering<Event> = () => ({ status: 204 });
  const requests: Seen<Event>[] = [];
  const server = await recordingServer(async ({ method, url, headers, bytes, body }, response) => {
    const seen = {
      path: url,
      method,
      headers: headers as Record<string, string>,
      body: bytes,
      json: JSON.parse(body) as Event,
    };
    const what = await answer(seen, requests.push(seen));
    if (what === 'silence') return;
    if (what === 'cut') {
      response.req.socket.destroy();
      return;
    }
    response.writeHead(what.status, what.headers);
    response.end(typeof what.body === 'object' ? JSON.stringify(what.body) : what.body);
  });
  return { ...server, url: `http://${server.host}${path}`, requests, answerWith: (other) => (answer = other) };
}
