import { networkInterfaces } from 'node:os';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { assertPrivateHosts } from '../../harness/config/allowed-http.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { isLocalAddress } from '../../harness/wire/is-local-network.ts';
import { environmentRefusals } from '../../reports/certificate/refusals.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';

const environment = { AGENT_SECRET: 'whsec_Kx7mQp2Vw9Zt4Bn8RcHq5Zt8Ny1Mb4Ud' };
const resolve = (config: unknown) => resolveConfig(config, environment, 'the config');
const chat = (url: string, allowHttp: string[]) => ({ chat: { url, secret: 'env:AGENT_SECRET' }, allowHttp });

describe('allowHttp', () => {
  it.each([
    ['http://app:8080/chat', 'app'],
    ['http://APP/chat', 'app'],
    ['http://app.shop.svc.cluster.local/chat', 'app.shop.svc.cluster.local'],
    ['http://my_app/chat', 'My_App'],
    ['http://10.1.2.3/chat', '10.1.2.3'],
    ['http://[fd00::1]:80/chat', 'fd00::1'],
    ['http://[fd00::1]:80/chat', '[FD00::1]'],
    ['http://[fd00::1]:80/chat', 'fd00:0:0::1'],
    ['http://100.64.3.4/chat', '100.64.3.4'],
    ['http://app.example.com/chat', 'app.example.com'],
  ])('lets %s be unencrypted with %s', (url, host) => {
    expect(resolve(chat(url, [host])).openHosts).toEqual([new URL(url).hostname]);
  });

  it('applies to calls and to the address of the service, and to no other host', () => {
    const secret = 'env:AGENT_SECRET';
    const config = {
      phone: { url: 'ws://app/voice', secret },
      service: { publicUrl: 'http://conform:8443' },
      allowHttp: ['app', 'conform', 'unused'],
    };
    expect(resolve(config).openHosts).toEqual(['app', 'conform']);
    expect(() => resolve({ ...config, allowHttp: ['conform'] })).toThrow(
      /phone\.url is ws:\/\/app\/voice; ws: is allowed for loopback only .* Use wss:, or --allow-http app for this/,
    );
    expect(() => resolve(chat('http://app.example.com/', ['app', 'example.com']))).toThrow(/Use https:\.$/);
  });

  it('has no effect on encrypted or local traffic', () => {
    expect(resolve(chat('https://app/chat', ['app']))).not.toHaveProperty('openHosts');
    expect(resolve(chat('http://localhost/chat', ['app']))).not.toHaveProperty('openHosts');
  });

  it.each(['93.184.216.34', '[2606:2800:220:1::1]', '2606:2800:220:1::1'])('refuses the public address %s', (host) => {
    const run = () => resolve(chat('http://app/', ['app', host]));
    expect(run).toThrow(/allowHttp: expected a host in a private network, received .*, which is public/);
  });

  it.each(['http://app', 'app:8080', 'app/chat', 'abc:8080', '', 'a b'])('refuses %j, which is not a host', (host) => {
    expect(() => resolve(chat('https://app/', [host]))).toThrow(/allowHttp/);
  });

  it('resolves names, and refuses those with any public address', async () => {
    const config = resolve(chat('http://app/', ['app']));
    const to = (...addresses: string[]) =>
      assertPrivateHosts(config, async () => addresses.map((address) => ({ address })));
    await expect(to('172.18.0.2', 'fd00::2', '127.0.0.1', '::1', '::ffff:10.0.0.1')).resolves.toBeUndefined();
    for (const address of [
      '93.184.216.34',
      '2606:2800:220:1::1',
      '::ffff:93.184.216.34',
      '172.32.0.1',
      '100.128.0.1',
    ]) {
      await expect(to('172.18.0.2', address)).rejects.toMatchObject({
        code: 'address-not-allowed',
        message: `--allow-http app: expected a private host, but it resolves to ${address}, which is public. Use https: or wss:.`,
      });
    }
  });

  it('refuses a host behind a proxy, which resolves the name itself', async () => {
    const to = async (config: object) =>
      assertPrivateHosts(resolve({ ...chat('http://app/', ['app']), ...config }), async () => [
        { address: '10.0.0.1' },
      ]);
    const proxy = 'http://proxy.example.com:3128';
    await expect(to({ proxy })).rejects.toMatchObject({ code: 'address-not-allowed' });
    await expect(to({ proxy: false })).resolves.toBeUndefined();
    const secret = 'env:AGENT_SECRET';
    const phone = { url: 'wss://voice.example.com/', secret, proxy };
    await expect(to({ proxy: false, phone })).resolves.toBeUndefined();
  });

  it('names the allowed hosts by the rule, not by the list', () => {
    expect(() => resolve(chat('http://app/', ['docker.internal']))).toThrow(/allowed for loopback only/);
  });

  it('refuses a name that cannot be resolved, unless its form shows that it is private', async () => {
    const fail = async () => Promise.reject(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }));
    const isAccepted = async (host: string) => {
      const asked = assertPrivateHosts(resolve(chat(`http://${host}/`, [host])), fail);
      return await asked.then(
        () => true,
        (error: Error) => error.message,
      );
    };
    for (const host of ['app', 'app.shop.svc', 'app.shop.svc.cluster.local', 'app.internal']) {
      expect(await isAccepted(host)).toBe(true);
    }
    expect(await isAccepted('app.example.com')).toContain('this name cannot be resolved (ENOTFOUND)');
  });
});

/** An address of this machine in a private network, which is not loopback. */
const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses = []) => addresses)
  .find(({ internal, address }) => !internal && !address.startsWith('fe80:') && isLocalAddress(address))?.address;

describe('--allow-http', () => {
  it.skipIf(ownAddress === undefined)('reaches an endpoint in a private network, and each report says so', async () => {
    const listened = ownAddress ?? '';
    const host = listened.includes(':') ? `[${listened}]` : listened;
    await using server = createServer((_, response) => response.writeHead(401).end()).listen(0, listened);
    await once(server, 'listening');
    await using directory = await temporaryDirectory();
    const { port } = server.address() as AddressInfo;
    const target = ['--chat-url', `http://${host}:${port}/`, '--chat-secret', 'env:AGENT_SECRET'];
    const only = ['--only', 'own-ai-chat/refuses-missing-signature', '--no-diagnose'];
    const run = (...args: string[]) =>
      runCommand(['check', ...target, ...args], { cwd: directory.path, env: { ...environment, NO_PROXY: '*' } });
    const refused = await run();
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain(`or --allow-http ${host} for this private host.`);
    const { stdout } = await run('--allow-http', host, ...only);
    const said = `The traffic with ${host} was not encrypted (--allow-http)`;
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(said);
    const text = await readFile(directory.at('conformance-report/partial/report.json'), 'utf8');
    const report = JSON.parse(text) as Report;
    expect(report.environment?.allowedHttp).toEqual([host]);
    expect(environmentRefusals(report.environment)).toEqual([expect.stringContaining(said.slice(0, -15))]);
    const key = ['--certificate', '--key', 'env:KEY'];
    const certified = await run('--allow-http', host, ...key);
    expect(certified).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('certify over https: or wss:') as string,
    });
  });

  it('refuses a public address', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--chat-url', 'http://93.184.216.34/', '--chat-secret', 'env:AGENT_SECRET', '--allow-http'];
    const ended = await runCommand(['check', ...args, '93.184.216.34'], { cwd: directory.path, env: environment });
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('93.184.216.34, which is public');
  });

  it('refuses a host behind a proxy, before anything is sent', async () => {
    await using directory = await temporaryDirectory();
    const args = ['--chat-url', 'http://app/', '--chat-secret', 'env:AGENT_SECRET', '--allow-http', 'app'];
    const env = { ...environment, HTTP_PROXY: 'http://127.0.0.1:9', http_proxy: '', NO_PROXY: '', no_proxy: '' };
    for (const command of [['check'], ['send', 'message.received']]) {
      const ended = await runCommand([...command, ...args], { cwd: directory.path, env });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(
        '--allow-http app: expected a direct connection, but the proxy http://127.0.0.1:9 would resolve this host',
      );
    }
  });
});
