import { afterEach, expect, it, vi } from 'vitest';
import { callbackRouteProblem } from '../../harness/wire/callback-route.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { Inbox } from '../../harness/wire/inbox.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { testAuthority, trustTestAuthority } from '../tls/test-authority.ts';
import { tlsFront } from '../tls/tls-front.ts';
import { connectProxy } from './connect-proxy.ts';

afterEach(() => vi.unstubAllEnvs());

it('service.publicUrl is tested through the proxy of the environment', async () => {
  trustTestAuthority();
  const port = await freePort('127.0.0.1');
  const certificate = makeCertificate({ name: 'conform.test', hosts: ['conform.test'], issuer: testAuthority });
  await using front = await tlsFront(port, { key: certificate.key, cert: certificate.cert });
  await using proxy = await connectProxy();
  await using inbox = await Inbox.open({ host: '127.0.0.1', port, publicUrl: `https://conform.test:${front.port}` });
  expect(await callbackRouteProblem(inbox)).toContain('failed');
  vi.stubEnv('HTTPS_PROXY', `http://${proxy.host}`);
  expect(await callbackRouteProblem(inbox)).toBeUndefined();
  expect(proxy.targets).toEqual([`conform.test:${front.port}`]);
});
