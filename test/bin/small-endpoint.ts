import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface SmallRequest {
  headers: IncomingHttpHeaders;
  rawHeaders: string[];
  body: string;
}

export interface SmallAnswer {
  status: number;
  headers?: Record<string, string>;
  body?: string;
}

/** A server that answers every request by one function. */
export async function smallEndpoint(
  answer: (request: SmallRequest) => SmallAnswer,
): Promise<AsyncDisposable & { url: string; requests: SmallRequest[] }> {
  const requests: SmallRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, rawHeaders } = request;
      const received = { headers, rawHeaders, body: Buffer.concat(chunks).toString('utf8') };
      requests.push(received);
      const { status, headers: answered = {}, body } = answer(received);
      response.writeHead(status, answered).end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
