import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { callbackRouteProblem } from '../../harness/wire/callback-route.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { Inbox } from '../../harness/wire/inbox.ts';
import { makeCertificate } from '../tls/make-certificate.ts';
import { testAuthority, trustTestAuthority } from '../tls/test-authority.ts';
import { tlsFront } from '../tls/tls-front.ts';
import { connectProxy } from './connect-proxy.ts';

beforeEach(trustTestAuthority);
afterEach(() => vi.unstubAllEnvs());

it('service.publicUrl is tested through the proxy of the environment', async () => {
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

it.concurrent.each([
  ['with a redirect', { location: '/login' }, 'was answered 308, a redirect to /login, and did not arrive here'],
  ['without one', {}, 'was answered 308, and did not arrive here'],
])(
  'another server at service.publicUrl is described by its answer, %s',
  { timeout: 20_000 },
  async (_, headers, text) => {
    const other = createServer((__, response) => response.writeHead(308, headers).end());
    other.listen(0, '127.0.0.1');
    await once(other, 'listening');
    const publicUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await using inbox = await Inbox.open({ host: '127.0.0.1', port: 0, publicUrl });
    expect(await callbackRouteProblem(inbox)).toBe(text);
    other.close();
  },
);
