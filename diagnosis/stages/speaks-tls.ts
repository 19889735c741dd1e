import { connectTimeoutMs } from '../../harness/wire/connect.ts';
import type { Connection } from '../connection.ts';
import { effectivePort } from './effective-port.ts';
import { handshake } from './tls-handshake.ts';

/** Whether the port of a URL without TLS speaks TLS. */
export async function speaksTls({ url, remainingMs, session }: Connection): Promise<boolean> {
  const address = new URL(url);
  if (address.protocol === 'https:' || address.protocol === 'wss:') return false;
  const host = address.hostname.replace(/^\[(.*)\]$/, '$1');
  const timeoutMs = Math.min(connectTimeoutMs, remainingMs);
  return (
    await handshake({ host, route: session.routes.to(url), address: host, port: effectivePort(address), timeoutMs })
  ).isUp;
}
