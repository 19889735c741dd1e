import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeCertificate } from './make-certificate.ts';

/** Issues {@link localCertificate}. */
export const testAuthority = makeCertificate({ name: 'svc-conform test authority', isAuthority: true });

/** The certificate of the authority that issued {@link localCertificate}, as PEM. */
export const authorityCertificate = testAuthority.cert;

/** Key and certificate of an endpoint on this machine. EC, so that handshakes are cheap. */
export const localCertificate = (() => {
  const { key, cert } = makeCertificate({
    name: 'localhost',
    hosts: ['localhost', '127.0.0.1'],
    issuer: testAuthority,
  });
  return { key, cert };
})();

/** How many tests trust the authority at the moment, and what this thread trusts without it. */
let trusting = 0;
let others: string[] = [];

/**
 * Trusts the authority in this thread until the returned function is called, which `beforeAll` and `beforeEach` do at
 * the end; of concurrent tests, the last one ends it. Other processes get its certificate through NODE_EXTRA_CA_CERTS.
 */
export function trustTestAuthority(): () => void {
  if (trusting++ === 0) {
    others = getCACertificates('default');
    setDefaultCACertificates([...others, authorityCertificate]);
  }
  return () => {
    if (--trusting === 0) setDefaultCACertificates(others);
  };
}
