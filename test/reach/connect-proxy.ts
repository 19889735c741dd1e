import { createServer, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect } from 'node:net';
import { PassThrough, pipeline, Transform } from 'node:stream';
import { listening, type ListeningServer } from '../server-fixture.ts';
import { localCertificate } from '../tls/test-authority.ts';

export interface ConnectProxy extends ListeningServer {
  /** The targets of the requested tunnels. */
  readonly targets: string[];
  /** From now on, the proxy answers CONNECT with this status. */
  refuse: (status: number) => void;
}

export interface ProxyBehaviour {
  /** `user:password` that it requires. */
  credentials?: string;
  /** Milliseconds before it opens a tunnel. */
  delayMs?: number;
  /** Milliseconds by which it delays each part of an answer, as a proxy does that scans them. */
  scanMs?: number;
  /** The connection to the proxy itself uses TLS. */
  isSecure?: boolean;
}

/** An HTTP proxy that opens tunnels (CONNECT). Names below `.test` resolve to this machine. */
export async function connectProxy(behaviour: ProxyBehaviour = {}): Promise<ConnectProxy> {
  const { credentials, delayMs = 0, scanMs = 0, isSecure = false } = behaviour;
  const targets: string[] = [];
  let refusal: number | undefined;
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server: Server = isSecure ? createSecureServer(localCertificate) : createServer();
  server.on('connect', ({ url = '', headers }, client) => {
    targets.push(url);
    client.on('error', () => undefined);
    if (expected !== undefined && headers['proxy-authorization'] !== expected) {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="proxy"\r\n\r\n');
      return;
    }
    if (refusal !== undefined) {
      client.end(`HTTP/1.1 ${refusal} Refused\r\n\r\n`);
      return;
    }
    const { hostname, port } = new URL(`http://${url}`);
    const host = hostname.endsWith('.test') ? '127.0.0.1' : hostname.replace(/^\[(.*)\]$/, '$1');
    setTimeout(() => {
      const target = connect({ host, port: port === '' ? 80 : Number(port) });
      target.once('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
      target.once('connect', () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        pipeline(client, target, delayed(scanMs), client, () => {
          client.destroy();
          target.destroy();
        });
      });
    }, delayMs);
  });
  return { ...(await listening(server)), targets, refuse: (status) => (refusal = status) };
}

function delayed(ms: number): Transform {
  if (ms === 0) return new PassThrough();
  return new Transform({ transform: (chunk: Buffer, _, done) => void setTimeout(() => done(null, chunk), ms) });
}
