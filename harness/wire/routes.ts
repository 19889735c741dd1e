import type { ResolvedConfig } from '../config/settings.ts';
import { environmentProxy, ProxyVariableError } from './environment-proxy.ts';
import { directRoute, routeKeys, type ProxyAddress, type Route, type RouteKey } from './route.ts';

/** Finds how an address is reached. All connections to endpoints are made by its routes. */
export class Routes {
  readonly #known: { url: URL; route: Route }[];
  readonly #others = new Map<string, Route>();

  private constructor(known: { url: URL; route: Route }[]) {
    this.#known = known;
  }

  /** Routes without a config: only the environment decides. */
  static none(): Routes {
    return new Routes([]);
  }

  static of(config: Partial<ResolvedConfig>): Routes {
    return new Routes(
      routeKeys.flatMap((key) => {
        const url = routedAddress(config, key);
        return url === undefined ? [] : [{ url: new URL(url), route: config.routes?.[key] ?? directRoute }];
      }),
    );
  }

  /**
   * The route to an address: that of the closest configured address of its origin. Addresses of other origins, such as
   * those that a client subscribes, receive no headers and no client certificate.
   */
  to(address: string): Route {
    const url = new URL(address);
    let best: { route: Route; closeness: number } | undefined;
    for (const { url: known, route } of this.#known) {
      if (known.origin !== url.origin) continue;
      const closeness = closenessOf(known, url);
      if (!best || closeness > best.closeness) best = { route, closeness };
    }
    return best?.route ?? this.#other(url);
  }

  #other(url: URL): Route {
    let route = this.#others.get(url.origin);
    if (!route) {
      const proxy = usableProxy(url);
      this.#others.set(url.origin, (route = proxy ? { headers: [], proxy } : directRoute));
    }
    return route;
  }
}

/** An invalid variable is an error of the config only where it affects an address of the config. */
function usableProxy(url: URL): ProxyAddress | undefined {
  try {
    return environmentProxy(url, process.env);
  } catch (error) {
    if (error instanceof ProxyVariableError) return undefined;
    throw error;
  }
}

/** The addresses of a config, resolved or not. */
type Addresses = { [Key in Exclude<RouteKey, 'providerStates'>]?: { url: string } } & {
  pact?: { providerStates?: { url: string } };
};

/** The address that a key of the config names. */
export function routedAddress({ pact, ...config }: Addresses, key: RouteKey): string | undefined {
  return key === 'providerStates' ? pact?.providerStates?.url : config[key]?.url;
}

/** Whether requests to these addresses are the same on the wire, where a fragment is not sent. */
export function isSameAddress(one: URL, other: URL): boolean {
  return one.origin === other.origin && one.pathname === other.pathname && one.search === other.search;
}

/**
 * Compares the known addresses of an origin: the address itself is closest, then those whose path is a parent, the
 * longest first, then the others by the number of path segments in common.
 */
function closenessOf(known: URL, url: URL): number {
  if (isSameAddress(known, url)) return Infinity;
  const [own, given] = [segmentsOf(known), segmentsOf(url)];
  const common = own.findIndex((segment, at) => segment !== given[at]);
  return common === -1 ? own.length : -1 / (common + 1);
}

function segmentsOf({ pathname }: URL): string[] {
  return pathname.split('/').filter((segment) => segment !== '');
}
