import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Security } from '../proving/wire.ts';
import { authorityCertificate, localCertificate } from './test-authority.ts';

/** The variable with which a process starts its endpoints over TLS: the directory of their key and certificate. */
const variable = 'ENDPOINT_TLS';

/** Environment of processes that start endpoints over TLS and trust them like an integrator's authority. */
export interface EndpointSecurity extends Disposable {
  environment: Record<string, string>;
}

/** Writes key and certificates for the processes of one run. */
export function makeEndpointSecurity(): EndpointSecurity {
  const directory = mkdtempSync(join(tmpdir(), 'endpoint-tls-'));
  writeFileSync(join(directory, 'key.pem'), localCertificate.key);
  writeFileSync(join(directory, 'cert.pem'), localCertificate.cert);
  writeFileSync(join(directory, 'ca.pem'), authorityCertificate);
  return {
    environment: { [variable]: directory, NODE_EXTRA_CA_CERTS: join(directory, 'ca.pem') },
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** Key and certificate of the endpoints of this process; `undefined` without TLS. */
export function securityOfEndpoints(): Security {
  const directory = process.env[variable];
  if (directory === undefined) return undefined;
  return { key: readFileSync(join(directory, 'key.pem')), cert: readFileSync(join(directory, 'cert.pem')) };
}
