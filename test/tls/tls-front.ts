import { connect } from 'node:net';
import { createServer, type TlsOptions } from 'node:tls';
import { pipeline } from 'node:stream';
import { listening, type ListeningServer } from '../server-fixture.ts';
import { localCertificate } from './test-authority.ts';

/**
 * Accepts TLS connections and passes their bytes to a plain port of this machine, like a proxy in front of a server.
 */
export async function tlsFront(port: number, options: TlsOptions = localCertificate): Promise<ListeningServer> {
  const server = createServer(options, (secure) => {
    const plain = connect({ host: '127.0.0.1', port });
    pipeline(secure, plain, secure, () => {
      secure.destroy();
      plain.destroy();
    });
  });
  return await listening(server);
}
