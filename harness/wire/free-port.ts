import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** The first port that systems assign by themselves: one of those may be taken a moment later. */
const firstAssignedPort = 32_768;
/** Reasons why a port cannot be used: it is in use, or the system reserves it. */
const unusable: readonly (string | undefined)[] = ['EADDRINUSE', 'EACCES'];
const mostTries = 100;

/** An unused port of a host, by default loopback. Throws if listening fails. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  for (let tries = 1; ; tries++) {
    const port = randomInt(firstAssignedPort / 2, firstAssignedPort);
    const server = createServer();
    try {
      await once(server.listen(port, host), 'listening');
    } catch (error) {
      if (tries < mostTries && unusable.includes((error as NodeJS.ErrnoException).code)) continue;
      throw error;
    }
    await new Promise((resolve) => server.close(resolve));
    return port;
  }
}

/** Different unused ports of loopback. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** Whether a host is an address of this machine: whether a process can listen there. */
export async function isOwnAddress(host: string): Promise<boolean> {
  return await freePort(host).then(
    () => true,
    () => false,
  );
}
