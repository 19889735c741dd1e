import { request, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import { listening, type ListeningServer } from '../server-fixture.ts';
import { localCertificate } from '../tls/test-authority.ts';

export interface GatewayRequirements {
  /** The name and value of a header that every request and upgrade must have. */
  header: readonly [name: string, value: string];
  /** Certificate of the CA of the clients, as PEM. */
  clientCa: string;
}

export interface Gateway extends ListeningServer {
  /** Requests and upgrades that it refused. */
  readonly refused: () => number;
}

/** A gateway with a certificate of a private CA that forwards only known clients to a plain port of this machine. */
export async function gateway(port: number, { header, clientCa }: GatewayRequirements): Promise<Gateway> {
  const [name, value] = header;
  let refused = 0;
  const isRefused = ({ headers }: IncomingMessage) => {
    if (headers[name.toLowerCase()] === value) return false;
    refused++;
    return true;
  };
  const tls = { ...localCertificate, ca: clientCa, requestCert: true, rejectUnauthorized: true };
  const server = createServer(tls, (incoming, response) => {
    if (isRefused(incoming)) {
      incoming.resume();
      response.writeHead(403).end('no pass');
      return;
    }
    const { method, url, headers } = incoming;
    const forwarded = request({ host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      pipeline(answer, response, () => undefined);
    });
    forwarded.on('error', () => response.destroy());
    pipeline(incoming, forwarded, () => undefined);
  });
  server.on('upgrade', (incoming, socket, head) => {
    socket.on('error', () => undefined);
    if (isRefused(incoming)) {
      socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
      return;
    }
    const target = connect({ host: '127.0.0.1', port });
    const lines = [`GET ${incoming.url ?? '/'} HTTP/1.1`];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
    }
    target.write(`${lines.join('\r\n')}\r\n\r\n`);
    target.write(head);
    pipeline(socket, target, socket, () => {
      socket.destroy();
      target.destroy();
    });
  });
  return { ...(await listening(server)), refused: () => refused };
}
