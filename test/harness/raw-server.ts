import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** One request as received. */
export interface RawRequest {
  /** Request line and headers, as written. */
  head: string;
  body: Buffer;
  /** Number of its connection to the server, from 1. */
  connection: number;
}

export interface RawServer extends AsyncDisposable {
  port: number;
  /** `http://127.0.0.1:port`, `https:` with TLS */
  origin: string;
  requests: RawRequest[];
  /** Number of connections so far. */
  connections: () => number;
  /** The connections still open. */
  open: ReadonlySet<Socket>;
  /** Ends all connections like a process that crashes, and listens again at the same port after a moment. */
  crash: () => void;
}

/** Milliseconds from a crash until the server listens again: long enough for each client to see that nothing listens. */
const downMs = 500;

/** Listens on a free port and passes every complete request to `answer`, which writes arbitrary bytes. */
export async function rawServer(
  answer: (socket: Socket, request: RawRequest, count: number) => void,
  tls?: TlsOptions,
): Promise<RawServer> {
  const requests: RawRequest[] = [];
  const open = new Set<Socket>();
  let connections = 0;
  let restart: NodeJS.Timeout | undefined;
  const onConnection = (socket: Socket) => {
    const connection = ++connections;
    open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      for (let cut = cutRequest(received); cut !== undefined; cut = cutRequest(received)) {
        received = received.subarray(cut.length);
        const request = { head: cut.head, body: cut.body, connection };
        requests.push(request);
        answer(socket, request, requests.length);
      }
    });
  };
  const server = tls ? createTlsServer(tls, onConnection) : createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    origin: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    requests,
    connections: () => connections,
    open,
    crash() {
      server.close(() => {
        restart = setTimeout(() => server.listen(port, '127.0.0.1'), downMs);
      });
      for (const socket of open) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      clearTimeout(restart);
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

function cutRequest(bytes: Buffer): { head: string; body: Buffer; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.subarray(0, end).toString('latin1');
  const size = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const length = end + 4 + size;
  return bytes.length < length ? undefined : { head, body: bytes.subarray(end + 4, length), length };
}

/** An answer with these headers and a correct Content-Length. */
export function answerText(status: string, headers: Record<string, string> = {}, body: string | Buffer = ''): Buffer {
  const all = { ...headers, 'Content-Length': String(Buffer.byteLength(body)) };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${status}\r\n${lines.join('')}\r\n`), Buffer.from(body)]);
}
