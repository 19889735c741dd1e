import { once } from 'node:events';
import { createServer as createPlainServer, type AddressInfo, type Server } from 'node:net';
import { createServer as createHttpServer } from 'node:http';
import { createServer, getCACertificates, setDefaultCACertificates, type TlsOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import { tlsStage } from '../../diagnosis/stages/tls-stage.ts';
import type { StageOutcome } from '../../diagnosis/stages/stage.ts';
import { makeCertificate, type CertificateOptions, type MadeCertificate } from '../tls/make-certificate.ts';

/** An organisation whose root certificates every machine has. */
const publicOrganisation = 'DigiCert Inc';
const root = makeCertificate({ name: 'Test Root', organisation: publicOrganisation, isAuthority: true });
const intermediate = makeCertificate({
  name: 'Test Intermediate',
  organisation: publicOrganisation,
  isAuthority: true,
  issuer: root,
});
const before = getCACertificates('default');

beforeAll(() => setDefaultCACertificates([...before, root.cert]));
afterAll(() => setDefaultCACertificates(before));

const leaf = (over: Partial<CertificateOptions> = {}) =>
  makeCertificate({ name: 'localhost', hosts: ['localhost'], issuer: intermediate, ...over });
const chained = (certificate: MadeCertificate, ...rest: MadeCertificate[]): TlsOptions => ({
  key: certificate.key,
  cert: [certificate, ...rest].map(({ cert }) => cert).join(''),
});

async function listening<S extends Server>(server: S): Promise<S> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function stageOf(server: Server, { scheme = 'https' } = {}): Promise<StageOutcome> {
  server.on('connection', (socket) => socket.on('error', () => undefined));
  server.on('tlsClientError', () => undefined);
  await listening(server);
  const { port } = server.address() as AddressInfo;
  const url = `${scheme}://localhost:${port}/hooks`;
  await using connection = await Connection.open(
    'api-webhooks',
    {
      apiWebhooks: { url, secret: 'whk_for-the-tls-tests' },
      skills: [],
      stimuli: {},
      service: { host: '127.0.0.1', port: 0 },
    },
    { seed: 1, withinMs: 20_000 },
  );
  try {
    return await tlsStage(connection, { addresses: ['127.0.0.1'], doubts: [] });
  } finally {
    server.close();
  }
}

const withTls = (options: TlsOptions) =>
  stageOf(createServer(options, (socket) => socket.on('error', () => undefined)));

describe('the stage of TLS', () => {
  it('passes a complete chain for the host', async () => {
    const { found, suspects, passed } = await withTls(chained(leaf(), intermediate));
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(passed.join()).toContain('The certificate is for localhost and trusted, valid until');
  });

  it('does not apply to a plain address', async () => {
    const outcome = await stageOf(createPlainServer(), { scheme: 'http' });
    expect(outcome).toMatchObject({ isNotApplicable: true, suspects: [], passed: [] });
  });

  const faulty: [string, () => TlsOptions, string, RegExp][] = [
    ['a chain without its middle', () => chained(leaf()), 'tls/chain-incomplete', /Test Intermediate/],
    [
      'a certificate that is its own issuer',
      () => chained(makeCertificate({ name: 'localhost', hosts: ['localhost'] })),
      'tls/self-signed',
      /self-signed/,
    ],
    [
      "a proxy's default certificate",
      () => chained(makeCertificate({ name: 'TRAEFIK DEFAULT CERT', hosts: ['x.traefik.default'] })),
      'tls/self-signed',
      /default certificate/,
    ],
    ['another host', () => chained(leaf({ hosts: ['example.org'] }), intermediate), 'tls/wrong-host', /example\.org/],
    ['one that has expired', () => chained(leaf({ toDays: -1 }), intermediate), 'tls/expired', /expired on \d{4}-/],
    [
      'one for later',
      () => chained(leaf({ fromDays: 3 }), intermediate),
      'tls/not-yet-valid',
      /not valid before \d{4}-/,
    ],
    [
      'an authority of a company, sent along',
      () => {
        const own = makeCertificate({ name: 'Our Own Root', organisation: 'Our Company', isAuthority: true });
        return chained(leaf({ issuer: own }), own);
      },
      'tls/unknown-authority',
      /Our Own Root/,
    ],
    [
      'obsolete versions',
      () => ({
        ...chained(leaf(), intermediate),
        minVersion: 'TLSv1',
        maxVersion: 'TLSv1.1',
        ciphers: 'ALL@SECLEVEL=0',
      }),
      'tls/old-protocol',
      /TLSv1\.1/,
    ],
    [
      'HTTP/2 alone',
      () => ({ ...chained(leaf(), intermediate), ALPNProtocols: ['h2'] }),
      'tls/http2-only',
      /HTTP\/2 only/,
    ],
    [
      'no certificate for this name',
      () => ({
        ...chained(leaf(), intermediate),
        ALPNProtocols: ['http/1.1'],
        SNICallback: (_, done) => done(Object.assign(new Error('unknown'), { code: 'x' })),
      }),
      'tls/handshake-fails',
      /during the TLS handshake/,
    ],
  ];

  it.each(faulty)('names %s', async (_, options, id, says) => {
    const { found, suspects } = await withTls(options());
    const reported = found ?? suspects[0];
    expect(reported?.id).toBe(id);
    expect(found?.summary ?? suspects[0]?.why).toMatch(says);
    expect(found !== undefined).toBe(id !== 'tls/handshake-fails');
  });

  it('suspects both a missing middle and an unknown authority where the issuer is not known', async () => {
    const own = makeCertificate({ name: 'Some Authority', organisation: 'Some Company', isAuthority: true });
    const ids = async (issuerAt?: string) => {
      const { found, suspects } = await withTls(chained(leaf({ issuer: own, ...(issuerAt && { issuerAt }) })));
      expect(found).toBeUndefined();
      return suspects.map(({ id }) => id);
    };
    expect(await ids()).toEqual(['tls/unknown-authority', 'tls/chain-incomplete']);
    expect(await ids('http://certificates.example/own.crt')).toEqual(['tls/chain-incomplete', 'tls/unknown-authority']);
  });

  it('reports further faults of a certificate', async () => {
    const { found, suspects } = await withTls(chained(leaf({ hosts: ['example.org'], toDays: -1 }), intermediate));
    expect(found?.id).toBe('tls/wrong-host');
    expect(suspects.map(({ id }) => id)).toEqual(['tls/expired']);
  });

  it('names a port that answers plain HTTP, and one with another protocol', async () => {
    const plain = await stageOf(createHttpServer((_, response) => response.end('ok')));
    expect(plain.found).toMatchObject({
      id: 'tls/not-tls',
      summary: expect.stringContaining('speaks plain HTTP') as string,
    });
    const mail = await stageOf(createPlainServer((socket) => socket.end('220 mail.example ESMTP ready\r\n')));
    expect(mail.found).toMatchObject({
      id: 'tls/not-tls',
      summary: expect.stringContaining('does not speak TLS') as string,
    });
  });

  it.each([
    ['an unrecognised name', 112, 'tls/name-refused'],
    ['a missing client certificate', 116, 'tls/client-certificate'],
  ])('names the alert for %s', async (_, alert, id) => {
    // A fatal alert as a separate record (RFC 8446, 6).
    const record = Buffer.of(0x15, 0x03, 0x03, 0x00, 0x02, 0x02, alert);
    const { found } = await stageOf(createPlainServer((socket) => socket.once('data', () => socket.end(record))));
    expect(found?.id).toBe(id);
  });

  it('also reports a fault of the certificate at a server that requires one of the client', async () => {
    const authority = makeCertificate({ name: 'Internal Root', organisation: 'Acme', isAuthority: true });
    const own = leaf({ issuer: authority });
    const strict = { requestCert: true, rejectUnauthorized: true, ca: authority.cert };
    const { found, suspects } = await withTls({ ...chained(own, authority), ...strict });
    expect(found?.id).toBe('tls/client-certificate');
    expect(suspects.map(({ id }) => id)).toEqual(['tls/unknown-authority']);
    const trusted = await withTls({ ...chained(leaf(), intermediate), ...strict });
    expect(trusted.found?.id).toBe('tls/client-certificate');
    expect(trusted.suspects).toEqual([]);
  });

  it('does not guess why a server ends the connection', async () => {
    const { found, suspects, ends } = await stageOf(createPlainServer((socket) => socket.destroy()));
    expect({ found, ids: suspects.map(({ id }) => id), ends }).toEqual({
      found: undefined,
      ids: ['tls/handshake-fails'],
      ends: true,
    });
  });
});
