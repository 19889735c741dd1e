import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { configFileNames } from '../../harness/config/config-file-names.ts';
import { readConfigFile } from '../../harness/config/config-file.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { redactor } from '../../service/redact.ts';
import { configuredSurfaces, resolveConfig } from '../../harness/config/resolve-config.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { secretsOf } from '../../harness/config/settings.ts';

const made: string[] = [];
afterEach(async () => {
  for (const directory of made.splice(0)) await rm(directory, { recursive: true });
});

async function directoryWith(files: Record<string, string>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-conform-config-'));
  made.push(directory);
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, name)), { recursive: true });
    await writeFile(join(directory, name), text);
  }
  return directory;
}

async function faultOf(run: Promise<unknown> | (() => unknown)): Promise<{ code: string; message: string }> {
  try {
    await (typeof run === 'function' ? run() : run);
  } catch (error) {
    expect(error).toBeInstanceOf(HarnessFault);
    return error as HarnessFault;
  }
  throw new Error('expected a fault, received none');
}

const value = { observe: { url: 'http://127.0.0.1:8080/state' } };
const text = JSON.stringify(value);
const asModule = `export default ${text};`;

describe('a config file', () => {
  it.each([
    ['ts', `const config: { observe: { url: string } } = ${text};\nexport default config;`],
    ['js', asModule],
    ['mjs', asModule],
    ['json', text],
    ['yaml', 'observe:\n  url: http://127.0.0.1:8080/state\n'],
    ['yml', 'observe: { url: "http://127.0.0.1:8080/state" }'],
  ])('may be %s', async (ending, content) => {
    const name = `svc-conform.config.${ending}`;
    // A module that is read as ESM in any directory.
    const directory = await directoryWith({ [name]: content, 'package.json': '{"type":"module"}' });
    expect(await readConfigFile(directory)).toEqual({ file: join(directory, name), value });
    expect(await readConfigFile(directory, name)).toEqual({ file: join(directory, name), value });
  });

  it('is found from below, and the first of several in one directory counts', async () => {
    const directory = await directoryWith({ 'svc-conform.config.json': text, 'a/b/other.txt': '' });
    expect(await readConfigFile(join(directory, 'a', 'b'))).toMatchObject({ value });
    const many = await directoryWith({
      'svc-conform.config.yaml': 'observe: 1',
      'svc-conform.config.json': text,
      'package.json': '{}',
    });
    expect(await readConfigFile(many)).toMatchObject({ value });
    expect(configFileNames.indexOf('svc-conform.config.json')).toBeLessThan(
      configFileNames.indexOf('svc-conform.config.yaml'),
    );
  });

  it('is optional', async () => {
    expect(await readConfigFile(await directoryWith({}))).toBeUndefined();
  });

  it('that was named must exist', async () => {
    const fault = await faultOf(readConfigFile(await directoryWith({}), 'missing.json'));
    expect(fault).toMatchObject({
      code: 'config-not-found',
      message: expect.stringMatching(/^missing\.json: .*\.$/) as string,
    });
  });

  it('that was named must have an ending we can read', async () => {
    const fault = await faultOf(readConfigFile(await directoryWith({ 'a.toml': '' }), 'a.toml'));
    expect(fault).toMatchObject({
      code: 'config-unreadable',
      message: 'a.toml: expected a file that ends in .ts, .js, .mjs, .json, .yaml, .yml.',
    });
  });

  it.each([
    ['broken.json', '{"a":'],
    ['broken.yaml', 'a: [1'],
    ['broken.mjs', 'export default {'],
    ['throws.mjs', 'throw new Error("not today");'],
    ['empty.mjs', 'export const config = 1;'],
  ])('that cannot be read is reported: %s', async (name, content) => {
    const fault = await faultOf(readConfigFile(await directoryWith({ [name]: content }), name));
    expect(fault).toMatchObject({
      code: 'config-unreadable',
      message: expect.stringContaining(`${name} cannot be read: `) as string,
    });
  });

  it('that is nested deeper than any config is refused with its name', async () => {
    const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
    const fault = await faultOf(readConfigFile(await directoryWith({ 'deep.json': `{"chat":${deep}}` }), 'deep.json'));
    expect(fault).toMatchObject({
      code: 'config-unreadable',
      message: 'deep.json cannot be read: it is JSON nested more than 200 levels deep',
    });
  });

  it('that was found and cannot be read is reported as well', async () => {
    const fault = await faultOf(readConfigFile(await directoryWith({ 'svc-conform.config.json': '{' })));
    expect(fault).toMatchObject({
      code: 'config-unreadable',
      message: expect.stringContaining('svc-conform.config.json cannot be read: ') as string,
    });
  });
});

const environment = {
  TOKEN: 'token-of-the-webhook',
  HOOK: 'hook-secret',
  AGENT: 'whsec_agent',
  PHONE: 'whsec_phone',
  KEY: 'svc_sk_key',
  EMPTY: '',
};
const resolve = (config: unknown) => resolveConfig(config, environment, 'the config');
const crm = (url: string, token = 'env:TOKEN') => ({ crmWebhook: { url, token } });
const phone = (url: string, secret = 'env:PHONE') => ({ phone: { url, secret } });

describe('a config', () => {
  it('is resolved with its secrets and defaults', () => {
    expect(
      resolve({
        crmWebhook: { url: 'https://crm.example/hook', token: 'env:TOKEN' },
        apiWebhooks: { url: 'http://localhost:8080/hooks', secret: 'env:HOOK' },
        chat: { url: 'http://127.0.0.1:8080/chat', secret: 'env:AGENT' },
        phone: { url: 'wss://voice.example/call?tenant=7', secret: 'env:PHONE' },
        skills: [
          { id: 1, key: 'sales', name: 'Sales', kind: 'forward' },
          { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: 'One moment.' },
        ],
        service: { publicUrl: 'https://tunnel.example/x', apiKey: 'env:KEY', port: 9000, host: '0.0.0.0' },
      }),
    ).toEqual({
      crmWebhook: { url: 'https://crm.example/hook', token: 'token-of-the-webhook' },
      apiWebhooks: { url: 'http://localhost:8080/hooks', secret: 'hook-secret' },
      chat: { url: 'http://127.0.0.1:8080/chat', secret: 'whsec_agent', timeoutSeconds: 10 },
      phone: { url: 'wss://voice.example/call?tenant=7', secret: 'whsec_phone', timeoutSeconds: 10 },
      skills: [
        { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null },
        { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: 'One moment.' },
      ],
      stimuli: {},
      service: { host: '0.0.0.0', port: 9000, publicUrl: 'https://tunnel.example/x', apiKey: 'svc_sk_key' },
    });
  });

  it('does not print the command of a tunnel, which may contain a token', () => {
    const service = { tunnel: 'ngrok http {port} --authtoken secret-of-the-tunnel' };
    const run = () =>
      resolve({
        chat: { url: 'http://{container}/chat', secret: 'env:AGENT_SECRET' },
        container: { image: 'app', port: 80 },
        service,
      });
    expect(run).toThrow(/service\.tunnel: expected none with a container, .*, received a command/);
    expect(run).not.toThrow(/secret-of-the-tunnel/);
  });

  it('says where contracts are set up and reported; the token of the broker is a secret', async () => {
    const broker = { url: 'https://broker.example', token: 'env:KEY', publish: true, providerVersion: '0c9ca15' };
    const config = resolve({ pact: { providerStates: { url: 'http://localhost:8080/states' }, broker } });
    expect(config.pact).toEqual({
      providerStates: { url: 'http://localhost:8080/states' },
      broker: { ...broker, token: 'svc_sk_key' },
    });
    expect(secretsOf(config)).toEqual([{ name: 'broker token', value: 'svc_sk_key' }]);
    expect(resolve({ pact: { broker: { url: broker.url } } }).pact).toEqual({
      broker: { url: broker.url, publish: false },
    });
    expect(await faultOf(() => resolve({ pact: { broker: { url: broker.url, publish: true } } }))).toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('pact.broker.providerVersion: expected the version of the endpoint') as string,
    });
  });

  it('lists the event types of the webhook subscription, and the interface has no others', async () => {
    const apiWebhooks = { url: 'https://a.example/', secret: 'env:HOOK' };
    const events = ['appointment.finished', 'appointment.created'];
    const config = resolve({ apiWebhooks: { ...apiWebhooks, events } });
    expect(config.apiWebhooks?.events).toEqual(events);
    expect(subscribedTypes(config)).toEqual(['appointment.created', 'appointment.finished']);
    expect(subscribedType(config, 'appointment.finished')).toBe('appointment.finished');
    expect(subscribedType(config, 'appointment.confirmed')).toBe('appointment.created');
    expect(subscribedTypes(resolve({ apiWebhooks }))).toHaveLength(6);
    const fault = await faultOf(() => resolve({ apiWebhooks: { ...apiWebhooks, events: ['appointment.canceled'] } }));
    expect(fault).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        /apiWebhooks\.events\.0: expected one of appointment\.created, .*, received "appointment\.canceled".*lists no other event types.* Did you mean appointment\.cancelled/s,
      ) as string,
    });
    expect(await faultOf(() => resolve({ apiWebhooks: { ...apiWebhooks, events: [] } }))).toMatchObject({
      code: 'config-invalid',
    });
  });

  it('may be empty: no surface, and the inbox on loopback at a free port', () => {
    const config = resolve({});
    expect(config).toEqual({ skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 } });
    expect(configuredSurfaces(config)).toEqual([]);
  });

  it('names its surfaces in the order of the catalogue, and every secret is known for redaction', () => {
    const config = resolve({
      phone: { url: 'ws://[::1]/call', secret: 'env:PHONE', timeoutSeconds: 30 },
      chat: { url: 'http://[::1]/chat', secret: 'env:AGENT', timeoutSeconds: 2 },
      apiWebhooks: { url: 'https://a.example/', secret: 'env:HOOK' },
      ...crm('https://a.example/crm'),
      service: { apiKey: 'env:KEY' },
    });
    expect(configuredSurfaces(config)).toEqual(['crm-webhook', 'api-webhooks', 'own-ai-chat', 'own-ai-phone']);
    expect(config.phone?.timeoutSeconds).toBe(30);
    expect(secretsOf(config).map(({ value: secret }) => secret)).toEqual([
      'token-of-the-webhook',
      'hook-secret',
      'whsec_agent',
      'whsec_phone',
      'svc_sk_key',
    ]);
  });

  it('treats parts of the query of an address that look like credentials as secrets, and no other part', () => {
    const query = '?tenant=green&token=let%20me%20in&v=2&api-key=k1&page=Zx81Qq0aa7Lm29Pk&signed=true';
    const config = resolve({ apiWebhooks: { url: `https://a.example/${query}`, secret: 'env:HOOK' } });
    const name = 'credential in the address';
    expect(secretsOf(config).slice(1)).toEqual([
      { name, value: 'let me in' },
      { name, value: 'token=let me in', isExact: true },
      { name, value: 'Zx81Qq0aa7Lm29Pk', isWhole: true },
    ]);
    const address = config.apiWebhooks?.url ?? '';
    expect(redactor(secretsOf(config))(address)).toBe(
      'https://a.example/?tenant=green&[redacted: credential in the address]&v=2&api-key=k1&page=[redacted: credential in the address]&signed=true',
    );
  });

  it('may name the phone alone, and one secret of chat and phone is known once', () => {
    const alone = resolve(phone('ws://localhost:8080/call', 'env:AGENT'));
    expect(configuredSurfaces(alone)).toEqual(['own-ai-phone']);
    expect(secretsOf(alone)).toEqual([{ name: 'phone secret', value: 'whsec_agent' }]);
    const both = resolve({
      chat: { url: 'https://a.example/', secret: 'env:AGENT' },
      ...phone('wss://a.example/', 'env:AGENT'),
    });
    expect(secretsOf(both)).toEqual([{ name: 'agent secret', value: 'whsec_agent' }]);
  });

  it('can be sent to a worker', () => {
    const config = resolve({ ...crm('https://a.example/crm'), ...value });
    expect(structuredClone(config)).toEqual(config);
  });
});

describe('what is not allowed is reported by key, with what was found and what is allowed', () => {
  it.each<[unknown, RegExp]>([
    [{ crm: {} }, /crm: expected one of the keys crmWebhook, .*, received the unknown key crm \(an object\)/],
    [{ crmWebhook: { url: 'https://a.example/' } }, /crmWebhook.*: expected .*token/],
    [
      { crmWebhook: { url: 'ftp://a.example/', token: 'env:TOKEN' } },
      /crmWebhook\.url: expected .+, received "ftp:\/\/a\.example\/"/,
    ],
    [
      crm('https://a.example/', 'a-token-in-clear'),
      /crmWebhook\.token: expected env:NAME, .*, received a string \(not shown\)/,
    ],
    [
      { chat: { url: 'https://a.example/', secret: 'env:AGENT', timeoutSeconds: 31 } },
      /chat\.timeoutSeconds: expected .*30.*, received 31/,
    ],
    [
      { chat: { url: 'https://a.example/', secret: 'env:AGENT', timeoutSeconds: 1 } },
      /chat\.timeoutSeconds: expected .*2.*, received 1/,
    ],
    [
      { skills: [{ id: 1, key: 'a', name: 'A', kind: 'call' }] },
      /skills\.0\.kind: expected .*forward.*alert.*, received "call"/,
    ],
    [{ service: { port: 70000 } }, /service\.port: expected .*65535.*, received 70000/],
    [phone('https://a.example/'), /phone\.url: expected .*wss: .*, received "https:\/\/a\.example\/"/],
    [
      { phone: { url: 'wss://a.example/', secret: 'env:PHONE', timeoutSeconds: 31 } },
      /phone\.timeoutSeconds: expected .*30.*, received 31/,
    ],
    [
      { stimuli: { phone: { async: 'Later' } } },
      /stimuli\.phone\.async: expected one of the keys answer, .*, received the unknown key async \(a string, not shown\)/,
    ],
    [{ stimuli: { knownCaller: '030 901820' } }, /stimuli\.knownCaller: expected .+, received "030 901820"/],
    [[], /the config: expected .*object.*, received/],
    ['text', /the config: expected .*object.*, received/],
    [null, /the config: expected .*object.*, received/],
  ])('%j', async (config, message) => {
    const fault = await faultOf(() => resolve(config));
    expect(fault.code).toBe('config-invalid');
    expect(fault.message).toMatch(/^the config is not valid:\n {2}/);
    expect(fault.message).toMatch(message);
  });

  it('every one at once', async () => {
    const fault = await faultOf(() => resolve({ crm: {}, service: { port: -1 } }));
    expect(fault.message.split('\n')).toHaveLength(3);
  });

  it('a secret in clear is not repeated', async () => {
    const clear = 'Kd83jf02LsQpXw';
    const url = 'https://a.example/';
    for (const config of [
      crm(url, clear),
      { apiWebhooks: { url, secret: clear } },
      { chat: { url, secret: [clear] } },
      phone('wss://a.example/', clear),
      { service: { apiKey: clear } },
      { crmWebhook: { url, token: 'env:TOKEN', Token: clear } },
    ]) {
      const fault = await faultOf(() => resolve(config));
      expect(fault.code).toBe('config-invalid');
      expect(fault.message).not.toContain('Kd83jf02');
    }
  });
});

describe('a secret', () => {
  it('whose variable is not set or empty is reported by name', async () => {
    expect(await faultOf(() => resolve(crm('https://a.example/', 'env:NOT_THERE')))).toMatchObject({
      code: 'secret-missing',
      message: 'the config: crmWebhook.token is env:NOT_THERE, but the environment variable NOT_THERE is not set.',
    });
    expect(await faultOf(() => resolve(crm('https://a.example/', 'env:EMPTY')))).toMatchObject({
      code: 'secret-missing',
      message: 'the config: crmWebhook.token is env:EMPTY, but the environment variable EMPTY is empty.',
    });
    for (const config of [
      { apiWebhooks: { url: 'https://a.example/', secret: 'env:EMPTY' } },
      { chat: { url: 'https://a.example/', secret: 'env:EMPTY' } },
      phone('wss://a.example/', 'env:EMPTY'),
      { service: { apiKey: 'env:EMPTY' } },
    ]) {
      expect((await faultOf(() => resolve(config))).code).toBe('secret-missing');
    }
  });
});

describe('a value that is sent in a header', () => {
  const resolveWith = (value: string, config: unknown) => resolveConfig(config, { ...environment, VALUE: value }, 'it');
  const inHeaders = [crm('https://a.example/', 'env:VALUE'), { service: { apiKey: 'env:VALUE' } }];
  const signing = [
    { apiWebhooks: { url: 'https://a.example/', secret: 'env:VALUE' } },
    { chat: { url: 'https://a.example/', secret: 'env:VALUE' } },
    phone('wss://a.example/', 'env:VALUE'),
  ];

  it.each([
    ['a line break', 'Kd83jf02\n'],
    ['a line break', 'Kd83\r\njf02'],
    ['a control character', 'Kd83\u0007jf02'],
    ['a control character', 'Kd83\u007fjf02'],
    ['a character beyond U+00FF', 'Kd83jf02\u2013'],
    ['a character beyond U+00FF', 'Kd83jf02\u{1f511}'],
    ['white space at its beginning or end', ' Kd83jf02'],
    ['white space at its beginning or end', 'Kd83jf02\t'],
  ])('with %s is refused: %j', async (found, value) => {
    for (const config of inHeaders) {
      const fault = await faultOf(() => resolveWith(value, config));
      expect(fault.code).toBe('config-invalid');
      expect(fault.message).toMatch(
        /^it is not valid:\n {2}(crmWebhook\.token|service\.apiKey): expected .* HTTP header value in env:VALUE,/,
      );
      expect(fault.message).toContain(`received one with ${found} (hidden)`);
      expect(fault.message).not.toContain('Kd83');
    }
    for (const config of signing) expect(secretsOf(resolveWith(value, config))[0]?.value).toBe(value);
  });

  it.each(['a+b/c=~.-_', 'with a blank', 'caf\u00e9', '!"#$%&\'()*,:;<>?@[]^`{|}'])('may be %j', (value) => {
    for (const config of inHeaders) expect(secretsOf(resolveWith(value, config))[0]?.value).toBe(value);
  });
});

describe('an address', () => {
  it.each([
    'http://localhost:8080/x',
    'http://127.0.0.1/x',
    'http://127.0.0.2:1/x',
    'http://127.255.255.254/x',
    'http://[::1]:8080/x',
    'http://app.localhost/x',
    'https://a.example/x',
    'https://10.0.0.1/x',
  ])('%s is accepted', (url) => {
    expect(resolve(crm(url)).crmWebhook?.url).toBe(url);
  });

  it.each([
    'http://a.example/x',
    'http://10.0.0.1/x',
    'http://0.0.0.0/x',
    'http://[::]/x',
    'http://128.0.0.1/x',
    'http://127.0.0.1.evil.example/x',
    'http://localhost.evil.example/x',
    'http://notlocalhost/x',
  ])('%s is not: http: is for loopback only', async (url) => {
    const fault = await faultOf(() => resolve(crm(url)));
    expect(fault.code).toBe('address-not-allowed');
    expect(fault.message).toContain(`the config: crmWebhook.url is ${url}; http: is allowed for loopback only`);
  });

  it.each(['https://user:password@a.example/', 'https://user@a.example/', 'http://:pass@127.0.0.1/'])(
    'with user or password is not, and they are not repeated: %s',
    async (url) => {
      const fault = await faultOf(() => resolve(crm(url)));
      expect(fault).toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining(
          'crmWebhook.url: expected an address without a user name or password',
        ) as string,
      });
      expect(fault.message).not.toContain('pass@');
      expect(fault.message).not.toContain('password@');
    },
  );

  it.each([
    'ws://localhost:8080/x',
    'ws://127.0.0.1/x?tenant=7',
    'ws://[::1]:8080/x',
    'ws://app.localhost',
    'wss://a.example/x',
    'wss://10.0.0.1/x%23y',
  ])('%s of the phone is accepted', (url) => {
    expect(resolve(phone(url)).phone?.url).toBe(url);
  });

  it.each(['ws://a.example/x', 'ws://10.0.0.1/x', 'ws://0.0.0.0/x', 'ws://127.0.0.1.evil.example/x'])(
    '%s of the phone is not: ws: is for loopback only',
    async (url) => {
      const fault = await faultOf(() => resolve(phone(url)));
      expect(fault.code).toBe('address-not-allowed');
      expect(fault.message).toContain(`the config: phone.url is ${url}; ws: is allowed for loopback only`);
      const isPrivate = url.includes('//10.0.0.1/');
      expect(fault.message).toMatch(isPrivate ? /Use wss:, or --allow-http 10\.0\.0\.1 for this/ : /Use wss:\.$/);
    },
  );

  it.each(['wss://a.example/x#part', 'ws://localhost/x#', 'wss://a.example/?q=#a'])(
    '%s of the phone is not: a WebSocket has no fragment',
    async (url) => {
      const fault = await faultOf(() => resolve(phone(url)));
      expect(fault.code).toBe('config-invalid');
      expect(fault.message).toContain(
        `phone.url: expected a WebSocket address without a fragment (#…), received ${url}`,
      );
    },
  );

  it.each(['wss://user:password@a.example/', 'ws://user:password@a.example/#x', 'ws://:password@127.0.0.1/'])(
    'of the phone with user or password is not, and they are not repeated: %s',
    async (url) => {
      const fault = await faultOf(() => resolve(phone(url)));
      expect(fault.message).toContain('phone.url: expected an address without a user name or password');
      expect(fault.message).not.toContain('password@');
    },
  );

  it('that cannot be parsed is not', async () => {
    expect(await faultOf(() => resolve(crm('https://')))).toMatchObject({ code: 'config-invalid' });
    expect((await faultOf(() => resolve(crm('https://a.example:99999/')))).message).toContain(
      'crmWebhook.url: expected an absolute address',
    );
    for (const url of ['wss://[::1/', 'wss://a.example:99999/']) {
      expect(await faultOf(() => resolve(phone(url)))).toMatchObject({
        code: 'config-invalid',
        message: expect.stringContaining('phone.url: expected an absolute address') as string,
      });
    }
  });

  it('is judged at every key', async () => {
    const bad = 'http://a.example/';
    for (const [key, config] of [
      ['apiWebhooks.url', { apiWebhooks: { url: bad, secret: 'env:HOOK' } }],
      ['chat.url', { chat: { url: bad, secret: 'env:AGENT' } }],
      ['observe.url', { observe: { url: bad } }],
      ['service.publicUrl', { service: { publicUrl: bad } }],
      ['pact.providerStates.url', { pact: { providerStates: { url: bad } } }],
      ['pact.broker.url', { pact: { broker: { url: bad } } }],
    ] as const) {
      expect(await faultOf(() => resolve(config))).toMatchObject({
        code: 'address-not-allowed',
        message: expect.stringContaining(`${key} is`) as string,
      });
    }
  });
});
