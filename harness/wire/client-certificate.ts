import type { Socket } from 'node:net';
import type { Answer } from './observation.ts';

/**
 * Alerts by which a server ends a connection because the client presented no certificate: 42 bad_certificate and 116
 * certificate_required (RFC 8446, 6.2). We never present one, so 42 cannot be about its content.
 */
const aboutCertificate: readonly string[] = ['42', '116'];
/**
 * 40 handshake_failure is what TLS 1.2 has for it (RFC 5246, 7.2.2). It has other reasons as well, but these precede the
 * exchange of keys.
 */
const handshakeFailure = '40';

/** Whether the error that ended a connection shows that the server requires a client certificate. */
export function requiresClientCertificate(error: Error, hasExchangedKeys: boolean): boolean {
  const [, alert = ''] = /SSL alert number (\d+)/.exec(error.message) ?? [];
  return aboutCertificate.includes(alert) || (alert === handshakeFailure && hasExchangedKeys);
}

const requiring = new WeakSet<Socket>();

/**
 * Watches a connection from its beginning. In TLS 1.3 the server reads the client's part of the handshake after it is
 * complete for the client, so that its alert comes when a request was sent already.
 */
export function watchForClientCertificate(socket: Socket): void {
  let hasExchangedKeys = false;
  socket.once('keylog', () => (hasExchangedKeys = true));
  // Before any listener that makes an observation of it.
  socket.prependListener('error', (error) => {
    if (requiresClientCertificate(error, hasExchangedKeys)) requiring.add(socket);
  });
}

/** Whether a watched connection ended because the server requires a client certificate. */
export function hasRequiredClientCertificate(socket: Socket): boolean {
  return requiring.has(socket);
}

/** What came back from such a server. */
export const clientCertificateAnswer: Answer = {
  outcome: 'unreachable',
  detail: 'the server requires a client certificate, and none was presented',
  needsClientCertificate: true,
};
