import { connect as connectPlain, isIP } from 'node:net';
import { connect, type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { hasRequiredClientCertificate, watchForClientCertificate } from '../../harness/wire/client-certificate.ts';

/** Result of one TLS handshake. */
export type Handshake =
  | {
      isUp: true;
      /** The received certificates, that of the host first. */
      chain: X509Certificate[];
      /** OpenSSL's code for why this machine does not trust the chain; `undefined` if it does. */
      distrust: string | undefined;
      protocol: string;
    }
  | { isUp: false; code: string; needsClientCertificate?: boolean };

export interface HandshakeOptions extends Pick<ConnectionOptions, 'minVersion' | 'ciphers' | 'ALPNProtocols'> {
  /** The server name (SNI), omitted for an IP address. */
  host: string;
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
export function handshake({ host, address, port, timeoutMs, ...options }: HandshakeOptions): Promise<Handshake> {
  return new Promise((resolve) => {
    const servername = isIP(host) === 0 ? { servername: host } : {};
    const socket = connect({
      host: address,
      port,
      ...servername,
      ALPNProtocols: ['http/1.1'],
      ...options,
      rejectUnauthorized: false,
    });
    const timers: NodeJS.Timeout[] = [];
    const end = (outcome: Handshake) => {
      timers.forEach(clearTimeout);
      socket.destroy();
      resolve(outcome);
    };
    const late = (ms: number, outcome: Handshake) => timers.push(setTimeout(() => end(outcome), ms));
    late(timeoutMs, { isUp: false, code: 'no answer' });
    socket.once('secureConnect', () => {
      const { authorizationError } = socket as { authorizationError?: Error | string | null };
      const up: Handshake = {
        isUp: true,
        chain: chainOf(socket.getPeerCertificate(true)),
        distrust: codeOf(authorizationError),
        protocol: socket.getProtocol() ?? 'TLS',
      };
      socket.once('session', () => end(up));
      late(afterwardsMs, up);
    });
    watchForClientCertificate(socket);
    socket.on('error', (error: NodeJS.ErrnoException) => {
      const code = error.code ?? error.message;
      end({ isUp: false, code, needsClientCertificate: hasRequiredClientCertificate(socket) });
    });
    socket.once('close', () => end({ isUp: false, code: 'closed' }));
  });
}

/** The first bytes that a port sends, by itself or in answer to a plain HTTP request; empty without any. */
export function plainAnswer({ host, address, port, timeoutMs }: HandshakeOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host: address, port });
    const end = (text: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => end(''), timeoutMs);
    socket.once('connect', () => socket.write(`HEAD / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`));
    socket.once('data', (data: Buffer) => end(data.subarray(0, greetingBytes).toString('latin1')));
    socket.once('error', () => end(''));
    socket.once('close', () => end(''));
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
