import type { ConnectionOptions, SecureContext } from 'node:tls';
import { isIP } from 'node:net';

/** An HTTP proxy that opens tunnels (CONNECT, RFC 9110, 9.3.6). */
export interface ProxyAddress {
  host: string;
  port: number;
  /** The connection to the proxy itself uses TLS. */
  isSecure: boolean;
  /** The address without credentials. */
  shown: string;
  credentials?: { user: string; password: string };
}

/** How the addresses of one config key are reached. It can be posted to a worker. */
export interface Route {
  /** Headers that a gateway in front of the endpoint requires. They are sent, and never recorded. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Certificates of CAs to trust in addition to those of Node.js, as PEM. */
  ca?: string;
  /** The client certificate, as PEM; always with `key`. */
  cert?: string;
  key?: string;
  /** Any certificate of the server is accepted. */
  insecure?: true;
  /** The server name (SNI) to request and to verify; default: the host of the address. */
  servername?: string;
  proxy?: ProxyAddress;
  /** The local IP address from which connections are made. */
  localAddress?: string;
}

/** Keys of the config that name addresses of the endpoint. */
export const routeKeys = ['crmWebhook', 'apiWebhooks', 'chat', 'phone', 'observe', 'providerStates'] as const;
export type RouteKey = (typeof routeKeys)[number];

/** A connection without anything in between. */
export const directRoute: Route = { headers: [] };

type RouteTls = { servername: string } & Pick<ConnectionOptions, 'secureContext' | 'rejectUnauthorized'>;

const contexts = new WeakMap<Route, SecureContext>();

/** The TLS options of a route for a connection to this host. */
export function tlsOptionsOf(route: Route, host: string): RouteTls {
  const name = route.servername ?? host;
  return {
    servername: isIP(name) === 0 ? name : '',
    ...((route.ca ?? route.cert) !== undefined && { secureContext: contextOf(route) }),
    // Absent unless configured, because it would override NODE_TLS_REJECT_UNAUTHORIZED.
    ...(route.insecure && { rejectUnauthorized: false }),
  };
}

/** Throws an error of OpenSSL if certificates and key cannot be used. */
export function contextOf(route: Route): SecureContext {
  let context = contexts.get(route);
  if (!context) {
    const { ca, cert, key } = route;
    // Loaded only for routes with certificates: it takes longer than all other modules that read a config.
    const { createSecureContext, getCACertificates } = process.getBuiltinModule('node:tls');
    context = createSecureContext({
      ...(ca !== undefined && { ca: [...getCACertificates('default'), ca] }),
      ...(cert !== undefined && { cert, key }),
    });
    contexts.set(route, context);
  }
  return context;
}

/** Adds the headers of a route; they replace ours of the same name. */
export function withRouteHeaders(
  headers: readonly (readonly [string, string])[],
  route: Route,
): readonly (readonly [string, string])[] {
  if (route.headers.length === 0) return headers;
  const names = new Set(route.headers.map(([name]) => name.toLowerCase()));
  return [...headers.filter(([name]) => !names.has(name.toLowerCase())), ...route.headers];
}
