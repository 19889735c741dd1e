import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import { acceptContinue } from './accept-continue.ts';
import { watchForClientCertificate } from './client-certificate.ts';

/** Milliseconds for name look-up, TCP and TLS together, before an address counts as unreachable. */
export const connectTimeoutMs = 5_000;

const connectTimes = new WeakMap<Socket, number>();
const failedConnections = new WeakMap<Error, Socket>();

const connectPlain = buildConnector({ timeout: connectTimeoutMs, allowH2: false });

/** Connects as undici does, and observes the connection from its beginning. */
export const connect: buildConnector.connector = (options, done) => {
  const from = performance.now();
  // Its type does not say that it returns the socket at once.
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

/** Milliseconds that the connection took to be made, for the first request on it; `null` for the others. */
export function takeConnectMs(socket: Socket): number | null {
  const ms = connectTimes.get(socket) ?? null;
  connectTimes.delete(socket);
  return ms;
}

/** The connection that could not be made, by the error that says so. */
export function failedConnection(error: Error): Socket | undefined {
  return failedConnections.get(error);
}

/**
 * Connects over TLS and hands out the TCP connection below it, since only that one can be reset. TLS begins when that one
 * is made: before, the address that it is made to may still change.
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
