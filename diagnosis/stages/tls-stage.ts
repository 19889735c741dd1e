import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { connectTimeoutMs } from '../../harness/wire/connect.ts';
import type { Connection } from '../connection.ts';
import { certificateFindings, commonName } from './certificate-findings.ts';
import { effectivePort } from './effective-port.ts';
import { handshake, plainAnswer, type Handshake, type HandshakeOptions, type Secured } from './tls-handshake.ts';
import type { Stage, StageOutcome } from './stage.ts';

/** Milliseconds for a port without TLS to reveal its protocol. */
const plainTimeoutMs = 1_500;
/** OpenSSL's codes for data that is not TLS. */
const notTlsCodes = /WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|HTTP_REQUEST|UNKNOWN_PROTOCOL|RECORD_LAYER_FAILURE/;

/** Performs a TLS handshake with one accepting address of each family, as the service does, and checks the certificates. */
export const tlsStage: Stage = async (connection, { addresses }) => {
  const url = new URL(connection.url);
  const { protocol } = url;
  if (protocol === 'http:' || protocol === 'ws:') {
    const seen = ['The URL has a scheme without TLS, which is for loopback and for hosts of allowHttp.'];
    return { suspects: [], passed: [], seen, isNotApplicable: true };
  }
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const route = connection.session.routes.to(connection.url);
  const options = (address: string): HandshakeOptions => ({
    host,
    route,
    address,
    port: effectivePort(url),
    timeoutMs: Math.min(connectTimeoutMs, connection.remainingMs),
  });
  let last: StageOutcome | undefined;
  for (const address of oneOfEachFamily(addresses, host)) {
    const shake = await handshake(options(address));
    if (!shake.isUp && isNoRoute(shake.code)) continue;
    last = shake.isUp
      ? judged(shake, route.servername ?? host, route.insecure === true)
      : await refused(shake, options(address), connection);
    if (last.found ?? last.ends) return last;
  }
  return last ?? { suspects: [], passed: [], seen: ['No address accepts connections any more.'], ends: true };
};

function oneOfEachFamily(addresses: readonly string[], host: string): string[] {
  if (addresses.length === 0) return [host];
  const families = [4, 6].map((family) => addresses.find((address) => isIP(address) === family));
  return families.filter((address) => address !== undefined);
}

/** The TCP stage has already reported addresses that do not accept connections. */
function isNoRoute(code: string): boolean {
  return /^(?:ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code);
}

function judged({ chain, distrust, protocol }: Secured, host: string, isUnverified: boolean): StageOutcome {
  const [leaf] = chain;
  const seen = [
    `The connection is secured with ${protocol}.`,
    ...chain.map(
      (each, at) =>
        `${at === 0 ? 'The certificate' : 'The next certificate of the chain'} ${describeCertificate(each)}.`,
    ),
    ...(distrust === undefined ? [] : [`This machine does not trust the chain: ${distrust}.`]),
  ];
  if (isUnverified) {
    const ignored = 'The certificate is not verified, because tls.insecure is true.';
    return { suspects: [], passed: [], seen: [...seen, ignored] };
  }
  const findings = certificateFindings({ chain, distrust, host, now: new Date(), known: [...rootCertificates] });
  const [first, ...others] = findings;
  if (!leaf || !first) {
    if (distrust !== undefined) {
      return {
        suspects: [{ id: 'tls/unknown-authority', why: `The chain is refused: ${distrust}.` }],
        passed: [],
        seen,
      };
    }
    const until = leaf ? `, valid until ${dayOf(leaf.validToDate)}` : '';
    return { suspects: [], passed: [`The certificate is for ${host} and trusted${until} (${protocol}).`], seen };
  }
  if (!first.isCertain) {
    return { suspects: findings.map(({ id, summary: text }) => ({ id, why: text })), passed: [], seen, ends: true };
  }
  const { id, summary: text } = first;
  return {
    found: { id, summary: text },
    suspects: others.map((other) => ({ id: other.id, why: other.summary })),
    passed: [],
    seen,
  };
}

async function refused(
  { code, needsClientCertificate, secured }: Handshake & { isUp: false },
  options: HandshakeOptions,
  connection: Connection,
): Promise<StageOutcome> {
  const { host, port, route } = options;
  const seen = [`The TLS handshake with ${host} failed: ${code}.`];
  const found = (id: NonNullable<StageOutcome['found']>['id'], text: string, more?: string): StageOutcome => ({
    found: { id, summary: text },
    suspects: [],
    passed: [],
    seen: more === undefined ? seen : [...seen, more],
  });
  if (needsClientCertificate) {
    const outcome = found(
      'tls/client-certificate',
      needsClientCertificate === 'any'
        ? `${host} requires a client certificate.`
        : `${host} rejects the client certificate of tls.cert.`,
    );
    if (!secured) return outcome;
    // The certificate of the server arrives before, and may need a fix as well.
    const own = judged(secured, route.servername ?? host, route.insecure === true);
    const { id, summary: why } = own.found ?? {};
    const further = id !== undefined && why !== undefined ? [{ id, why }, ...own.suspects] : own.suspects;
    return { ...outcome, suspects: further, seen: [...own.seen, ...seen] };
  }
  if (code.includes('UNRECOGNIZED_NAME')) {
    return found('tls/name-refused', `The server has no certificate for ${host}.`);
  }
  if (code.includes('NO_APPLICATION_PROTOCOL')) {
    const other = await handshake({ ...options, ALPNProtocols: ['h2'] });
    if (other.isUp)
      return found('tls/http2-only', `${host} accepts HTTP/2 only.`, 'The handshake succeeds with the protocol h2.');
  }
  const old = await handshake({ ...options, minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' });
  if (old.isUp && /^TLSv1(?:\.1)?$/.test(old.protocol)) {
    const text = `The server supports ${old.protocol} at most.`;
    return found('tls/old-protocol', text, `The handshake succeeds if ${old.protocol} is allowed.`);
  }
  const timeoutMs = Math.min(plainTimeoutMs, connection.remainingMs);
  const plain = await plainAnswer({ ...options, timeoutMs });
  if (plain.startsWith('HTTP/')) {
    return found(
      'tls/not-tls',
      `Port ${port} of ${host} speaks plain HTTP, but the URL says ${new URL(connection.url).protocol.slice(0, -1)}.`,
      'A plain HTTP request is answered there.',
    );
  }
  if (notTlsCodes.test(code)) return found('tls/not-tls', `Port ${port} of ${host} does not speak TLS.`);
  if (route.cert !== undefined && /^(?:closed|ECONNRESET)$/.test(code)) {
    const rejected = 'The server closed the connection after the client certificate of tls.cert was presented.';
    return { suspects: [{ id: 'tls/client-certificate', why: rejected }], passed: [], seen, ends: true };
  }
  const why = `The server closed the connection during the TLS handshake (${code}).`;
  return { suspects: [{ id: 'tls/handshake-fails', why }], passed: [], seen, ends: true };
}

function describeCertificate(certificate: X509Certificate): string {
  const { validFromDate, validToDate } = certificate;
  const days = `valid from ${dayOf(validFromDate)} to ${dayOf(validToDate)}`;
  return `is for ${commonName(certificate.subject)}, issued by ${commonName(certificate.issuer)}, ${days}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
