import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Session } from '../../harness/checks/session.ts';
import { StateProbe } from '../../harness/checks/state-probe.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { measuredTime, ownDelayFault, timelinessOf } from '../../harness/wire/timeliness.ts';
import { stopFinding } from '../../suites/matchers/endpoint-stop.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { Config } from '../../specs/generated/types.ts';
import { listening } from '../server-fixture.ts';
import { credentials, settingsOf } from '../harness/settings-for-tests.ts';
import { authorityCertificate, localCertificate } from '../tls/test-authority.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { connectProxy } from './connect-proxy.ts';
import { reachedEndpoint } from './reached-endpoint.ts';

const environment = {
  TOKEN: credentials.token,
  SECRET: credentials.agentSecret,
  GATEWAY: 'gw-Yb6Kq1Zs8Wn3Vd0Rt5',
  STATE: 'st-Jc4Lm9Xe2Pq7Hu1Fa6',
  PROXY_PASSWORD: 'pw-Nd8Vr3Ty6Gk1Sz5Bw',
};
const authority = makeCertificate({ name: 'authority of clients', isAuthority: true });
const client = makeCertificate({ name: 'client', issuer: authority });
const directory = mkdtempSync(join(tmpdir(), 'svc-conform-reach-'));
const file = (name: string, text: string) => writeFileSync(join(directory, name), text);
file('ca.pem', authorityCertificate);
file('client.pem', client.cert);
file('client.key', client.key);
afterAll(() => rmSync(directory, { recursive: true }));

const resolved = (config: Config, more: Record<string, string> = {}) =>
  resolveConfig(config, { ...environment, ...more }, 'svc-conform.config.json', directory);

/** Sends a lookup and a call to an endpoint at this host and reads its state, through the route of the config. */
async function reached(host: string, over: Partial<Config> = {}, isSecure = false, more: Record<string, string> = {}) {
  const [http, ws] = isSecure ? ['https', 'wss'] : ['http', 'ws'];
  const config = resolved(
    {
      crmWebhook: { url: `${http}://${host}/crm`, token: 'env:TOKEN' },
      phone: { url: `${ws}://${host}/voice`, secret: 'env:SECRET' },
      observe: { url: `${http}://${host}/state` },
      ...over,
    },
    more,
  );
  await using session = await Session.open(settingsOf(config));
  const outcome = async <T extends { answer: { outcome: string; status?: number } }>(run: () => Promise<T>) => {
    try {
      const observation = await run();
      const { status, outcome: how } = observation.answer;
      return { is: status ?? how, observation };
    } catch (error) {
      if (!(error instanceof HarnessFault)) throw error;
      return { is: error.code, message: error.message };
    }
  };
  const lookUp = await outcome(() =>
    session.crm.deliver(session.sample.crmEvent('IncomingCallLookup'), { limitMs: 2_000 }),
  );
  const call = await outcome(() => session.phone.attemptCall(session.phone.upgrade('call-1'), 'a call'));
  await new StateProbe(session, `${http}://${host}/state`).read('the state').catch(() => undefined);
  return { lookUp, call, is: [lookUp.is, call.is], config };
}

describe('headers', () => {
  it('pass a gateway, for requests and calls, and appear in no observation', async () => {
    await using endpoint = await reachedEndpoint({ requires: ['X-Gateway-Key', environment.GATEWAY] });
    expect((await reached(endpoint.host)).is).toEqual([403, 403]);
    const { is, lookUp, call, config } = await reached(endpoint.host, {
      headers: { 'X-Gateway-Key': 'env:GATEWAY' },
      stateHeaders: { 'X-State-Key': 'env:STATE' },
    });
    expect(is).toEqual([204, 101]);
    expect(JSON.stringify([lookUp, call])).not.toContain(environment.GATEWAY);
    const [state] = endpoint.headers.filter((headers) => headers['x-state-key'] === environment.STATE);
    expect(state?.['x-gateway-key']).toBe(environment.GATEWAY);
    expect(endpoint.headers.filter((headers) => 'x-state-key' in headers)).toHaveLength(1);
    const redact = configRedactor(config);
    expect(redact.foreign(`you sent ${environment.GATEWAY} and ${environment.STATE}`)).toBe(
      'you sent [redacted: header X-Gateway-Key] and [redacted: header X-State-Key]',
    );
  });

  it('of a surface override those of all, and are sent to no other surface', async () => {
    await using endpoint = await reachedEndpoint();
    await reached(endpoint.host, {
      headers: { 'X-Key': 'env:GATEWAY' },
      phone: { url: `ws://${endpoint.host}/voice`, secret: 'env:SECRET', headers: { 'x-key': 'env:STATE' } },
    });
    expect(endpoint.headers.map((headers) => headers['x-key'])).toEqual([
      environment.GATEWAY,
      environment.STATE,
      environment.GATEWAY,
    ]);
  });
});

describe.concurrent('tls', () => {
  const strict = { ...localCertificate, ca: authority.cert, requestCert: true, rejectUnauthorized: true };

  it.each(['TLSv1.3', 'TLSv1.2'] as const)(
    'ca, cert and key reach a server of a private CA over %s',
    async (version) => {
      await using endpoint = await reachedEndpoint({ tls: { ...strict, minVersion: version, maxVersion: version } });
      const without = await reached(endpoint.host, { tls: { ca: 'ca.pem' } }, true);
      expect(without.is).toEqual(['client-certificate-required', 'client-certificate-required']);
      expect(without.lookUp.message).toContain('The service presents none');
      const full = await reached(endpoint.host, { tls: { ca: 'ca.pem', cert: 'client.pem', key: 'client.key' } }, true);
      expect(full.is).toEqual([204, 101]);
    },
  );

  it('ca is needed where the server has a certificate of a private CA', async () => {
    await using endpoint = await reachedEndpoint({ tls: localCertificate });
    expect((await reached(endpoint.host, {}, true)).is).toEqual(['target-unreachable', 'target-unreachable']);
    expect((await reached(endpoint.host, { tls: { ca: 'ca.pem' } }, true)).is).toEqual([204, 101]);
  });

  it('a rejected client certificate fails nothing', async () => {
    const stranger = makeCertificate({ name: 'stranger' });
    await using endpoint = await reachedEndpoint({ tls: strict });
    const tls = { ca: 'ca.pem', cert: 'env:CERT', key: 'env:KEY' };
    const given = { CERT: stranger.cert, KEY: stranger.key };
    const { is, lookUp } = await reached(endpoint.host, { tls }, true, given);
    expect(is).toEqual(['client-certificate-required', 'client-certificate-required']);
    expect(lookUp.message).toContain('it may reject the client certificate of tls.cert');
  });

  it('reads ca, cert and key from the environment', async () => {
    await using endpoint = await reachedEndpoint({ tls: strict });
    const tls = { ca: 'env:CA', cert: 'env:CERT', key: 'env:KEY' };
    const { is } = await reached(endpoint.host, { tls }, true, {
      CA: authorityCertificate,
      CERT: client.cert,
      KEY: client.key,
    });
    expect(is).toEqual([204, 101]);
  });

  it('insecure accepts any certificate', async () => {
    const own = makeCertificate({ name: 'elsewhere.example' });
    await using endpoint = await reachedEndpoint({ tls: { key: own.key, cert: own.cert } });
    expect((await reached(endpoint.host, {}, true)).is).toEqual(['target-unreachable', 'target-unreachable']);
    expect((await reached(endpoint.host, { tls: { insecure: true } }, true)).is).toEqual([204, 101]);
  });

  it('servername is requested and verified', async () => {
    const own = makeCertificate({ name: 'staging', hosts: ['staging.example'] });
    await using endpoint = await reachedEndpoint({ tls: { key: own.key, cert: own.cert } });
    const tls = { ca: 'env:CA', servername: 'staging.example' };
    const { is } = await reached(endpoint.host, { tls }, true, { CA: own.cert });
    expect(is).toEqual([204, 101]);
    expect(new Set(endpoint.names)).toEqual(new Set(['staging.example']));
    const { servername: _, ...unnamed } = tls;
    expect((await reached(endpoint.host, { tls: unnamed }, true, { CA: own.cert })).is).toEqual([
      'target-unreachable',
      'target-unreachable',
    ]);
  });
});

describe.concurrent('proxy', () => {
  it.each([false, true])('carries requests and calls; over TLS: %s', async (isSecure) => {
    await using endpoint = await reachedEndpoint(isSecure ? { tls: localCertificate } : {});
    await using proxy = await connectProxy({ credentials: `user:${environment.PROXY_PASSWORD}` });
    const tls = { ca: 'ca.pem' };
    const without = await reached(endpoint.host, { tls, proxy: `http://${proxy.host}` }, isSecure);
    expect(without.is).toEqual(['target-unreachable', 'target-unreachable']);
    expect(without.lookUp.message).toContain(`the proxy http://${proxy.host} answered 407`);
    expect(endpoint.connections()).toBe(0);
    const given = { PROXY: `http://user:${environment.PROXY_PASSWORD}@${proxy.host}` };
    const { is, config } = await reached(endpoint.host, { tls, proxy: 'env:PROXY' }, isSecure, given);
    expect(is).toEqual([204, 101]);
    expect(new Set(proxy.targets)).toEqual(new Set([endpoint.host]));
    const basic = Buffer.from(`user:${environment.PROXY_PASSWORD}`).toString('base64');
    expect(configRedactor(config)(`sent ${environment.PROXY_PASSWORD} ${basic}`)).toBe(
      'sent [redacted: proxy password] [redacted: proxy password]',
    );
  });

  it('may itself use TLS, with a private CA', async () => {
    await using endpoint = await reachedEndpoint();
    await using proxy = await connectProxy({ isSecure: true });
    const over = { proxy: `https://${proxy.host}`, tls: { ca: 'ca.pem' } };
    expect((await reached(endpoint.host, over)).is).toEqual([204, 101]);
    expect(proxy.targets.length).toBeGreaterThan(0);
  });

  it('that cannot connect to the endpoint, or does not exist, is reported', async () => {
    const gone = await reachedEndpoint();
    await gone[Symbol.asyncDispose]();
    await using proxy = await connectProxy();
    const { lookUp, is } = await reached(gone.host, { proxy: `http://${proxy.host}` });
    expect(is).toEqual(['target-unreachable', 'target-unreachable']);
    expect(lookUp.message).toContain(`the proxy http://${proxy.host} answered CONNECT ${gone.host} with 502`);
    await using endpoint = await reachedEndpoint();
    const none = await reached(endpoint.host, { proxy: `http://${gone.host}` });
    expect(none.is).toEqual(['target-unreachable', 'target-unreachable']);
    expect(none.lookUp.message).toContain(`the proxy http://${gone.host} cannot be used`);
    expect(endpoint.connections()).toBe(0);
  });

  it('of the environment is used for hosts that NO_PROXY does not list, and never for loopback', async () => {
    await using endpoint = await reachedEndpoint({ tls: localCertificate });
    await using proxy = await connectProxy();
    const tls = { ca: 'ca.pem', servername: 'localhost' };
    const { port } = new URL(`http://${endpoint.host}`);
    const given = { HTTPS_PROXY: proxy.host, NO_PROXY: 'other.test' };
    expect((await reached(`staging.test:${port}`, { tls }, true, given)).is).toEqual([204, 101]);
    expect(new Set(proxy.targets)).toEqual(new Set([`staging.test:${port}`]));
    const tunnels = proxy.targets.length;
    const direct = await reached(endpoint.host, { tls }, true, given);
    expect(direct.is).toEqual([204, 101]);
    const off = await reached(`staging.test:${port}`, { tls, proxy: false }, true, given);
    expect(off.is).toEqual(['target-unreachable', 'target-unreachable']);
    const excepted = await reached(`staging.test:${port}`, { tls }, true, { ...given, no_proxy: '.test' });
    expect(excepted.is).toEqual(['target-unreachable', 'target-unreachable']);
    expect(proxy.targets.length).toBe(tunnels);
  });

  it('that does not answer is reported after the timeout', { timeout: 20_000 }, async () => {
    await using endpoint = await reachedEndpoint();
    await using proxy = await connectProxy({ delayMs: 8_000 });
    const { lookUp } = await reached(endpoint.host, { proxy: `http://${proxy.host}` });
    expect(lookUp.is).toBe('target-unreachable');
    expect(lookUp.message).toContain(`the proxy http://${proxy.host} did not answer within 5000 ms`);
  });

  it('does not hide that the endpoint stopped', async () => {
    const endpoint = await reachedEndpoint();
    await using proxy = await connectProxy();
    const crmWebhook = { url: `http://${endpoint.host}/crm`, token: 'env:TOKEN' } as const;
    const config = resolved({ crmWebhook, proxy: `http://${proxy.host}` });
    await using session = await Session.open(settingsOf(config));
    const lookUp = () => session.crm.deliver(session.sample.crmEvent('IncomingCallLookup'), { fresh: true });
    expect((await lookUp()).answer).toMatchObject({ status: 204 });
    await endpoint[Symbol.asyncDispose]();
    await expect(lookUp()).rejects.toMatchObject({ code: 'target-stopped' });
  });

  it.each(['delivery', 'call'])(
    'that fails during a %s does not blame the endpoint',
    { timeout: 60_000 },
    async (during) => {
      await using proxy = await connectProxy();
      const server = createServer((_, response) => {
        if (during === 'delivery') {
          proxy.refuse(503);
          response.destroy();
        } else response.writeHead(204).end();
      });
      server.on('upgrade', (_, socket) => {
        proxy.refuse(504);
        socket.destroy();
      });
      await using endpoint = await listening(server);
      const { lookUp, call } = await reached(endpoint.host, { proxy: `http://${proxy.host}` });
      const { is, message } = during === 'delivery' ? lookUp : call;
      expect(is).toBe('target-unreachable');
      expect(message).toContain('closed, and then the proxy could not connect to it');
    },
  );

  it('that fails during an open call does not blame the endpoint', () => {
    const call = {
      kind: 'call',
      request: { url: 'ws://staging.example/voice' },
      answer: { outcome: 'answered' },
      end: { stop: { suspects: ['a call'], viaProxy: true } },
    } as unknown as CallObservation;
    expect(() => stopFinding(call)).toThrow(expect.objectContaining({ code: 'target-unreachable' }));
  });
});

describe('a proxy whose delay is measured', () => {
  // On a busy machine, our own delay may be longer than that of the proxy.
  it('delays every answer: no time that it may have caused is judged', { retry: 2 }, async () => {
    await using endpoint = await reachedEndpoint();
    await using scanning = await connectProxy({ scanMs: 300 });
    const { lookUp, call } = await reached(endpoint.host, { proxy: `http://${scanning.host}` });
    const { observation } = lookUp;
    if (observation?.kind !== 'http') throw new Error('not answered');
    const time = measuredTime(observation);
    if (!time) throw new Error('not measured');
    expect(time.ms).toBeGreaterThanOrEqual(299);
    const limited = { ...time, limitMs: 200 };
    expect(timelinessOf(limited)).toBe('uncertain');
    expect(ownDelayFault(limited).code).toBe('proxy-delay');
    expect(call.observation?.times.proxyMs).toBeGreaterThanOrEqual(299);
  });

  it('is quick: an endpoint that is late with an event is late, although no other answer is known', async () => {
    await using endpoint = await reachedEndpoint({ delayMs: 2_100, delaysEvents: true });
    await using quick = await connectProxy();
    const { observation } = (await reached(endpoint.host, { proxy: `http://${quick.host}` })).lookUp;
    if (observation?.kind !== 'http') throw new Error('not answered');
    expect(observation.times.proxyMs).toBeLessThan(2_000);
    const time = measuredTime(observation);
    expect(time && timelinessOf({ ...time, lagMs: time.proxyMs ?? 0, limitMs: 1 })).toBe('late');
  });

  it('adds to each time, and a limit within that share is not judged', async () => {
    await using endpoint = await reachedEndpoint({ delayMs: 2_100 });
    await using slow = await connectProxy({ delayMs: 300 });
    const { lookUp } = await reached(endpoint.host, { proxy: `http://${slow.host}` });
    const { observation } = lookUp;
    if (observation?.kind !== 'http') throw new Error('not answered');
    expect(observation.times.proxyMs).toBeGreaterThanOrEqual(300);
    const time = measuredTime(observation);
    if (!time) throw new Error('not measured');
    expect(time.ms).toBeGreaterThan(2_000);
    expect(timelinessOf(time)).toBe('uncertain');
    expect(ownDelayFault(time).code).toBe('proxy-delay');
    const late = { ...time, ms: time.limitMs + time.lagMs + 1 };
    expect(timelinessOf(late)).toBe('late');
    const { lookUp: direct } = await reached(endpoint.host);
    const { proxyMs } = direct.observation?.times ?? {};
    expect(proxyMs).toBeUndefined();
  });
});

describe('addresses', () => {
  it('of IPv6 are reached, directly and through a proxy', async () => {
    await using endpoint = await reachedEndpoint({ isIpv6: true });
    expect((await reached(endpoint.host)).is).toEqual([204, 101]);
    await using proxy = await connectProxy();
    expect((await reached(endpoint.host, { proxy: `http://${proxy.host}` })).is).toEqual([204, 101]);
    expect(new Set(proxy.targets)).toEqual(new Set([endpoint.host]));
  });

  it.each([false, true])('are reached from a fixed source address; over TLS: %s', async (isSecure) => {
    await using endpoint = await reachedEndpoint(isSecure ? { tls: localCertificate } : {});
    const over = { localAddress: '127.0.0.7', tls: { ca: 'ca.pem' } };
    expect((await reached(endpoint.host, over, isSecure)).is).toEqual([204, 101]);
    expect(new Set(endpoint.sources)).toEqual(new Set(['127.0.0.7']));
  });
});
