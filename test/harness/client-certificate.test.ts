import { createServer, type ServerOptions } from 'node:https';
import { beforeAll, describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Session } from '../../harness/checks/session.ts';
import { StateProbe } from '../../harness/checks/state-probe.ts';
import { requiresClientCertificate } from '../../harness/wire/client-certificate.ts';
import { listening } from '../server-fixture.ts';
import { authorityCertificate, localCertificate, trustTestAuthority } from '../tls/test-authority.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

beforeAll(trustTestAuthority);

/** Requires a client certificate. */
const strictServer = (options: ServerOptions) =>
  listening(
    createServer(
      { ...localCertificate, ca: authorityCertificate, requestCert: true, rejectUnauthorized: true, ...options },
      (_, response) => response.end('{}'),
    ),
  );

const faultOf = async (run: Promise<unknown>) => {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HarnessFault);
  const { code, message } = error as HarnessFault;
  return { code, message };
};

describe.each(['TLSv1.3', 'TLSv1.2'] as const)('a server that requires a client certificate over %s', (version) => {
  const options = { minVersion: version, maxVersion: version };

  it('is reported as that for each delivery and call, also for those sent at once, and is not tried again', async () => {
    await using server = await strictServer(options);
    const origin = `https://127.0.0.1:${server.port}`;
    await using session = await Session.open(
      settingsOf(configOf({ crm: `${origin}/crm`, chat: `${origin}/chat`, state: `${origin}/state` })),
    );
    const lookUp = () => faultOf(session.crm.deliver(session.sample.crmEvent('IncomingCallLookup')));
    const expected = {
      code: 'client-certificate-required',
      message: expect.stringContaining(`127.0.0.1:${server.port} requires a client certificate.`) as string,
    };
    expect(await Promise.all(Array.from({ length: 5 }, lookUp))).toEqual(Array.from({ length: 5 }, () => expected));
    const tried = server.connections();
    const refused = { toBeRefused: true } as const;
    expect(await faultOf(session.crm.deliver(session.sample.crmEvent('Manual'), refused))).toEqual(expected);
    expect(
      await faultOf(session.chat.deliver(session.chat.open(session.sample.messageReceived()), { label: 'a message' })),
    ).toEqual(expected);
    expect(await faultOf(new StateProbe(session, `${origin}/state`).read('the state'))).toEqual(expected);
    expect(server.connections()).toBe(tried);
  });

  it('is reported as that for a call', async () => {
    await using server = await strictServer(options);
    const phone = `wss://127.0.0.1:${server.port}/voice`;
    await using session = await Session.open(settingsOf(configOf({ phone })));
    const { code } = await faultOf(session.phone.attemptCall(session.phone.upgrade('call-1'), 'a call'));
    expect(code).toBe('client-certificate-required');
  });
});

describe('an alert of the server', () => {
  const alert = (number: number) => new Error(`tlsv1 alert: SSL routines:ssl3_read_bytes: SSL alert number ${number}`);

  it.each([42, 116])('%i is about a client certificate, presented or not', (number) => {
    expect(requiresClientCertificate(alert(number), false)).toBe(true);
    expect(requiresClientCertificate(alert(number), true, true)).toBe(true);
  });

  it.each([43, 44, 45, 46, 48, 49])('%i is about the content of a presented one', (number) => {
    expect(requiresClientCertificate(alert(number), true)).toBe(false);
    expect(requiresClientCertificate(alert(number), true, true)).toBe(true);
  });

  it.each([80, 112])('%i is not about it', (number) => {
    expect(requiresClientCertificate(alert(number), true, true)).toBe(false);
  });
});

describe('a TLS server that ends the connection for another reason', () => {
  it('has no part in TLS in common with us: unreachable', async () => {
    await using server = await strictServer({
      requestCert: false,
      maxVersion: 'TLSv1.2',
      ciphers: 'ECDHE-RSA-AES128-GCM-SHA256',
    });
    await using session = await Session.open(settingsOf(configOf({ crm: `https://127.0.0.1:${server.port}` })));
    const { code } = await faultOf(session.crm.deliver(session.sample.crmEvent('Manual')));
    expect(code).toBe('target-unreachable');
  });
});
