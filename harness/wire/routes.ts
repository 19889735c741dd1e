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
   * The route to an address. Among the configured addresses of its origin, the one with the most similar path decides.
   * Other addresses, such as those that a client subscribes, receive no headers and no client certificate.
   */
  to(address: string): Route {
    const url = new URL(address);
    let best: { route: Route; length: number } | undefined;
    for (const { url: known, route } of this.#known) {
      if (known.origin !== url.origin) continue;
      const length = commonLength(known.href, url.href);
      if (!best || length > best.length) best = { route, length };
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

/** The address that a key of the config names. */
export function routedAddress({ pact, ...config }: Partial<ResolvedConfig>, key: RouteKey): string | undefined {
  return key === 'providerStates' ? pact?.providerStates?.url : config[key]?.url;
}

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length++;
  return length;
}
