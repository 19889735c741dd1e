import { connect as connectPlain, isIP } from 'node:net';
import { connect, type ConnectionOptions, type DetailedPeerCertificate } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { hasRequiredClientCertificate, watchForClientCertificate } from '../../harness/wire/client-certificate.ts';

/** What one attempt to secure a connection brought. */
export type Handshake =
  | {
      isUp: true;
      /** The certificates that came, the host's own first. */
      chain: X509Certificate[];
      /** Why this machine does not trust the chain, by OpenSSL's name; `undefined` when it does. */
      distrust: string | undefined;
      protocol: string;
    }
  | { isUp: false; code: string; needsClientCertificate?: boolean };

export interface HandshakeOptions extends Pick<ConnectionOptions, 'minVersion' | 'ciphers' | 'ALPNProtocols'> {
  /** The name that is asked for; an IP address is none. */
  host: string;
  /** The address that is connected to. */
  address: string;
  port: number;
  patienceMs: number;
}

/** Milliseconds in which a server that wants a certificate of ours says so, once the connection stands (RFC 8446, 4.4.2.4). */
const afterwardsMs = 250;
/** Bytes of what a port says of itself that are looked at. */
const greetingBytes = 200;

/** Secures one connection and looks at what comes; trusts nothing and sends nothing over it. Never rejects. */
export function handshake({ host, address, port, patienceMs, ...options }: HandshakeOptions): Promise<Handshake> {
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
    late(patienceMs, { isUp: false, code: 'no answer' });
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

/** The first bytes that a port answers to a plain HTTP request, or says by itself; empty when nothing comes. */
export function plainAnswer({ host, address, port, patienceMs }: HandshakeOptions): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectPlain({ host: address, port });
    const end = (text: string) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(text);
    };
    const timer = setTimeout(() => end(''), patienceMs);
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
