import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { openTunnel } from '../../harness/wire/proxy-tunnel.ts';

it('a tunnel starts from the local address of its route', async () => {
  const sources: (string | undefined)[] = [];
  const proxy = createServer().on('connect', (_, socket) => {
    sources.push((socket as { remoteAddress?: string }).remoteAddress);
    socket.end('HTTP/1.1 200 Connection established\r\n\r\n');
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const address = { host: '127.0.0.1', port, isSecure: false, shown: 'http://127.0.0.1' };
  const route = { headers: [], proxy: address, localAddress: '127.0.0.7' };
  const tunnel = openTunnel(route, { host: 'conform.test', port: 443, timeoutMs: 5_000 });
  await tunnel.socket;
  tunnel.abort();
  proxy.close();
  expect(sources).toEqual(['127.0.0.7']);
});
