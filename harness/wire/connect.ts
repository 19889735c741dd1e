import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { buildConnector } from 'undici';
import { acceptContinue } from './accept-continue.ts';
import { watchForClientCertificate } from './client-certificate.ts';
import { inheritProxyShare, openTunnel } from './proxy-tunnel.ts';
import { tlsOptionsOf, type ProxyAddress, type Route } from './route.ts';

/** Milliseconds for DNS, TCP and TLS together until an address counts as unreachable. */
export const connectTimeoutMs = 5_000;

const connectTimes = new WeakMap<Socket, number>();
const failedConnections = new WeakMap<Error, Socket>();
const connectors = new WeakMap<Route, buildConnector.connector>();

/** Connects like undici, on this route, and observes the connection from the beginning. */
export function connectorOf(route: Route): buildConnector.connector {
  let connector = connectors.get(route);
  if (!connector) connectors.set(route, (connector = makeConnector(route)));
  return connector;
}

function makeConnector(route: Route): buildConnector.connector {
  const { servername, ...tls } = tlsOptionsOf(route, '');
  const { localAddress = null, proxy } = route;
  const connectPlain = buildConnector({ timeout: connectTimeoutMs, allowH2: false, ...tls });
  return (given, done) => {
    const from = performance.now();
    const named = route.servername === undefined ? given : { ...given, servername };
    const established = (socket: Socket) => {
      connectTimes.set(socket, performance.now() - from);
      acceptContinue(socket);
      done(null, socket);
    };
    const connectWith = (options: buildConnector.Options, tunnel?: Socket) => {
      // Returns the socket synchronously, which its type does not show.
      const connecting = connectPlain(options, (error, socket) => {
        if (error) {
          failedConnections.set(error, connecting);
          done(error, null);
        } else {
          if (tunnel) inheritProxyShare(socket, tunnel);
          established(socket);
        }
      }) as unknown as Socket;
      watchForClientCertificate(connecting, route.cert !== undefined);
    };
    if (!proxy) {
      connectWith({ ...named, localAddress });
      return;
    }
    const { hostname, protocol, port } = given;
    const isSecure = protocol === 'https:';
    const number = port === '' ? (isSecure ? 443 : 80) : Number(port);
    const host = hostname.replace(/^\[(.*)\]$/, '$1');
    const { socket } = openTunnel({ ...route, proxy }, { host, port: number, timeoutMs: connectTimeoutMs });
    socket.then(
      (tunnel) => {
        if (isSecure) connectWith({ ...named, httpSocket: tunnel }, tunnel);
        else established(tunnel.setNoDelay(true));
      },
      (error: Error) => done(error, null),
    );
  };
}

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

/** A connection, or one that is being opened by a proxy and can only be aborted. */
export type Abortable = Socket | { destroy: () => void };

/** Runs a function whose writes to this connection go out together. */
export function corked(socket: Socket | undefined, write: () => void): void {
  socket?.cork();
  try {
    write();
  } finally {
    socket?.uncork();
  }
}

/** A host and a port, and the milliseconds that a proxy may take for a tunnel to them. */
export interface TcpTarget {
  host: string;
  port: number;
  timeoutMs?: number;
}

/**
 * Connects to a host on this route without TLS, directly or in a tunnel of its proxy. `onTcp` receives the connection
 * as soon as it exists: a direct one while it is being established, a tunnel once it is open.
 */
export function connectOnRoute(
  route: Route,
  { host, port, timeoutMs = connectTimeoutMs }: TcpTarget,
  onTcp: (tcp: Abortable) => void,
  done: (error: Error | null, socket?: Socket) => void,
): void {
  const { localAddress, proxy } = route;
  if (proxy) {
    tunnelOnRoute({ ...route, proxy }, { host, port, timeoutMs }, onTcp, done);
    return;
  }
  const tcp = connectTcp({ host, port, ...(localAddress !== undefined && { localAddress }) });
  onTcp(tcp);
  tcp.once('error', done);
  tcp.once('connect', () => {
    tcp.off('error', done);
    done(null, tcp);
  });
}

function tunnelOnRoute(
  route: Route & { proxy: ProxyAddress },
  target: Required<TcpTarget>,
  onTcp: (tcp: Abortable) => void,
  done: (error: Error | null, socket?: Socket) => void,
): void {
  const tunnel = openTunnel(route, target);
  onTcp({ destroy: tunnel.abort });
  tunnel.socket.then((socket) => {
    onTcp(socket);
    done(null, socket);
  }, done);
}

/**
 * The `createConnection` of an HTTP request on this route. `onTcp` receives the underlying TCP connection, which is the
 * one that can be reset. TLS begins once TCP is connected: before, the remote address may still change.
 */
export function creatorOf(route: Route, isSecure: boolean, onTcp: (tcp: Abortable) => void) {
  return (
    { path: _, ...options }: ConnectionOptions & TcpTarget,
    done: (error: Error | null, socket?: Socket) => void,
  ): void => {
    connectOnRoute(route, { host: options.host, port: options.port }, onTcp, (error, tcp) => {
      if (!tcp || !isSecure) {
        done(error, tcp);
        return;
      }
      const secured = connectTls({ ...options, socket: tcp, ...tlsOptionsOf(route, options.host) });
      inheritProxyShare(secured, tcp);
      done(null, secured);
    });
  };
}
