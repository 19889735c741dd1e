import { existsSync } from 'node:fs';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';
import { listening } from '../server-fixture.ts';

const secret = 'planted-secret-0123456789';

/**
 * Runs `check` in a directory with this config; wrong usage always ends with 2 and prints nothing to standard output.
 */
async function refused(args: string[], config?: unknown, file = 'svc-conform.config.json'): Promise<string> {
  await using directory = await temporaryDirectory();
  if (config !== undefined) {
    await writeFile(directory.at(file), typeof config === 'string' ? config : JSON.stringify(config));
  }
  const ended: Ended = await runCommand(['check', ...args], {
    cwd: directory.path,
    env: { CRM_TOKEN: secret, EMPTY: '', BROKEN: `${secret}\n` },
  });
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).not.toContain(secret);
  return ended.stderr;
}

const phone = { url: 'ws://127.0.0.1:1/voice', secret: 'env:CRM_TOKEN' };
const crmWebhook = { url: 'http://127.0.0.1:1/crm', token: 'env:CRM_TOKEN' };

describe('a config that cannot be used', () => {
  it('is missing: prints the first steps', async () => {
    const text = await refused([]);
    expect(text).toContain('npx svc-conform demo');
    expect(text).toContain('--crm-url');
    expect(text).toContain('npx svc-conform init');
  });

  it.each([
    [
      'an unknown key',
      { crmWebhok: {} },
      'crmWebhok: expected one of the keys crmWebhook, apiWebhooks,',
      'Did you mean crmWebhook?',
    ],
    [
      'an unknown key further down',
      { crmWebhook: { ...crmWebhook, tokn: secret } },
      'crmWebhook.tokn: expected one of the keys url, token',
      'Did you mean token?',
    ],
    [
      'a secret in plain text',
      { crmWebhook: { ...crmWebhook, token: secret } },
      'crmWebhook.token: expected env:NAME',
      'not shown',
    ],
    ['a secret where an object belongs', { crmWebhook: secret }, 'crmWebhook: expected an object', 'not shown'],
    [
      'a user and password in the address',
      { crmWebhook: { ...crmWebhook, url: `http://me:${secret}@localhost/` } },
      'user name or password',
    ],
    [
      'a missing secret',
      { crmWebhook: { ...crmWebhook, token: 'env:NOT_THERE' } },
      'crmWebhook.token is env:NOT_THERE, but the environment variable NOT_THERE is not set',
    ],
    [
      'an empty secret',
      { crmWebhook: { ...crmWebhook, token: 'env:EMPTY' } },
      'the environment variable EMPTY is empty',
    ],
    [
      'http: to another host',
      { crmWebhook: { ...crmWebhook, url: 'http://example.com/crm' } },
      'crmWebhook.url is http://example.com/crm; http: is allowed for loopback only',
      'Use https:',
    ],
    [
      'a number out of range',
      { chat: { url: 'http://localhost/', secret: 'env:CRM_TOKEN', timeoutSeconds: 31 } },
      'chat.timeoutSeconds: expected at most 30, received 31',
    ],
    [
      'a token that no header can carry',
      { crmWebhook: { ...crmWebhook, token: 'env:BROKEN' } },
      'crmWebhook.token: expected a valid HTTP header value in env:BROKEN',
      'a line break',
    ],
    [
      'a phone that is not a WebSocket',
      { phone: { ...phone, url: 'http://127.0.0.1:1/voice' } },
      'phone.url: expected a wss: address (ws: for loopback only), received "http://127.0.0.1:1/voice"',
    ],
    [
      'ws: to another host',
      { phone: { ...phone, url: 'ws://example.com/voice' } },
      'phone.url is ws://example.com/voice; ws: is allowed for loopback only',
      'Use wss:',
    ],
    [
      'a fragment',
      { phone: { ...phone, url: 'wss://example.com/voice#a' } },
      'phone.url: expected a WebSocket address without a fragment',
    ],
    [
      'a user and password in the address of the phone',
      { phone: { ...phone, url: `ws://me:${secret}@localhost/` } },
      'phone.url: expected an address without a user name or password',
    ],
    [
      'a user and password in an address of the wrong kind',
      { phone: { ...phone, url: `http://me:${secret}@localhost/` } },
      'received "http://…@localhost/"',
    ],
    [
      'an unknown stimulus of the phone',
      { phone, stimuli: { phone: { longer: 'x' } } },
      'stimuli.phone.longer: expected one of the keys answer, handover, end, skill, long',
      'Did you mean long?',
    ],
    [
      'no endpoint',
      {},
      'The config has no endpoint to check: add at least one of crmWebhook, apiWebhooks, chat, phone, apiClient, deepLinks.',
    ],
    ['a list', [], 'the config: expected an object, received an array'],
  ])('has %s', async (_, config, ...sentences) => {
    const text = await refused([], config);
    for (const sentence of sentences) expect(text).toContain(sentence);
  });

  it('is not JSON: does not show the input around the error', async () => {
    expect(await refused([], `{"crmWebhook": ${secret}}`)).toContain('cannot be read');
  });

  it('is not YAML: does not show the input around the error', async () => {
    expect(await refused([], `crmWebhook:\n  token: ${secret}: x\n`, 'svc-conform.config.yaml')).toContain('at line 2');
  });

  it.each([
    ['a trailing comma', 'json', '{ "skills": [], }', 'cannot be read: '],
    ['a bad indent', 'yaml', 'chat:\n  url: x\n   secret: y\n', 'cannot be read: '],
    ['a syntax error', 'ts', 'export default {\n  chat: {\n', 'cannot be read: '],
    ['nothing in it', 'json', '', 'cannot be read: it is empty'],
    ['white space alone', 'yaml', '\n  \n', 'cannot be read: it is empty'],
    [
      'an import of a package that is not installed',
      'ts',
      "import { defineConfig } from 'svc-conform';\nexport default defineConfig({});",
      'cannot be read: it imports svc-conform, which is not installed here. Run npm install',
    ],
    [
      'a number of a caller',
      'yaml',
      'stimuli:\n  knownCaller: +4930901820\n',
      'received 4930901820. Write it in quotes.',
    ],
  ])('has %s: the message names the file and the reason (%s)', async (_, ending, text, reason) => {
    const name = `svc-conform.config.${ending}`;
    for (const args of [[], ['--config', name]]) {
      const message = await refused(args, text, name);
      expect(message).toContain(name);
      expect(message).toContain(reason);
      expect(message).not.toMatch(/^\s+at /m);
    }
  });

  it('is TypeScript in a package without a type: Node warns of nothing', async () => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('package.json'), '{}');
    await writeFile(directory.at('svc-conform.config.ts'), 'export default {} as object;');
    const { stderr } = await runCommand(['check'], { cwd: directory.path, nodeArgs: [] });
    expect(stderr).toContain('no endpoint');
    expect(stderr).not.toContain('Warning');
  });

  it('is a directory, or above the working directory: the message names it', async () => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('svc-conform.config.json'));
    await mkdir(directory.at('below'));
    const { code, stderr } = await runCommand(['check'], { cwd: directory.at('below') });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: '../svc-conform.config.json cannot be read: it is a directory\n',
    });
  });

  it('is not where --config says', async () => {
    expect(await refused(['--config', 'elsewhere.json'])).toContain('elsewhere.json');
  });
});

describe('flags that cannot be used', () => {
  it.each([
    ['an address without a secret', ['--crm-url', 'http://localhost/'], '--crm-url needs --crm-token env:NAME'],
    ['a phone without a secret', ['--phone-url', 'ws://localhost/'], '--phone-url needs --phone-secret env:NAME'],
    ['a phone without an address', ['--phone-secret', 'env:CRM_TOKEN'], '--phone-secret needs --phone-url'],
    [
      'a phone secret in plain text',
      ['--phone-url', 'ws://localhost/', '--phone-secret', secret],
      '--phone-secret: expected env:NAME',
    ],
    ['a secret without an address', ['--chat-secret', 'env:CRM_TOKEN'], '--chat-secret needs --chat-url'],
    [
      'a secret in plain text',
      ['--crm-url', 'http://localhost/', '--crm-token', secret],
      '--crm-token: expected env:NAME',
    ],
    ['a secret in a flag that is misspelt', [`--crm-tokn=${secret}`], "unknown option '--crm-tokn=…'"],
    ['a seed that is not a number', ['--seed', 'abc'], 'expected a whole number'],
    ['a wait longer than the limit', ['--callback-wait', '301'], 'at most 300'],
  ])('%s', async (_, args, sentence) => {
    expect(await refused(args)).toContain(sentence);
  });

  it('both a config file and flags', async () => {
    const args = [
      '--config',
      'svc-conform.config.json',
      '--crm-url',
      'http://localhost/',
      '--crm-token',
      'env:CRM_TOKEN',
    ];
    expect(await refused(args, { crmWebhook })).toContain('not with both');
  });
});

describe('a selection without checks', () => {
  it.each([
    ['an unknown surface', ['--surface', 'crm-webhok'], 'Did you mean crm-webhook?'],
    ['a surface that is not configured', ['--surface', 'own-ai-chat'], 'has no endpoint for own-ai-chat (key chat)'],
    ['a phone that is not configured', ['--surface', 'own-ai-phone'], 'no endpoint for own-ai-phone (key phone)'],
    [
      'an unknown requirement',
      ['--only', 'crm-webhook/answers-every-evnt'],
      'Did you mean crm-webhook/answers-every-event',
    ],
    ['an unknown check', ['--only', 'crm-webhook/answers-every-event#nothing'], 'no requirement or check has this id'],
    [
      'a requirement of another surface',
      ['--only', 'own-ai-chat/refuses-altered-body'],
      'has no endpoint for own-ai-chat',
    ],
    [
      'a requirement that cannot be observed',
      ['--only', 'crm-webhook/token-is-passed-on-safely'],
      'no check can observe it',
    ],
    ['a path without its check', ['--path', '3:1', '--seed', '1'], '--path replays one counterexample'],
  ])('%s', async (_, args, sentence) => {
    expect(await refused(args, { crmWebhook })).toContain(sentence);
  });
});

describe('requirements of a run are tested before anything is sent', () => {
  it('the address for callbacks and replies', async () => {
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    await using taken = await listening(createServer());
    const { port } = taken;
    const text = await refused([], { crmWebhook: { ...crmWebhook, url: endpoint.url }, service: { port } });
    expect(text).toContain(`cannot listen on 127.0.0.1:${port}: `);
    expect(text).toContain('service.port');
    expect(endpoint.requests).toEqual([]);
  });

  it('the directory for the report', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    await writeFile(directory.at('taken'), '');
    for (const out of ['taken', 'taken/below']) {
      const args = ['check', '--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', '--out', out];
      const ended = await runCommand(args, { cwd: directory.path, env: { CRM_TOKEN: secret } });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('Choose another directory with --out');
    }
    expect(endpoint.requests).toEqual([]);
    expect(await readdir(directory.path)).toEqual(['taken']);
  });

  it.runIf(existsSync('/proc/self'))(
    'the directory for the report, if it cannot be created',
    { timeout: 20_000 },
    async () => {
      expect(await refused(['--out', '/proc/nope/deeper'], { crmWebhook })).toContain(
        'Choose another directory with --out',
      );
      expect(await refused(['--events', '/proc/nope/events'], { crmWebhook })).toContain(
        '--events /proc/nope/events cannot be written: ',
      );
    },
  );
});
