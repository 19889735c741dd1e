import type { Socket } from 'node:net';
import { connect, type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { clientCertificateNeed, watchForClientCertificate } from '../../harness/wire/client-certificate.ts';
import { connectOnRoute, type Abortable } from '../../harness/wire/connect.ts';
import { tlsOptionsOf, type Route } from '../../harness/wire/route.ts';

/** A secured connection. */
export interface Secured {
  isUp: true;
  /** The received certificates, that of the host first. */
  chain: X509Certificate[];
  /** OpenSSL's code for why this machine does not trust the chain; `undefined` if it does. */
  distrust: string | undefined;
  protocol: string;
}

/** Result of one TLS handshake. */
export type Handshake =
  | Secured
  | {
      isUp: false;
      code: string;
      needsClientCertificate?: 'any' | 'another' | undefined;
      /** What the connection showed before the server ended it. */
      secured?: Secured | undefined;
    };

export interface HandshakeOptions extends Pick<ConnectionOptions, 'minVersion' | 'ciphers' | 'ALPNProtocols'> {
  /** The server name (SNI) unless the route has one, omitted for an IP address. */
  host: string;
  route: Route;
  /** The address to connect to. */
  address: string;
  port: number;
  timeoutMs: number;
}

/** Milliseconds after the handshake in which a server may demand a client certificate (RFC 8446, 4.4.2.4). */
const afterwardsMs = 250;
/** Inspected bytes of a greeting. */
const greetingBytes = 200;

/** Performs one TLS handshake without verifying or sending anything. Never rejects. */
export function handshake({ host, route, address, port, timeoutMs, ...options }: HandshakeOptions): Promise<Handshake> {
  return new Promise((resolve) => {
    const timers: NodeJS.Timeout[] = [];
    let tcp: Abortable | undefined;
    const end = (outcome: Handshake) => {
      timers.forEach(clearTimeout);
      tcp?.destroy();
      resolve(outcome);
    };
    const late = (ms: number, outcome: Handshake) => timers.push(setTimeout(() => end(outcome), ms));
    late(timeoutMs, { isUp: false, code: 'no answer' });
    const secure = (wire: Socket) => {
      const socket = connect({
        socket: wire,
        ...tlsOptionsOf(route, host),
        ALPNProtocols: ['http/1.1'],
        ...options,
        rejectUnauthorized: false,
      });
      tcp = socket;
      let secured: Secured | undefined;
      socket.once('secureConnect', () => {
        const { authorizationError } = socket as { authorizationError?: Error | string | null };
        const up: Secured = {
          isUp: true,
          chain: chainOf(socket.getPeerCertificate(true)),
          distrust: codeOf(authorizationError),
          protocol: socket.getProtocol() ?? 'TLS',
        };
        secured = up;
        socket.once('session', () => end(up));
        late(afterwardsMs, up);
      });
      watchForClientCertificate(socket, route.cert !== undefined);
      socket.on('error', (error: NodeJS.ErrnoException) => {
        const code = error.code ?? error.message;
        end({ isUp: false, code, needsClientCertificate: clientCertificateNeed(socket), secured });
      });
      socket.once('close', () => end({ isUp: false, code: 'closed' }));
    };
    connectOnRoute(
      route,
      { host: address, port, timeoutMs },
      (opening) => (tcp = opening),
      (error: NodeJS.ErrnoException | null, wire) => {
        if (wire) secure(wire);
        else end({ isUp: false, code: error?.code ?? error?.message ?? 'closed' });
      },
    );
  });
}

/** The first bytes that a port sends, by itself or in answer to a plain HTTP request; empty without any. */
export function plainAnswer({ host, route, address, port, timeoutMs }: HandshakeOptions): Promise<string> {
  return new Promise((resolve) => {
    let tcp: Abortable | undefined;
    const end = (text: string) => {
      clearTimeout(timer);
      tcp?.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => end(''), timeoutMs);
    const ask = (socket: Socket) => {
      socket.once('data', (data: Buffer) => end(data.subarray(0, greetingBytes).toString('latin1')));
      socket.once('error', () => end(''));
      socket.once('close', () => end(''));
      socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    };
    connectOnRoute(
      route,
      { host: address, port, timeoutMs },
      (opening) => (tcp = opening),
      (_, socket) => {
        if (socket) ask(socket);
        else end('');
      },
    );
  });
}

function codeOf(error: Error | string | null | undefined): string | undefined {
  if (error === null || error === undefined) return undefined;
  return typeof error === 'string' ? error : ((error as NodeJS.ErrnoException).code ?? error.message);
}

function chainOf(first: DetailedPeerCertificate): X509Certificate[] {
  const chain: X509Certificate[] = [];
  const seen = new Set<string>();
  for (let at: DetailedPeerCertificate | undefined = first; at?.raw; at = at.issuerCertificate) {
    if (seen.has(at.fingerprint256)) break;
    seen.add(at.fingerprint256);
    chain.push(new X509Certificate(at.raw));
  }
  return chain;
}
