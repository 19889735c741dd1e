import { describe, expect, it } from 'vitest';
import { Connection } from '../../diagnosis/connection.ts';
import { nameStage } from '../../diagnosis/stages/name-stage.ts';
import { tcpStage } from '../../diagnosis/stages/tcp-stage.ts';
import { tlsStage } from '../../diagnosis/stages/tls-stage.ts';
import type { StageNotes } from '../../diagnosis/stages/stage.ts';
import { proxyAddress } from '../../harness/wire/environment-proxy.ts';
import type { Route } from '../../harness/wire/route.ts';
import { connectProxy } from '../reach/connect-proxy.ts';
import { reachedEndpoint } from '../reach/reached-endpoint.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { authorityCertificate, localCertificate } from '../tls/test-authority.ts';

async function connectionTo(url: string, route: Partial<Route>): Promise<Connection> {
  const config = {
    apiWebhooks: { url, secret: 'whk_for-the-proxy-tests' },
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
    routes: { apiWebhooks: { headers: [], ...route } },
  };
  return await Connection.open('api-webhooks', config, { seed: 1, withinMs: 20_000 });
}

const through = (host: string) => {
  const proxy = proxyAddress(`http://${host}`);
  if (!proxy) throw new Error(host);
  return { proxy };
};
const fresh = (): StageNotes => ({ addresses: [], doubts: [] });

describe('a connection through a proxy', () => {
  it('resolves no name on this machine, and is examined in the tunnel', async () => {
    await using endpoint = await reachedEndpoint({ tls: localCertificate });
    await using proxy = await connectProxy();
    const route = { ...through(proxy.host), ca: authorityCertificate, servername: 'localhost' };
    await using connection = await connectionTo(`https://staging.test:${endpoint.port}/`, route);
    const notes = fresh();
    const never = () => Promise.reject(new Error('was asked'));
    expect(await nameStage(connection, notes, never)).toMatchObject({
      isNotApplicable: true,
      seen: [`The proxy http://${proxy.host} resolves the name staging.test.`],
    });
    const where = `port ${endpoint.port} of staging.test`;
    expect(await tcpStage(connection, notes)).toMatchObject({
      passed: [`The proxy http://${proxy.host} connects to ${where}.`],
    });
    const { found, passed } = await tlsStage(connection, notes);
    expect(found).toBeUndefined();
    expect(passed).toEqual([expect.stringContaining('The certificate is for localhost and trusted') as string]);
  });

  it('that the proxy refuses is the cause', async () => {
    const gone = await reachedEndpoint();
    await gone[Symbol.asyncDispose]();
    await using strict = await connectProxy({ credentials: 'user:password' });
    await using proxy = await connectProxy();
    const outcomeOf = async (host: string) => {
      await using connection = await connectionTo(`http://${gone.host}/`, through(host));
      return (await tcpStage(connection, fresh())).found;
    };
    expect(await outcomeOf(proxy.host)).toEqual({
      id: 'network/proxy',
      summary: `The proxy http://${proxy.host} answered CONNECT ${gone.host} with 502.`,
    });
    expect((await outcomeOf(strict.host))?.summary).toContain('answered 407: it requires a user name and password');
    expect((await outcomeOf(gone.host))?.summary).toContain('cannot be used');
  });
});

describe('a client certificate', () => {
  it('is suspected if the server closes the connection after it was presented', async () => {
    const { cert, key } = makeCertificate({ name: 'stranger' });
    const strict = { ...localCertificate, ca: authorityCertificate, requestCert: true, rejectUnauthorized: true };
    await using endpoint = await reachedEndpoint({ tls: strict });
    const route = { ca: authorityCertificate, cert, key };
    await using connection = await connectionTo(`https://${endpoint.host}/`, route);
    const { suspects } = await tlsStage(connection, fresh());
    expect(suspects.map(({ id }) => id)).toEqual(['tls/client-certificate']);
    await using other = await connectionTo(`https://${endpoint.host}/`, {
      ca: authorityCertificate,
      ...localCertificate,
    });
    expect((await tlsStage(other, fresh())).suspects).toEqual([]);
  });
});

describe('a connection without verification', () => {
  it('has no cause in its certificate', async () => {
    await using endpoint = await reachedEndpoint({ tls: localCertificate });
    const url = `https://${endpoint.host}/`;
    await using verified = await connectionTo(url, {});
    const judged = await tlsStage(verified, fresh());
    expect([...judged.suspects, judged.found ?? []].flat().length).toBeGreaterThan(0);
    await using connection = await connectionTo(url, { insecure: true });
    const { found, suspects, seen } = await tlsStage(connection, fresh());
    expect({ found, suspects }).toEqual({ found: undefined, suspects: [] });
    expect(seen).toContain('The certificate is not verified, because tls.insecure is true.');
  });
});
