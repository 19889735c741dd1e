import { HarnessFault } from '../harness/checks/faults.ts';
import type { ResolvedConfig } from '../harness/config/settings.ts';
import { containerAddress } from '../harness/container/container-address.ts';
import { isLoopback } from '../specs/is-loopback.ts';
import { configKeyOf, type EndpointSurface } from '../specs/surfaces.ts';

/** Hosts of these surfaces that are not this machine. */
export function remoteHosts(config: ResolvedConfig, surfaces: readonly EndpointSurface[]): string[] {
  const hosts = surfaces.map((surface) => new URL(config[configKeyOf(surface)]?.url ?? '').hostname);
  return [...new Set(hosts.filter((host) => !isLoopback(host)))];
}

/**
 * A load may disturb others: an endpoint on another machine needs a confirmation.
 *
 * @throws HarnessFault `address-not-confirmed`, or `container-not-supported` for an address in a container to start
 */
export function assertConfirmed(
  config: ResolvedConfig,
  surfaces: readonly EndpointSurface[],
  isConfirmed: (host: string) => boolean,
): void {
  const inContainer = containerAddress(config);
  if (inContainer !== undefined) throw new HarnessFault('container-not-supported:load', { address: inContainer });
  const host = remoteHosts(config, surfaces).find((remote) => !isConfirmed(remote));
  if (host !== undefined) throw new HarnessFault('address-not-confirmed:load', { host });
}
