import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give ports from here on to programs that ask for any: one of them may be taken a moment later. */
const firstGivenPort = 32_768;

/** An unused port of a host, by default loopback. Throws if listening fails. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const port = randomInt(firstGivenPort / 2, firstGivenPort);
  const server = createServer();
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return await freePort(host);
    throw error;
  }
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a host is an address of this machine: whether a process can listen there. */
export async function isOwnAddress(host: string): Promise<boolean> {
  return await freePort(host).then(
    () => true,
    () => false,
  );
}
