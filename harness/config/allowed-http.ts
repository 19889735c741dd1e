import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { ConfigProblem } from '../../specs/faults/config-problem.ts';
import { isLoopback } from '../../specs/is-loopback.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isLocalAddress } from '../wire/is-local-network.ts';
import { routeKeys, type ProxyAddress } from '../wire/route.ts';
import { routedAddress, Routes } from '../wire/routes.ts';
import type { ResolvedConfig } from './settings.ts';

/** Addresses to which a name resolves. */
type Resolve = (hostname: string) => Promise<readonly { address: string }[]>;

/**
 * Names that no public name server answers: those without a dot, as of a compose service, and those of private zones
 * (RFC 6762, RFC 8375, RFC 9476, `.internal` of ICANN, and the default zone of Kubernetes).
 */
const privateName = /^[^.]+$|\.(?:internal|local|svc|home\.arpa|alt|test)$/;

/** A host of `allowHttp` as `URL.hostname` has it. */
export function normalHost(host: string): string {
  const bare = host
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/^\[(.*)\]$/, '$1');
  if (isIP(bare) !== 6) return bare;
  // An address has several forms (RFC 5952); one with a zone is not a URL.
  return URL.parse(`http://[${bare}]`)?.hostname ?? `[${bare}]`;
}

/** Whether http: and ws: are usual for a host: it is an address of a private range, or a name that is private by its form. */
export function isPrivateHost(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(address) === 0 ? privateName.test(hostname) : isLocalAddress(address);
}

/** The first host of `allowHttp` that is a public address; `undefined` if there is none. Names are not resolved. */
export function allowHttpProblem(hosts: readonly string[] = []): ConfigProblem | undefined {
  const publicAddress = hosts.map(normalHost).find((host) => {
    const address = host.replace(/^\[(.*)\]$/, '$1');
    return isIP(address) !== 0 && !isLocalAddress(address);
  });
  if (publicAddress === undefined) return undefined;
  return {
    key: 'allowHttp',
    expected: 'a host in a private network',
    received: `${publicAddress}, which is public`,
    hint: 'Use https: or wss: for this host.',
  };
}

/**
 * Resolves the hosts to which `allowHttp` lets this config send unencrypted. Throws {@link HarnessFault}
 * `address-not-allowed` for a name with a public address, for one that cannot be resolved and may be public, and for a
 * host that is reached through a proxy, which resolves the name itself.
 */
export async function assertPrivateHosts(
  config: Partial<ResolvedConfig>,
  resolve: Resolve = (hostname) => lookup(hostname, { all: true }),
): Promise<void> {
  const { openHosts = [] } = config;
  for (const host of openHosts) {
    if (isLoopback(host)) continue;
    const proxy = proxyTo(host, config);
    if (proxy) throw new HarnessFault('address-not-allowed:proxy', { host, proxy: proxy.shown });
    if (isIP(host.replace(/^\[(.*)\]$/, '$1')) !== 0) continue;
    let addresses: readonly { address: string }[];
    try {
      addresses = await resolve(host);
    } catch (error) {
      if (isPrivateHost(host)) continue;
      const { code = String(error) } = error as NodeJS.ErrnoException;
      throw new HarnessFault('address-not-allowed:unresolved', { host, reason: code }, { cause: error });
    }
    const found = addresses.find(({ address }) => !isLocalAddress(address));
    if (found) throw new HarnessFault('address-not-allowed:public', { host, address: found.address });
  }
}

/** The proxy through which a host receives unencrypted traffic; `undefined` if there is none. */
function proxyTo(host: string, config: Partial<ResolvedConfig>): ProxyAddress | undefined {
  const routes = Routes.of(config);
  const broker = config.pact?.broker?.url;
  const addresses = [...routeKeys.map((key) => routedAddress(config, key)), broker].flatMap((address) => {
    const url = address === undefined ? null : URL.parse(address);
    return url && /^(?:http|ws):$/.test(url.protocol) && normalHost(url.hostname) === host ? [url.href] : [];
  });
  return addresses.map((address) => routes.to(address).proxy).find((proxy) => proxy !== undefined);
}
