import type { Socket } from 'node:net';
import type { Answer } from './observation.ts';

/**
 * Alerts by which a server ends a connection because the client presented no certificate: 42 bad_certificate and 116
 * certificate_required (RFC 8446, 6.2). Without one, 42 cannot be about its content.
 */
const aboutCertificate: readonly string[] = ['42', '116'];
/**
 * Alerts about the content of a presented certificate: 43 unsupported_certificate, 44 certificate_revoked, 45
 * certificate_expired, 46 certificate_unknown, 48 unknown_ca, 49 access_denied (RFC 8446, 6.2). In answer to a client
 * that presents none, they would be about something else.
 */
const aboutContent: readonly string[] = ['43', '44', '45', '46', '48', '49'];
/** 40 handshake_failure is the TLS 1.2 equivalent (RFC 5246, 7.2.2). Its other causes precede the key exchange. */
const handshakeFailure = '40';

/**
 * Whether the error that ended a connection shows that the server requires a client certificate, or, if one was
 * presented, another one.
 */
export function requiresClientCertificate(error: Error, hasExchangedKeys: boolean, isPresented = false): boolean {
  const [, alert = ''] = /SSL alert number (\d+)/.exec(error.message) ?? [];
  return (
    aboutCertificate.includes(alert) ||
    (alert === handshakeFailure && hasExchangedKeys) ||
    (isPresented && aboutContent.includes(alert))
  );
}

const requiring = new WeakMap<Socket, { isPresented: boolean }>();

/**
 * Watches a connection from the beginning. In TLS 1.3 the server verifies the client's part after the handshake is
 * complete for the client, so its alert may arrive after a request was sent. `isPresented`: we present a certificate.
 */
export function watchForClientCertificate(socket: Socket, isPresented = false): void {
  let hasExchangedKeys = false;
  socket.once('keylog', () => (hasExchangedKeys = true));
  // Runs before listeners that convert the error into an observation.
  socket.prependListener('error', (error) => {
    if (requiresClientCertificate(error, hasExchangedKeys, isPresented)) requiring.set(socket, { isPresented });
  });
}

/**
 * Whether a watched connection ended because the server requires a client certificate (`any`), or another one than ours
 * (`another`); `undefined` if it did not.
 */
export function clientCertificateNeed(socket: Socket): 'any' | 'another' | undefined {
  const found = requiring.get(socket);
  return found && (found.isPresented ? 'another' : 'any');
}

/** The answer of such a server; `undefined` for other connections. */
export function clientCertificateAnswer(socket: Socket | undefined): Answer | undefined {
  const needsClientCertificate = socket && clientCertificateNeed(socket);
  if (!needsClientCertificate) return undefined;
  const detail =
    needsClientCertificate === 'another'
      ? 'the server rejected the client certificate'
      : 'the server requires a client certificate, and none was presented';
  return { outcome: 'unreachable', detail, needsClientCertificate };
}
