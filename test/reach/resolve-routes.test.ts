import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { configRedactor } from '../../harness/config/config-redactor.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { environmentProxy, proxyAddress } from '../../harness/wire/environment-proxy.ts';
import { Routes } from '../../harness/wire/routes.ts';
import { makeCertificate } from '../tls/make-certificate.ts';

const directory = mkdtempSync(join(tmpdir(), 'svc-conform-routes-'));
const one = makeCertificate({ name: 'one' });
const other = makeCertificate({ name: 'other' });
const keyInOneLine = other.key.replaceAll(/-----[^-]*-----|\n/g, '');
writeFileSync(join(directory, 'one.pem'), one.cert);
writeFileSync(join(directory, 'one.key'), one.key);
writeFileSync(join(directory, 'other.key'), other.key);
writeFileSync(join(directory, 'note.txt'), 'hidden words');
afterAll(() => rmSync(directory, { recursive: true }));

const environment = { TOKEN: 'Qv7Lr2Xs9Tb4Vd6P', SECRET: 'whsec_c2VjcmV0', BAD: 'two\nlines', EMPTY: '' };
const chat = { url: 'https://staging.example/chat', secret: 'env:SECRET' };

function messageOf(config: object, more: Record<string, string> = {}): string {
  try {
    resolveConfig(config, { ...environment, ...more }, 'conf.json', directory);
  } catch (error) {
    if (error instanceof HarnessFault) return error.message;
    throw error;
  }
  throw new Error('The config is valid.');
}

describe('an invalid value is reported with its key', () => {
  it.each<[string, object, string]>([
    [
      'a missing file',
      { tls: { ca: 'none.pem' } },
      'tls.ca: expected a file or env:NAME, received none.pem: there is no such file',
    ],
    [
      'a private key instead of its path',
      { chat: { ...chat, tls: { cert: 'one.pem', key: other.key } } },
      'chat.tls.key: expected a file or env:NAME, received a string (not shown) that is not the path of a file',
    ],
    [
      'a private key in one line instead of its path',
      { tls: { cert: 'one.pem', key: keyInOneLine } },
      'tls.key: expected a file or env:NAME, received a string (not shown) that is not the path of a file',
    ],
    ['a missing file of a surface', { chat: { ...chat, tls: { ca: 'none.pem' } } }, 'chat.tls.ca: expected a file'],
    [
      'a file without a certificate',
      { tls: { ca: 'note.txt' } },
      'tls.ca: expected certificates in PEM form in note.txt, received something else (not shown)',
    ],
    [
      'a certificate without a key',
      { tls: { cert: 'one.pem' } },
      'tls.key: expected the private key of the client certificate in tls.cert, received (missing)',
    ],
    [
      'a key without a certificate',
      { chat: { ...chat, tls: { key: 'one.key' } } },
      'chat.tls.cert: expected the client certificate of the key in chat.tls.key, received (missing)',
    ],
    [
      'a key of another certificate',
      { tls: { cert: 'one.pem', key: 'other.key' } },
      'tls.key: expected the private key of the first certificate in tls.cert, received the key of another one',
    ],
    [
      'a variable that is not set',
      { tls: { ca: 'env:NONE' } },
      'conf.json: tls.ca is env:NONE, but the environment variable NONE is not set.',
    ],
    [
      'an empty variable',
      { headers: { 'X-Key': 'env:EMPTY' } },
      'headers.X-Key is env:EMPTY, but the environment variable EMPTY is empty.',
    ],
    [
      'a header value with a line break',
      { headers: { 'X-Key': 'env:BAD' } },
      'headers.X-Key: expected a valid HTTP header value in env:BAD, received one with a line break (hidden)',
    ],
    [
      'a literal header value',
      { headers: { 'X-Key': 'gw-4711' } },
      'headers.X-Key: expected env:NAME, the environment variable that contains it, received a string (not shown)',
    ],
    [
      'an invalid header name',
      { headers: { 'X Key': 'env:TOKEN' } },
      'headers: expected names of HTTP headers, received "X Key"',
    ],
    [
      'a header of the interface',
      { chat: { ...chat, headers: { 'x-svc-signature': 'env:TOKEN' } } },
      'chat.headers.x-svc-signature: expected a header that the interface does not define',
    ],
    [
      'a header of the interface with its brand',
      { brand: 'Acme', chat: { ...chat, headers: { 'X-ACME-Signature': 'env:TOKEN' } } },
      'chat.headers.X-ACME-Signature: expected a header that the interface does not define',
    ],
    [
      'one address with different headers',
      { chat: { ...chat, headers: { 'X-Key': 'env:TOKEN' } }, apiWebhooks: { url: chat.url, secret: 'env:SECRET' } },
      'chat.url: expected the same headers, tls, proxy and localAddress as apiWebhooks, which has the same address, received others. Use the same values for both, or another address for one of them.',
    ],
    [
      'Authorization for the CRM webhook',
      { crmWebhook: { url: 'https://staging.example/', token: 'env:TOKEN' }, headers: { authorization: 'env:TOKEN' } },
      'received authorization, which the CRM webhook sends itself. Let the gateway accept another header.',
    ],
    [
      'a proxy of another kind',
      { proxy: 'socks5://proxy.example' },
      'proxy: expected the address of an HTTP proxy (http://host:port), env:NAME with one, or false, received a string (not shown)',
    ],
    [
      'true instead of a proxy',
      { chat: { ...chat, proxy: true } },
      'chat.proxy: expected the address of an HTTP proxy (http://host:port), env:NAME with one, or false, received true',
    ],
    [
      'a password in the config',
      { proxy: 'http://user:pw-4711@proxy.example' },
      'proxy: expected env:NAME for an address with a user name or password, received one with them (hidden)',
    ],
    [
      'a name as local address',
      { localAddress: 'eth0' },
      'localAddress: expected an IP address of this machine, received "eth0"',
    ],
    [
      'an unknown key of tls',
      { tls: { cafile: 'one.pem' } },
      'tls.cafile: expected one of the keys ca, cert, key, insecure, servername',
    ],
  ])('%s', (_, over, expected) => {
    const message = messageOf({ chat, ...over });
    expect(message).toContain(expected);
    expect(message).toContain('conf.json');
    for (const hidden of [keyInOneLine.slice(0, 40), 'hidden words', 'pw-4711', 'gw-4711', 'two'])
      expect(message).not.toContain(hidden);
  });

  it('an invalid proxy of the environment, by the name of the variable', () => {
    const message = messageOf({ chat }, { https_proxy: 'socks5://user:pw-4711@proxy.example' });
    expect(message).toContain('environment variable https_proxy: expected the address of an HTTP proxy');
    expect(message).not.toContain('pw-4711');
  });
});

describe('a route', () => {
  it('combines the values of a surface with those of all surfaces', () => {
    const { routes } = resolveConfig(
      {
        chat: { ...chat, headers: { 'x-key': 'env:SECRET' }, tls: { servername: 'inner.example' }, proxy: false },
        crmWebhook: { url: 'https://staging.example/crm', token: 'env:TOKEN' },
        headers: { 'X-Key': 'env:TOKEN', 'X-Other': 'env:TOKEN' },
        tls: { ca: 'one.pem', cert: 'one.pem', key: 'one.key' },
        proxy: 'http://proxy.example:3128',
      },
      { ...environment },
      'conf.json',
      directory,
    );
    const { cert, key } = one;
    const proxy = { host: 'proxy.example', port: 3128, isSecure: false, shown: 'http://proxy.example:3128' };
    expect(routes).toEqual({
      chat: {
        headers: [
          ['x-key', environment.SECRET],
          ['X-Other', environment.TOKEN],
        ],
        ca: cert,
        cert,
        key,
        servername: 'inner.example',
      },
      crmWebhook: {
        headers: [
          ['X-Key', environment.TOKEN],
          ['X-Other', environment.TOKEN],
        ],
        ca: cert,
        cert,
        key,
        proxy,
      },
    });
  });

  it('may be shared by surfaces of one address', () => {
    const apiWebhooks = { url: `${chat.url}#events`, secret: 'env:SECRET', headers: { 'x-key': 'env:TOKEN' } };
    const config = { chat: { ...chat, headers: { 'X-Key': 'env:TOKEN' } }, apiWebhooks };
    expect(Object.keys(resolveConfig(config, environment, 'conf.json', directory).routes ?? {})).toEqual([
      'apiWebhooks',
      'chat',
    ]);
  });

  it.each([
    ['https://staging.example/hook', 'chat'],
    ['https://staging.example/hook/', 'chat'],
    ['https://staging.example/hook?retry=1', 'chat'],
    ['https://staging.example/hook/crm', 'crm'],
    ['https://staging.example/hook/crm/later', 'crm'],
    ['https://staging.example/hook/crm-2', 'chat'],
    ['https://staging.example/state', 'state'],
    ['https://staging.example/other/new', 'events'],
    ['https://elsewhere.example/hook/crm', undefined],
  ])('of %s is that of %s', (address, expected) => {
    const url = (path: string) => `https://staging.example/${path}`;
    const route = (name: string) => ({ headers: [['X-Key', name]] as [string, string][] });
    const routes = Routes.of({
      crmWebhook: { url: url('hook/crm'), token: '' },
      apiWebhooks: { url: url('other/events'), secret: '' },
      chat: { url: url('hook'), secret: '', timeoutSeconds: 1 },
      observe: { url: url('state') },
      routes: { crmWebhook: route('crm'), apiWebhooks: route('events'), chat: route('chat'), observe: route('state') },
    });
    expect(routes.to(address).headers[0]?.[1]).toBe(expected);
  });

  it('hides the password in a header of Basic', () => {
    const basic = `Basic ${Buffer.from('user:Hs5Wq2Zc8Nf4').toString('base64')}`;
    const given = { chat: { ...chat, headers: { Authorization: 'env:BASIC' } } };
    const config = resolveConfig(given, { ...environment, BASIC: basic }, 'conf.json', directory);
    const hidden = '[redacted: header Authorization]';
    expect(configRedactor(config)(`sent ${basic}, user:Hs5Wq2Zc8Nf4 and Hs5Wq2Zc8Nf4`)).toBe(
      `sent ${hidden}, ${hidden} and ${hidden}`,
    );
  });

  it('is absent if only the address decides', () => {
    expect(resolveConfig({ chat }, environment, 'conf.json', directory).routes).toBeUndefined();
  });
});

describe('the proxy of the environment', () => {
  const proxy = 'http://proxy.example:3128';
  const of = (address: string, variables: Record<string, string>) =>
    environmentProxy(new URL(address), variables)?.shown;

  it('depends on the scheme, and a name in lower case has precedence', () => {
    const both = { HTTPS_PROXY: 'http://safe.example', HTTP_PROXY: 'http://plain.example' };
    expect(of('https://a.example/', both)).toBe('http://safe.example:80');
    expect(of('wss://a.example/', both)).toBe('http://safe.example:80');
    expect(of('http://a.example/', both)).toBe('http://plain.example:80');
    expect(of('ws://a.example/', both)).toBe('http://plain.example:80');
    expect(of('https://a.example/', { ...both, https_proxy: proxy })).toBe(proxy);
    expect(of('https://a.example/', { HTTPS_PROXY: 'https://proxy.example' })).toBe('https://proxy.example:443');
    expect(of('https://a.example/', {})).toBeUndefined();
  });

  it.each(['localhost', '127.0.0.1', '[::1]', 'api.localhost'])('is not used for %s', (host) => {
    expect(of(`https://${host}/`, { HTTPS_PROXY: proxy })).toBeUndefined();
  });

  it.each([
    ['*', 'a.example', true],
    ['example', 'a.example', true],
    ['.a.example', 'a.example', true],
    ['*.a.example', 'b.a.example', true],
    ['A.Example', 'a.example', true],
    ['xa.example, b.example a.example', 'a.example', true],
    ['a.example:443', 'a.example', true],
    ['a.example:8443', 'a.example', false],
    ['a.example:8443', 'a.example:8443', true],
    ['a.example', 'xa.example', false],
    ['10.0.0.0/8', '10.2.3.4', true],
    ['10.0.0.0/8', '11.2.3.4', false],
    ['10.2.3.4', '10.2.3.4', true],
    ['fd00::/8', '[fd00::7]', true],
    ['[fd00::7]:443', '[fd00::7]', true],
    ['fd00::7', '[fd00::7]', true],
    ['fd00::7', '[fd00::8]', false],
    ['', 'a.example', false],
  ])('with NO_PROXY=%s is not used for %s: %s', (list, host, isExcepted) => {
    expect(of(`https://${host}/`, { HTTPS_PROXY: proxy, NO_PROXY: list })).toBe(isExcepted ? undefined : proxy);
  });

  it('may have credentials, which are not shown', () => {
    expect(proxyAddress('http://us%20er:p%40ss@proxy.example:3128')).toEqual({
      host: 'proxy.example',
      port: 3128,
      isSecure: false,
      shown: proxy,
      credentials: { user: 'us er', password: 'p@ss' },
    });
  });
});
