import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { containerReadiness } from '../../harness/container/container-readiness.ts';
import { EndpointLogs } from '../../harness/start/endpoint-logs.ts';
import { waitUntilReady } from '../../harness/start/wait-until-ready.ts';
import { assertReachedSafely, isContainerSafe, placedConfig } from '../../harness/container/container-address.ts';
import { redactor } from '../../service/redact.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { secretsOf } from '../../harness/config/settings.ts';

const environment = {
  CRM: 'token-of-the-webhook',
  HOOK: 'hook-secret-of-it',
  AGENT: 'whsec_agent_secret',
  KEY: 'svc_sk_key_of_it',
  DATABASE: 'postgres://user:password@db/it',
};
const resolve = (config: unknown) => resolveConfig(config, environment, 'the config');
const image = { image: 'acme/integrator:7', port: 8080 };

describe('a config with a container', () => {
  const everything = {
    crmWebhook: { url: 'http://{container}/crm', token: 'env:CRM' },
    apiWebhooks: { url: 'http://{container}/hooks?to=//{container}', secret: 'env:HOOK' },
    chat: { url: 'https://{container}/chat', secret: 'env:AGENT' },
    phone: { url: 'ws://{container}', secret: 'env:AGENT' },
    observe: { url: 'http://{container}/state' },
    service: { apiKey: 'env:KEY' },
  };

  it('passes the secrets on under the names of their variables, and its own variables', () => {
    const { container } = resolve({
      ...everything,
      container: { ...image, env: { PLAIN: 'not a reference', DB: 'env:DATABASE', AGENT: 'another one' } },
    });
    expect(container).toEqual({
      ...image,
      instances: 1,
      env: {
        CRM: 'token-of-the-webhook',
        HOOK: 'hook-secret-of-it',
        AGENT: 'another one',
        KEY: 'svc_sk_key_of_it',
        SVC_API_KEY: 'svc_sk_key_of_it',
        PLAIN: 'not a reference',
        DB: 'postgres://user:password@db/it',
      },
      secret: ['CRM', 'HOOK', 'KEY', 'SVC_API_KEY', 'DB'],
      wait: { timeoutSeconds: 60 },
    });
  });

  it('has its own secrets redacted too, each under one name', () => {
    const config = resolve({ ...everything, container: { ...image, env: { DB: 'env:DATABASE', PLAIN: 'shown' } } });
    expect(secretsOf(config)).toEqual([
      { name: 'webhook token', value: 'token-of-the-webhook' },
      { name: 'webhook secret', value: 'hook-secret-of-it' },
      { name: 'agent secret', value: 'whsec_agent_secret' },
      { name: 'API key', value: 'svc_sk_key_of_it' },
      { name: 'DB', value: 'postgres://user:password@db/it', isWhole: true },
      { name: 'DB', value: 'password' },
    ]);
  });

  it('has its addresses and modes redacted as wholes, so that the address of the endpoint stays', () => {
    const variables = {
      MODEL_URL: 'https://model.acme.example/v1/chat',
      ENVIRONMENT: 'production',
      BROKERS: 'amqp://app:%70ump%2Dstation@one:5672,amqp://app:second-pump@two:5672',
      KEY_FILE: '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END KEY-----',
      MODEL_API_KEY: 'mk-7Hq2Zt9LwXc4Vb8N',
      VERBOSE: 'true',
      LEVEL: '2',
    };
    const env = Object.fromEntries(Object.keys(variables).map((name) => [name, `env:${name}`]));
    const config = resolveConfig(
      { ...everything, container: { ...image, env } },
      { ...environment, ...variables },
      'the config',
    );
    const redact = redactor(secretsOf(config));
    for (const shown of [
      'https://{container}/chat',
      'https://model.acme.example/v2 and /v1/chat, {"ok":true,"level":2}',
      'products of amqp://app:…@one:5672',
    ]) {
      expect(redact(shown)).toBe(shown);
    }
    expect(redact('in production: GET https://model.acme.example/v1/chat?n=2')).toBe(
      'in [redacted: ENVIRONMENT]: GET [redacted: MODEL_URL]?n=2',
    );
    expect(redact('{"url":"https:\\/\\/model.acme.example\\/v1\\/chat"}')).toBe('{"url":"[redacted: MODEL_URL]"}');
    expect(redact(Buffer.from('u:production:p').toString('base64'))).toContain('[redacted: ENVIRONMENT]');
    expect(redact('login app / pump-station, pump-sta, second-pump refused')).toBe(
      'login app / [redacted: BROKERS], [redacted: BROKERS], [redacted: BROKERS] refused',
    );
    expect(redact(Buffer.from('pump-station').toString('hex'))).toBe('[redacted: BROKERS]');
    expect(redact('MIIEvQIBADANBgkqhkiG9w0BAQEFAASC')).toBe('[redacted: KEY_FILE]');
    expect(redact('a key like mk-7Hq2Zt9Lw… is refused')).toBe('a key like [redacted: MODEL_API_KEY]… is refused');
  });

  it('reports the variable that is not set by the key that names it', () => {
    const config = { ...everything, container: { ...image, env: { DB: 'env:NOT_SET' } } };
    expect(() => resolve(config)).toThrow(
      'container.env.DB is env:NOT_SET, but the environment variable NOT_SET is not set',
    );
  });

  it('replaces {container} only in the host and port of an address', () => {
    const { crmWebhook, apiWebhooks, chat, phone, observe } = placedConfig(
      resolve({ ...everything, container: image }),
      '127.0.0.1:32768',
    );
    expect([crmWebhook, apiWebhooks, chat, phone, observe].map((target) => target?.url)).toEqual([
      'http://127.0.0.1:32768/crm',
      'http://127.0.0.1:32768/hooks?to=//{container}',
      'https://127.0.0.1:32768/chat',
      'ws://127.0.0.1:32768',
      'http://127.0.0.1:32768/state',
    ]);
  });

  it('may have addresses elsewhere in addition, which stay', () => {
    const config = resolve({ ...everything, observe: { url: 'https://acme.example/state' }, container: image });
    expect(placedConfig(config, '127.0.0.1:1').observe).toEqual({ url: 'https://acme.example/state' });
  });

  it.each([
    ['https://{container}/chat', true],
    ['http://{container}/chat', false],
  ])('is asked whether it is ready by the scheme of its address: %s', (url, isSafe) => {
    expect(isContainerSafe(resolve({ chat: { url, secret: 'env:AGENT' }, container: image }))).toBe(isSafe);
  });

  it('may be reached by us in the clear, which no other machine may', () => {
    const service = { publicUrl: 'http://host.docker.internal:8090' };
    expect(resolve({ ...everything, service, container: image }).service).toMatchObject(service);
    expect(() => resolve({ service })).toThrow('http: is allowed for loopback only');
  });

  it.each([
    ['http://10.0.2.2:8090', true],
    ['http://172.31.0.1/', true],
    ['http://svc-conform:8090', true],
    ['http://[fd00::1]:8090', true],
    ['http://172.32.0.1/', false],
    ['http://acme.example:8090', false],
    ['http://internal.example', false],
    ['https://acme.example', true],
  ])('may be given %s to call: %s', (publicUrl, isAllowed) => {
    const resolved = () => resolve({ ...everything, service: { publicUrl }, container: image });
    if (isAllowed) expect(resolved().service.publicUrl).toBe(publicUrl);
    else expect(resolved).toThrow('http: is allowed for this machine and its local network only');
  });

  it('is reached in the clear in no other network', () => {
    const config = resolve({ ...everything, container: image });
    for (const host of ['localhost', '192.168.1.4', 'docker'])
      expect(() => assertReachedSafely(config, host)).not.toThrow();
    expect(() => assertReachedSafely(config, 'build.acme.example')).toThrow(
      /^\w+:\/\/\{container\}\S*: expected https: or wss:, because containers run on build\.acme\.example/,
    );
  });

  it.each([
    [
      { chat: { url: 'http://127.0.0.1/chat', secret: 'env:AGENT' }, container: image },
      /container: expected an address with \{container\}.*the image would not be checked/,
    ],
    [
      { chat: everything.chat },
      /chat\.url: expected an address, or an image to start \(--image, or the key container\)/,
    ],
    [
      { observe: { url: 'http://acme.example/{container}' }, container: image },
      /observe\.url: expected \{container\} in place of host and port/,
    ],
    [
      { observe: { url: 'http://{container}:8080/' }, container: image },
      /observe\.url: expected \{container\} in place of host and port/,
    ],
    [
      { ...everything, service: { publicUrl: 'https://{container}/' }, container: image },
      /service\.publicUrl: expected the address by which/,
    ],
  ])('is refused if it cannot have an effect: %j', (config, message) => {
    expect(() => resolve(config)).toThrow(message);
  });

  it('is refused without showing a password in its address', () => {
    const observe = { url: 'http://me:password@{container}/' };
    expect(() => resolve({ observe, container: image })).toThrow(/^(?!.*password@).*observe\.url/s);
  });
});

const time = '2026-11-21T10:00:00.';
const frame = (fraction: number, text: string | Buffer) =>
  Buffer.concat([Buffer.from(`${time}${String(fraction).padStart(9, '0')}Z `), Buffer.from(text)]);
const mask = (text: string) => text.replaceAll('secret', '[redacted]');
const textsOf = (logs: EndpointLogs) => logs.lines().map(({ text }) => text);

describe('the output of a container', () => {
  it('is lines of both streams in the order of their times', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(frame(1e6, 'one\n'));
    logs.stdout.write(frame(4e6, 'four\r\n'));
    logs.stderr.write(frame(2e6, 'two\n'));
    logs.stderr.write(frame(3e6, '\n'));
    expect(logs.lines()).toEqual([
      { at: `${time}001Z`, stream: 'stdout', text: 'one' },
      { at: `${time}002Z`, stream: 'stderr', text: 'two' },
      { at: `${time}003Z`, stream: 'stderr', text: '' },
      { at: `${time}004Z`, stream: 'stdout', text: 'four' },
    ]);
  });

  it('is given by the local clock, if that of the container differs', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(frame(5e6, 'x\n'));
    expect(logs.lines(3_000)).toMatchObject([{ at: '2026-11-21T09:59:57.005Z' }]);
  });

  it('is joined from the parts of a long line, and kept if its line break never arrives', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(frame(1, 'the first part and '));
    logs.stderr.write(frame(2, 'something between\n'));
    logs.stdout.write(frame(3, 'the sec'));
    logs.stdout.write(frame(4, 'ret part\n'));
    logs.stdout.write(frame(5, 'no line break'));
    expect(textsOf(logs)).toEqual(['something between', 'the first part and the [redacted] part']);
    logs.endLines();
    expect(textsOf(logs)).toContain('no line break');
  });

  it('has no colours, and no secret between two of them', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(
      frame(1, '\u001b[31msec\u001b[1mret\u001b[0m \u001b]8;;http://a.example\u0007link\u001b]8;;\u0007\n'),
    );
    expect(textsOf(logs)).toEqual(['[redacted] link']);
  });

  it('may be invalid UTF-8', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(frame(1, Buffer.from([0xff, 0xfe, 0x41, 0x0a])));
    expect(textsOf(logs)).toEqual(['\ufffd\ufffdA']);
  });

  it('is bounded: in the length of a line, in its parts, and in lines', () => {
    const logs = new EndpointLogs(mask);
    logs.stdout.write(frame(1, `${'x'.repeat(1_995)}secret${'y'.repeat(100)}\n`));
    expect(textsOf(logs)).toEqual([`${'x'.repeat(1_995)}[reda…`]);
    for (let part = 0; part < 20; part++) logs.stderr.write(frame(2, 'z'.repeat(16_384)));
    logs.stderr.write(frame(2, 'the end\n'));
    expect(logs.lines().at(-1)?.text).toBe(`${'z'.repeat(2_000)}…`);
    for (let line = 3; line < 30_003; line++) logs.stdout.write(frame(line, `line ${line}\n`));
    const kept = textsOf(logs);
    expect(kept.length).toBeLessThan(12_000);
    expect(kept.length + logs.dropped).toBe(30_002);
    expect(kept.slice(2, 4)).toEqual(['line 3', 'line 4']);
    expect(kept.at(-1)).toBe('line 30002');
  });

  it('reports when the awaited string has arrived, with a secret in it or not', () => {
    const logs = new EndpointLogs(mask, 'the secret is in');
    logs.stdout.write(frame(1, 'the secret\n'));
    expect(logs.hasAwaited).toBe(false);
    logs.stderr.write(frame(2, 'now the secret is in place\n'));
    expect(logs.hasAwaited).toBe(true);
  });
});

describe('a container', () => {
  const servers: Server[] = [];
  afterEach(() => {
    for (const server of servers.splice(0)) server.close();
  });

  async function listening(server: Server): Promise<string> {
    servers.push(server);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return `127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const ready = (
    place: string,
    wait: { path?: string; log?: string; timeoutSeconds?: number },
    logs = new EndpointLogs(mask, wait.log),
  ) =>
    waitUntilReady(
      containerReadiness({ place, port: 8080, isSafe: false, wait: { timeoutSeconds: 10, ...wait }, logs }),
      new AbortController().signal,
    );
  const soon = { timeoutSeconds: 0.3 };

  it('is ready as soon as it takes connections', async () => {
    await expect(ready(await listening(createRawServer()), {})).resolves.toBeUndefined();
    await expect(
      ready(await listening(createRawServer((socket) => socket.write('hello'))), {}),
    ).resolves.toBeUndefined();
  });

  it('is not ready while Docker takes its connections and drops them', async () => {
    const dropping = createRawServer((socket) => socket.destroy());
    await expect(ready(await listening(dropping), soon)).resolves.toMatch(
      /^nothing accepts connections at 127\.0\.0\.1:\d+, port 8080 of the container\. Check the port, and that it listens on 0\.0\.0\.0/,
    );
    dropping.removeAllListeners('connection');
    const place = `127.0.0.1:${(dropping.address() as AddressInfo).port}`;
    await expect(ready(place, {})).resolves.toBeUndefined();
  });

  it('is not ready where nothing listens', async () => {
    await expect(ready('127.0.0.1:1', soon)).resolves.toMatch(/^nothing accepts connections at 127\.0\.0\.1:1,/);
  });

  it('is ready when its path is answered with 2xx, after whatever came before', async () => {
    const asked: string[] = [];
    const statuses = [503, 302, 204];
    const place = await listening(
      createServer((request, response) => {
        asked.push(`${request.method} ${request.url}`);
        response.writeHead(statuses.shift() ?? 500, { location: '/' }).end('a body');
      }),
    );
    await ready(place, { path: '/health?deep=1' });
    expect(asked).toEqual(Array(3).fill('GET /health?deep=1'));
  });

  it.each([
    ['was answered 503, not 2xx', 503],
    ['had no answer (socket hang up)', undefined],
  ])('says how the last GET %s', async (resolved, status) => {
    const place = await listening(
      createServer((_, response) => (status === undefined ? response.destroy() : response.writeHead(status).end())),
    );
    await expect(ready(place, { path: '/health', ...soon })).resolves.toContain(
      `the last GET http://${place}/health ${resolved}`,
    );
  });

  it('is ready when it has written the awaited string', async () => {
    const place = await listening(createRawServer());
    await expect(ready(place, { log: 'migrated', ...soon })).resolves.toContain('it has not written "migrated"');
    const logs = new EndpointLogs(mask, 'migrated');
    logs.stderr.write(frame(1, 'schema migrated\n'));
    await expect(ready(place, { log: 'migrated' }, logs)).resolves.toBeUndefined();
  });

  it('is no longer waited for when the run is stopped', async () => {
    const stop = new AbortController();
    const wait = { timeoutSeconds: 60 };
    const waiting = waitUntilReady(
      containerReadiness({ place: '127.0.0.1:1', port: 1, isSafe: false, wait, logs: new EndpointLogs(mask) }),
      stop.signal,
    );
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });
});
