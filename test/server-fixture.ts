import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';

export interface ListeningServer extends AsyncDisposable {
  readonly port: number;
  /** `127.0.0.1:port` */
  readonly host: string;
  /** Number of connections so far. */
  readonly connections: () => number;
}

/**
 * Starts a server of any kind on a free port of 127.0.0.1. Disposing of it ends its connections and waits until it is
 * closed.
 */
export async function listening(server: Server): Promise<ListeningServer> {
  const open = new Set<Socket>();
  let connections = 0;
  server.on('connection', (socket: Socket) => {
    connections++;
    open.add(socket.on('error', () => undefined));
    socket.once('close', () => open.delete(socket));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    host: `127.0.0.1:${port}`,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

export interface RecordedRequest {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: string[];
  readonly bytes: Buffer;
  /** The same as UTF-8. */
  readonly body: string;
}

export interface RecordingServer extends ListeningServer {
  /** Oldest first. */
  readonly requests: RecordedRequest[];
}

/** An HTTP server that records each complete request and then answers it; the response has its request as `req`. */
export async function recordingServer(
  answer: (request: RecordedRequest, response: ServerResponse) => unknown,
): Promise<RecordingServer> {
  const requests: RecordedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = incoming;
      const bytes = Buffer.concat(chunks);
      const request = { method, url, headers, rawHeaders, bytes, body: bytes.toString('utf8') };
      requests.push(request);
      void answer(request, response);
    });
  });
  return { ...(await listening(server)), requests };
}
