import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { ContainerRuntimeClient } from 'testcontainers';
import { isOwnAddress } from '../wire/free-port.ts';

/** How a container reaches the simulated service, which runs in this process. */
export interface ContainerRoute {
  /** The address of this machine on which the service listens: as narrow as possible. */
  listen: string;
  /** The host name or address by which the container reaches it. */
  host: string;
  /** Additional host names in the container. */
  extraHosts: { host: string; ipAddress: string }[];
}

/** Host name of the Docker host inside containers. */
const machineName = 'host.docker.internal';
/** Alias of the Docker host, which the runtime resolves. */
const machineAddress = 'host-gateway';
/** The default network of containers. */
const usualNetwork = 'bridge';

/**
 * Determines how a container reaches this process: by the bridge if its address is ours (Linux), by the host name of
 * the Docker host if containers run in a virtual machine (Docker Desktop), and by our own address if we run in a
 * container or the containers run elsewhere.
 */
export async function routeFromContainer({ container, info }: ContainerRuntimeClient): Promise<ContainerRoute> {
  const network = (await container.dockerode
    .getNetwork(usualNetwork)
    .inspect()
    .catch(() => undefined)) as { IPAM?: { Config?: AddressRange[] | null } } | undefined;
  for (const range of network?.IPAM?.Config ?? []) {
    const bridge = gatewayOf(range);
    // Tested by listening: a bridge without containers is not among the interfaces that Node lists.
    if (bridge === undefined || !(await isOwnAddress(bridge))) continue;
    return { listen: bridge, host: machineName, extraHosts: [{ host: machineName, ipAddress: bridge }] };
  }
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const own = addresses.find(({ family, internal }) => family === 'IPv4' && !internal)?.address;
  if (own !== undefined && (isInContainer() || info.containerRuntime.host !== 'localhost')) {
    return { listen: own, host: own, extraHosts: [] };
  }
  return { listen: '127.0.0.1', host: machineName, extraHosts: [{ host: machineName, ipAddress: machineAddress }] };
}

interface AddressRange {
  Subnet?: string;
  Gateway?: string;
}

/** The address of the Docker host in a container network: the first one, if the runtime does not report it. */
function gatewayOf({ Gateway, Subnet = '' }: AddressRange): string | undefined {
  const [, start, last] = /^(\d+\.\d+\.\d+\.)(\d+)\/\d+$/.exec(Subnet) ?? [];
  return Gateway ?? (start === undefined ? undefined : `${start}${Number(last) + 1}`);
}

function isInContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
