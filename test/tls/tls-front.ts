import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { pipeline } from 'node:stream';
import { localCertificate } from './test-authority.ts';

/** Accepts TLS connections and passes their bytes on to a plain port of this machine, as a proxy in front of a server. */
export async function tlsFront(port: number): Promise<AsyncDisposable & { port: number }> {
  const ends = new Set<() => void>();
  const server = createServer(localCertificate, (secure) => {
    const plain = connect({ host: '127.0.0.1', port });
    const end = () => {
      ends.delete(end);
      secure.destroy();
      plain.destroy();
    };
    ends.add(end);
    pipeline(secure, plain, secure, end);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const end of ends) end();
      await closed;
    },
  };
}
