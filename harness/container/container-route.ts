import { existsSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import type { ContainerRuntimeClient } from 'testcontainers';
import { isOwnAddress } from '../wire/free-port.ts';

/** How a container reaches the simulated service, which runs in this process. */
export interface ContainerRoute {
  /** The address of this machine on which the service listens: no wider than it must. */
  listen: string;
  /** The name or address by which the container reaches it. */
  host: string;
  /** Names that the container is told. */
  extraHosts: { host: string; ipAddress: string }[];
}

/** What containers call the machine that they run on. */
const machineName = 'host.docker.internal';
/** Stands for that machine where only the runtime knows its address. */
const machineAddress = 'host-gateway';
/** The network of containers that name none. */
const usualNetwork = 'bridge';

/**
 * Finds the way from a container to this process: by the bridge where its address is one of ours (Linux), by the name of
 * the machine where containers run in a virtual machine (Docker Desktop), and by our own address where we run in a
 * container ourselves or the containers run elsewhere.
 */
export async function routeFromContainer({ container, info }: ContainerRuntimeClient): Promise<ContainerRoute> {
  const network = (await container.dockerode
    .getNetwork(usualNetwork)
    .inspect()
    .catch(() => undefined)) as { IPAM?: { Config?: AddressRange[] | null } } | undefined;
  for (const range of network?.IPAM?.Config ?? []) {
    const bridge = gatewayOf(range);
    // Tried out: a bridge without containers is not among the interfaces that Node lists.
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

/** The address of the machine in a network of containers: the first one, where the runtime does not tell. */
function gatewayOf({ Gateway, Subnet = '' }: AddressRange): string | undefined {
  const [, start, last] = /^(\d+\.\d+\.\d+\.)(\d+)\/\d+$/.exec(Subnet) ?? [];
  return Gateway ?? (start === undefined ? undefined : `${start}${Number(last) + 1}`);
}

function isInContainer(): boolean {
  return existsSync('/.dockerenv') || existsSync('/run/.containerenv');
}
