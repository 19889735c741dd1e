import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import { acceptContinue } from './accept-continue.ts';
import { watchForClientCertificate } from './client-certificate.ts';

/** Milliseconds for DNS, TCP and TLS together until an address counts as unreachable. */
export const connectTimeoutMs = 5_000;

const connectTimes = new WeakMap<Socket, number>();
const failedConnections = new WeakMap<Error, Socket>();

const connectPlain = buildConnector({ timeout: connectTimeoutMs, allowH2: false });

/** Connects like undici, and observes the connection from the beginning. */
export const connect: buildConnector.connector = (options, done) => {
  const from = performance.now();
  // Returns the socket synchronously, which its type does not show.
  const connecting = connectPlain(options, (error, socket) => {
    if (error) {
      failedConnections.set(error, connecting);
      done(error, null);
    } else {
      connectTimes.set(socket, performance.now() - from);
      acceptContinue(socket);
      done(null, socket);
    }
  }) as unknown as Socket;
  watchForClientCertificate(connecting);
};

/** Connection time in milliseconds for the first request on a connection; `null` for later ones. */
export function takeConnectMs(socket: Socket): number | null {
  const ms = connectTimes.get(socket) ?? null;
  connectTimes.delete(socket);
  return ms;
}

/** The failed connection of an error. */
export function failedConnection(error: Error): Socket | undefined {
  return failedConnections.get(error);
}

/**
 * Connects over TLS and exposes the underlying TCP connection, which is the one that can be reset. TLS begins once TCP
 * is connected: before, the remote address may still change.
 */
export function connectOverTcp(
  options: ConnectionOptions & { host: string; port: number },
  onTcp: (tcp: Socket) => void,
  done: (error: Error | null, socket?: Socket) => void,
): void {
  const { host, port } = options;
  const tcp = connectTcp({ host, port });
  onTcp(tcp);
  tcp.once('error', done);
  tcp.once('connect', () => {
    tcp.off('error', done);
    done(null, connectTls({ ...options, socket: tcp, servername: isIP(host) === 0 ? host : '' }));
  });
}
