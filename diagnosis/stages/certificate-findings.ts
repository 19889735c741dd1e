import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { CauseId } from '../causes.ts';

/** The certificates of one handshake. */
export interface ObservedChain {
  /** The host's own certificate first. */
  chain: readonly X509Certificate[];
  /** OpenSSL's code for why it is not trusted. */
  distrust: string | undefined;
  host: string;
  now: Date;
  /** Certificates of public authorities, as PEM. */
  known: readonly string[];
}

export interface CertificateFinding {
  id: Extract<CauseId, `tls/${string}`>;
  summary: string;
  /** No other explanation is possible. */
  isCertain: boolean;
}

/** Public issuers whose roots belong to another organisation. */
const alsoKnown = ["Let's Encrypt", 'ZeroSSL', 'Cloudflare, Inc.', 'Google Trust Services'];
/** Default certificates that proxies present for unknown hosts. */
const defaultCertificate = /TRAEFIK DEFAULT CERT|Ingress Controller Fake Certificate|localhost\.localdomain/i;

/** Finds all faults of the certificates, those to fix first before the rest. */
export function certificateFindings({ chain, distrust, host, now, known }: ObservedChain): CertificateFinding[] {
  const [leaf] = chain;
  if (!leaf) return [];
  const findings: CertificateFinding[] = [];
  const add = (id: CertificateFinding['id'], text: string, isCertain = true) =>
    findings.push({ id, summary: text, isCertain });
  const isSelfSigned = distrust === 'DEPTH_ZERO_SELF_SIGNED_CERT';
  if (isSelfSigned) {
    const isDefault = defaultCertificate.test(leaf.subject);
    add(
      'tls/self-signed',
      isDefault
        ? `The proxy presents its default certificate (${commonName(leaf.subject)}): it has none for ${host}.`
        : `The certificate of ${host} is self-signed.`,
    );
  }
  const names = leaf.subjectAltName ?? commonName(leaf.subject);
  const isForHost = isIP(host) === 0 ? leaf.checkHost(host) !== undefined : leaf.checkIP(host) !== undefined;
  if (!isForHost) add('tls/wrong-host', `The certificate is for ${shortened(names)}, and not for ${host}.`);
  for (const [at, certificate] of chain.entries()) {
    const what = at === 0 ? 'The certificate' : `The certificate of ${commonName(certificate.subject)} in the chain`;
    // While the chain is trusted, the validity of other certificates does not matter.
    if (at > 0 && distrust === undefined) break;
    const { validFromDate, validToDate } = certificate;
    if (validToDate < now) add('tls/expired', `${what} expired on ${dayOf(validToDate)}.`);
    else if (validFromDate > now) add('tls/not-yet-valid', `${what} is not valid before ${dayOf(validFromDate)}.`);
  }
  if (distrust === 'SELF_SIGNED_CERT_IN_CHAIN') {
    add(
      'tls/unknown-authority',
      `The chain ends at ${commonName(chain.at(-1)?.subject)}, which is not a public authority.`,
    );
  }
  if (/UNABLE_TO_(?:VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/.test(distrust ?? '')) addIssuerMissing(chain, known, add);
  return findings;
}

/** Explains a missing issuer: the server usually omits that of a public authority; any other is unknown. */
function addIssuerMissing(
  chain: readonly X509Certificate[],
  known: readonly string[],
  add: (id: CertificateFinding['id'], text: string, isCertain?: boolean) => void,
): void {
  const last = chain.at(-1);
  const issuer = commonName(last?.issuer);
  const organisation = partOf(last?.issuer, 'O');
  const isPublic =
    organisation !== undefined && (alsoKnown.includes(organisation) || organisations(known).has(organisation));
  const incomplete = `The server does not send the certificate of ${issuer}, which issued ${chain.length === 1 ? 'its certificate' : 'the last certificate that it sends'}.`;
  if (isPublic) {
    add('tls/chain-incomplete', incomplete);
    return;
  }
  const unknown = `The certificate was issued by ${issuer}, which is not a known public authority.`;
  const tellsWhere = /CA Issuers/.test(last?.infoAccess ?? '');
  if (tellsWhere) add('tls/chain-incomplete', incomplete, false);
  add('tls/unknown-authority', unknown, false);
  if (!tellsWhere) add('tls/chain-incomplete', incomplete, false);
}

function organisations(pems: readonly string[]): Set<string> {
  return new Set(pems.flatMap((pem) => partOf(new X509Certificate(pem).subject, 'O') ?? []));
}

/** The common name of a subject or issuer, or its organisation, on one line. */
export function commonName(subject: string | undefined): string {
  return partOf(subject, 'CN') ?? partOf(subject, 'O') ?? subject?.replaceAll('\n', ', ') ?? '(unknown)';
}

function partOf(subject: string | undefined, part: 'CN' | 'O'): string | undefined {
  const line = subject?.split('\n').find((each) => each.startsWith(`${part}=`));
  return line?.slice(part.length + 1);
}

function shortened(names: string): string {
  const list = names.replaceAll(/(?:DNS|IP Address):/g, '').split(', ');
  return list.length > 4 ? `${list.slice(0, 4).join(', ')} and ${list.length - 4} more` : list.join(', ');
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
