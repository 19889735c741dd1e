import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ApiExchangeRecord } from '../../service/api/install-recording.ts';
import { ControlledService } from '../../service/controlled-service.ts';
import { targetBelow } from '../../service/target-below.ts';
import { apiKey, FakeOutbound, openService, type OpenService } from './open-service.ts';

describe('the target of a request below the public address', () => {
  it.each([
    [undefined, '/v1/me?a=1', '/v1/me?a=1'],
    [undefined, 'http://127.0.0.1:80/v1/me?a=1', '/v1/me?a=1'],
    [undefined, 'HTTPS://ci.example?a=1', '/?a=1'],
    [undefined, '*', '*'],
    ['https://ci.example', '/v1/me', '/v1/me'],
    ['https://ci.example/svc/', '/svc/v1/me', '/v1/me'],
    ['https://ci.example/svc', '/v1/me', '/v1/me'],
    ['https://ci.example/svc', 'https://ci.example/svc/v1/me', '/v1/me'],
    ['https://ci.example/svc', '/svc/nothing', '/nothing'],
    ['https://ci.example/svc', '/svc?x', '/?x'],
    ['https://ci.example/svc', '/svc-other/v1/me', '/svc-other/v1/me'],
    ['https://ci.example/v1', '/v1/me', '/v1/me'],
    ['https://ci.example/v1', '/v1/v1/me', '/v1/me'],
    ['https://ci.example/svc', '/svc/callbacks/x?ticket=1', '/callbacks/x?ticket=1'],
  ])('of %s for %s is %s', (publicUrl, target, below) => {
    expect(targetBelow(publicUrl)(target)).toBe(below);
  });
});

describe('a service', () => {
  const own = ({ service }: OpenService) => `127.0.0.1:${(service.app.server.address() as AddressInfo).port}`;
  const head = `X-Api-Key: ${apiKey}\r\nConnection: close\r\n\r\n`;

  it('behind a proxy is reached whether the proxy keeps the path of the public address or takes it off', async () => {
    const records: ApiExchangeRecord[] = [];
    const onExchange = (record: ApiExchangeRecord) => void records.push(record);
    await using open = await openService({}, { publicUrl: 'https://ci.example/svc', apiHooks: { onExchange } });
    for (const path of ['/svc/v1/me?a=1', '/v1/me?a=1']) {
      expect((await fetch(`http://${own(open)}${path}`, { headers: { 'X-Api-Key': apiKey } })).status).toBe(200);
    }
    expect((await fetch(`http://${own(open)}/svc/nothing`, { headers: { 'X-Api-Key': apiKey } })).status).toBe(404);
    expect(records.map(({ url }) => url)).toEqual(['/v1/me?a=1', '/v1/me?a=1', '/nothing']);
    expect(open.events('api-request').map(({ text }) => text.split(' ')[1])).toEqual(['/v1/me', '/v1/me', '/nothing']);
  });

  it('takes a whole address as the target, and records path and query of it', async () => {
    const records: ApiExchangeRecord[] = [];
    await using open = await openService({}, { apiHooks: { onExchange: (record) => void records.push(record) } });
    const answer = await open.raw(`GET http://svc.example/v1/me?a=1 HTTP/1.1\r\nHost: svc.example\r\n${head}`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(records.map(({ url }) => url)).toEqual(['/v1/me?a=1']);
    expect(open.events('api-request').map(({ text }) => text)).toEqual(['GET /v1/me 200']);
  });

  it('has its control API below the public address, too', async () => {
    await using running = await ControlledService.open({
      outbound: new FakeOutbound(),
      secrets: { webhookToken: 'token', webhookSecret: 'secret' },
      publicUrl: 'https://ci.example/svc',
    });
    const { origin, pathname } = new URL(running.controlUrl);
    for (const path of [pathname, `/svc${pathname}`]) expect((await fetch(origin + path)).status).toBe(200);
  });
});
