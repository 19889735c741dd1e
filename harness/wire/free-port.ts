import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** An unused port of a host, by default loopback. Throws if listening fails. */
export async function freePort(host = '127.0.0.1'): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
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
