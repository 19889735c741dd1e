import { configSecrets, type ResolvedConfig } from '../../harness/config/settings.ts';
import { isWeakSecret } from '../../service/secret-strength.ts';
import type { Route, RouteKey } from '../../harness/wire/route.ts';
import { routedAddress } from '../../harness/wire/routes.ts';
import type { Report } from '../../specs/generated/types.ts';

/** Conditions that weaken the result of a run or affect its times; `undefined` when there are none. */
export function runEnvironment(
  config: ResolvedConfig,
  environment: NodeJS.ProcessEnv = process.env,
): Report['environment'] {
  const weakSecrets = configSecrets(config)
    .filter(({ value }) => isWeakSecret(value))
    .map(({ name }) => name);
  const routes = Object.entries(config.routes ?? {}) as [RouteKey, Route][];
  const insecure = routes.flatMap(([key, route]) =>
    route.insecure && isSecured(routedAddress(config, key)) ? key : [],
  );
  const isByVariable = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  const isUnverified = isByVariable || insecure.length > 0;
  const proxies = usedProxies(routes);
  const { openHosts = [] } = config;
  if (!isUnverified && weakSecrets.length + proxies.length + openHosts.length === 0) return undefined;
  return {
    ...(isUnverified && { tlsVerification: 'disabled' as const }),
    ...(insecure.length > 0 && { insecure, ...(isByVariable && { insecureByVariable: true as const }) }),
    ...(proxies.length > 0 && { proxies }),
    ...(openHosts.length > 0 && { allowedHttp: [...openHosts] }),
    ...(weakSecrets.length > 0 && { weakSecrets }),
  };
}

function isSecured(address: string | undefined): boolean {
  return address !== undefined && /^(?:https|wss):/i.test(address);
}

function usedProxies(routes: readonly [RouteKey, Route][]): { url: string; keys: RouteKey[] }[] {
  const proxies = new Map<string, RouteKey[]>();
  for (const [key, { proxy }] of routes) {
    if (proxy) proxies.set(proxy.shown, [...(proxies.get(proxy.shown) ?? []), key]);
  }
  return [...proxies].map(([url, keys]) => ({ url, keys }));
}
