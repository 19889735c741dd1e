import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';
import type { EndpointSurface } from '../../specs/surfaces.ts';
import { listening } from '../server-fixture.ts';

/** An endpoint that reads nothing and does nothing: every request gets the same answer. */
export interface DoNothingEndpoint {
  /** Its behaviour, as a column heading. */
  readonly name: string;
  readonly surfaces: readonly EndpointSurface[];
  /** The answer to a request with this body. */
  readonly answer: (body: Buffer) => { status: number; contentType?: string; body?: string | Buffer };
}

const posts: readonly EndpointSurface[] = ['crm-webhook', 'api-webhooks', 'own-ai-chat'];
const always = (status: number, contentType?: string, body?: string) => () => ({
  status,
  ...(contentType !== undefined && { contentType }),
  ...(body !== undefined && { body }),
});

export const doNothingEndpoints: readonly DoNothingEndpoint[] = [
  { name: '204', surfaces: posts, answer: always(204) },
  { name: '200 without a body', surfaces: posts, answer: always(200) },
  { name: '200 {}', surfaces: posts, answer: always(200, 'application/json', '{}') },
  { name: '202', surfaces: posts, answer: always(202) },
  { name: '401', surfaces: posts, answer: always(401) },
  { name: '404', surfaces: posts, answer: always(404) },
  {
    name: '200 with an HTML page',
    surfaces: posts,
    answer: always(200, 'text/html', '<!doctype html><title>Welcome</title><h1>It works!</h1>'),
  },
  {
    name: '200 with the body of the request',
    surfaces: posts,
    answer: (body) => ({ status: 200, contentType: 'application/json', body }),
  },
  { name: 'silent call', surfaces: ['own-ai-phone'], answer: always(404) },
];

/** Starts the endpoint; it accepts every call and stays silent. */
export async function startDoNothing({ answer }: DoNothingEndpoint): Promise<AsyncDisposable & { host: string }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { status, contentType, body } = answer(Buffer.concat(chunks));
      response.writeHead(status, contentType === undefined ? {} : { 'content-type': contentType }).end(body);
    });
  });
  const calls = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => calls.handleUpgrade(request, socket, head, () => undefined));
  return await listening(server);
}
