import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP, type Socket } from 'node:net';
import type { Times } from './observation.ts';
import { tlsOptionsOf, type ProxyAddress, type Route } from './route.ts';

/** Answers of a proxy that could not connect to the endpoint (RFC 9110, 15.6). */
const unconnected: readonly (number | undefined)[] = [502, 503, 504];

/** The quickest answer of one endpoint through one proxy: no part of it that the proxy caused can have been longer. */
interface RoundTrips {
  quickestMs?: number;
}

const roundTrips = new WeakMap<ProxyAddress, Map<string, RoundTrips>>();

const shares = new WeakMap<Socket, { readonly openedMs: number; readonly trips: RoundTrips }>();

/** The proxy did not open a tunnel. */
export class ProxyError extends Error {
  override readonly name = 'ProxyError';
  /** The status of its answer; `undefined` without an answer. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.status = status;
  }

  /** The proxy works, but could not connect to the endpoint. */
  get isEndpoints(): boolean {
    return unconnected.includes(this.status);
  }
}

/** A tunnel that is being opened. `abort` ends it, before and after it is open. */
export interface OpeningTunnel {
  socket: Promise<Socket>;
  abort: () => void;
}

/** Asks a proxy for a tunnel to this host. `socket` rejects with a {@link ProxyError}. */
export function openTunnel(
  route: Route & { proxy: ProxyAddress },
  { host, port, timeoutMs }: { host: string; port: number; timeoutMs: number },
): OpeningTunnel {
  const { proxy, localAddress } = route;
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const from = performance.now();
  const authorization = authorizationOf(proxy);
  const options = {
    method: 'CONNECT',
    host: proxy.host,
    port: proxy.port,
    path: target,
    headers: { Host: target, ...(authorization !== undefined && { 'Proxy-Authorization': authorization }) },
    agent: false as const,
    ...(localAddress !== undefined && { localAddress }),
  };
  const request = proxy.isSecure
    ? requestSecure({
        ...options,
        ...tlsOptionsOf({ headers: [], ...(route.ca !== undefined && { ca: route.ca }) }, proxy.host),
      })
    : requestPlain(options);
  let opened: Socket | undefined;
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    request.destroy();
  }, timeoutMs);
  const socket = new Promise<Socket>((resolve, reject) => {
    request.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      const why = isLate ? `did not answer within ${timeoutMs} ms` : describe(error);
      reject(new ProxyError(`the proxy ${proxy.shown} ${why}`));
    });
    request.once('connect', ({ statusCode = 0 }, wire: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode < 200 || statusCode > 299) {
        wire.destroy();
        reject(refusal(proxy, target, statusCode));
        return;
      }
      // A reset of the tunnel before its user listens is reported by the first read or write.
      opened = wire.on('error', () => undefined);
      if (head.length > 0) wire.unshift(head);
      shares.set(wire, { openedMs: performance.now() - from, trips: tripsTo(target, proxy) });
      resolve(wire);
    });
    request.end();
  });
  socket.catch(() => undefined);
  return {
    socket,
    abort: () => {
      request.destroy();
      opened?.destroy();
    },
  };
}

function tripsTo(target: string, proxy: ProxyAddress): RoundTrips {
  const known = roundTrips.get(proxy) ?? new Map<string, RoundTrips>();
  roundTrips.set(proxy, known);
  const trips = known.get(target) ?? {};
  known.set(target, trips);
  return trips;
}

/**
 * Milliseconds that the proxy may add to an exchange on this connection; 0 without a proxy. A slow path shows in the time
 * in which the proxy opened the tunnel, and a proxy that delays what it forwards in the quickest answer through it.
 */
export function proxyShareMs(socket: Socket | undefined): number {
  const share = socket && shares.get(socket);
  return share ? Math.max(share.openedMs, share.trips.quickestMs ?? 0) : 0;
}

/** Records how many milliseconds an answer on this connection took, from the first byte sent. */
export function recordRoundTrip(socket: Socket | undefined, ms: number): void {
  const share = socket && shares.get(socket);
  if (share) share.trips.quickestMs = Math.min(ms, share.trips.quickestMs ?? Infinity);
}

/** Notes the share of the proxy in the set-up of a call: it includes the opening of the tunnel and a round trip in it. */
export function noteSetUpShare(times: Times, wire: Socket | undefined): void {
  const share = proxyShareMs(wire);
  if (share > 0) times.proxyMs = 2 * share;
}

/** Assigns the share of a tunnel to the TLS connection in it. */
export function inheritProxyShare(secured: Socket, tunnel: Socket): void {
  const share = shares.get(tunnel);
  if (share) shares.set(secured, share);
}

function refusal({ shown, credentials }: ProxyAddress, target: string, status: number): ProxyError {
  if (status !== 407) return new ProxyError(`the proxy ${shown} answered CONNECT ${target} with ${status}`, status);
  const how = credentials
    ? 'it does not accept the given user name and password'
    : 'it requires a user name and password; write them into its address (http://user:password@…), in the environment';
  return new ProxyError(`the proxy ${shown} answered 407: ${how}`, status);
}

function authorizationOf({ credentials }: ProxyAddress): string | undefined {
  if (!credentials) return undefined;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`, 'utf8').toString('base64')}`;
}

function describe({ code, message }: NodeJS.ErrnoException): string {
  return `cannot be used: ${message || code || 'the connection failed'}`;
}
