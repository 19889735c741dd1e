import type { Socket } from 'node:net';
import type { Answer } from './observation.ts';

/**
 * Alerts by which a server ends a connection because the client presented no certificate: 42 bad_certificate and 116
 * certificate_required (RFC 8446, 6.2). We never present one, so 42 cannot be about its content.
 */
const aboutCertificate: readonly string[] = ['42', '116'];
/** 40 handshake_failure is the TLS 1.2 equivalent (RFC 5246, 7.2.2). Its other causes precede the key exchange. */
const handshakeFailure = '40';

/** Whether the error that ended a connection shows that the server requires a client certificate. */
export function requiresClientCertificate(error: Error, hasExchangedKeys: boolean): boolean {
  const [, alert = ''] = /SSL alert number (\d+)/.exec(error.message) ?? [];
  return aboutCertificate.includes(alert) || (alert === handshakeFailure && hasExchangedKeys);
}

const requiring = new WeakSet<Socket>();

/**
 * Watches a connection from the beginning. In TLS 1.3 the server verifies the client's part after the handshake is
 * complete for the client, so its alert may arrive after a request was sent.
 */
export function watchForClientCertificate(socket: Socket): void {
  let hasExchangedKeys = false;
  socket.once('keylog', () => (hasExchangedKeys = true));
  // Runs before listeners that convert the error into an observation.
  socket.prependListener('error', (error) => {
    if (requiresClientCertificate(error, hasExchangedKeys)) requiring.add(socket);
  });
}

/** Whether a watched connection ended because the server requires a client certificate. */
export function hasRequiredClientCertificate(socket: Socket): boolean {
  return requiring.has(socket);
}

/** The answer of such a server. */
export const clientCertificateAnswer: Answer = {
  outcome: 'unreachable',
  detail: 'the server requires a client certificate, and none was presented',
  needsClientCertificate: true,
};
