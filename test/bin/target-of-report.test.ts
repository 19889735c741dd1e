import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { shellCommand } from '../../bin/shell-command.ts';
import { isUsageFault } from '../../bin/exit-codes.ts';
import { shellWords } from '../../bin/shell-words.ts';
import { targetOfReport, type ReportTargetOptions } from '../../bin/target-of-report.ts';
import type { Report } from '../../specs/types.ts';
import { temporaryFolder } from './run-command.ts';

const environment = { CHAT_SECRET: 'whsec_chat', OTHER: 'whsec_other', HOOKS: 'whk_hooks', CRM: 'token', KEY: 'key' };
const config = {
  chat: { url: 'http://127.0.0.1:8080/chat', secret: 'env:CHAT_SECRET', timeoutSeconds: 7 },
  phone: { url: 'ws://127.0.0.1:8080/voice', secret: 'env:NOT_THERE' },
};

const elsewhere = 'https://crm.example.org/hook';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(folder.at('my.json'), JSON.stringify(config));
  await writeFile(folder.at('crm.json'), JSON.stringify({ crmWebhook: { url: elsewhere, token: 'env:CRM' } }));
  const image = { url: 'http://{container}/chat', secret: 'env:CHAT_SECRET' };
  await writeFile(
    folder.at('image.json'),
    JSON.stringify({ chat: image, container: { image: 'registry.example/ours', port: 8080 } }),
  );
  const program = `(globalThis.programsRead ??= []).push(import.meta.url); export default ${JSON.stringify(config)}`;
  for (const name of ['release.mjs', 'svc-conform.config.mjs']) await writeFile(folder.at(name), program);
});
afterAll(() => folder[Symbol.asyncDispose]());
afterEach(() => vi.restoreAllMocks());

/** As much of a report as names its target. */
function report(
  over: { command?: readonly string[]; configFile?: string; anonymized?: true; url?: string } = {},
): Report {
  const { command, configFile, anonymized, url = 'http://127.0.0.1:9/chat' } = over;
  const reproduce = command && shellCommand(['npx', 'svc-conform', ...command, '--only', 'a b#c', '--seed', '1']);
  return {
    target: { 'own-ai-chat': { url } },
    checks: reproduce === undefined ? [] : [{ reproduce }],
    ...(configFile !== undefined && { configFile }),
    ...(anonymized && { anonymized }),
  } as unknown as Report;
}

async function targetOf(of: Report, options: Partial<ReportTargetOptions> = {}) {
  vi.spyOn(process, 'cwd').mockReturnValue(folder.path);
  const { config: resolved, flags } = await targetOfReport(of, { surfaces: ['own-ai-chat'], ...options }, environment);
  return { chat: resolved.chat, phone: resolved.phone, flags };
}

const fromFile = { url: config.chat.url, secret: 'whsec_chat', timeoutSeconds: 7, timeoutGiven: true };

describe('the target of a report', () => {
  it.each<[string, Report]>([
    ['a command', report({ command: ['check', '--config', 'my.json'] })],
    ['its own member', report({ configFile: 'my.json' })],
  ])('is the config file that it names by %s, without the endpoints that are not wanted', async (_, of) => {
    expect(await targetOf(of)).toMatchObject({ chat: fromFile, phone: undefined });
  });

  it('is what the flags of its commands name, whatever the shell had to be told', async () => {
    const url = "https://example.org/it's?a=b&c=$d";
    const of = report({
      command: [
        'check',
        '--chat-url',
        url,
        '--chat-secret',
        'env:CHAT_SECRET',
        '--phone-url',
        'ws://127.0.0.1/v',
        '--phone-secret',
        'env:NOT_THERE',
      ],
    });
    expect(await targetOf(of)).toMatchObject({ chat: { url, secret: 'whsec_chat' }, phone: undefined });
  });

  it('is overruled by flags, one by one', async () => {
    const of = report({ configFile: 'my.json' });
    const url = 'http://127.0.0.1:1/other';
    expect((await targetOf(of, { url })).chat).toEqual({ ...fromFile, url });
    expect((await targetOf(of, { credential: 'env:OTHER' })).chat).toEqual({ ...fromFile, secret: 'whsec_other' });
  });

  it('is its address where a flag tells the secret', async () => {
    expect((await targetOf(report(), { credential: 'env:OTHER' })).chat).toMatchObject({
      url: 'http://127.0.0.1:9/chat',
      secret: 'whsec_other',
    });
    await expect(targetOf(report())).rejects.toThrow('give --secret env:NAME');
  });

  it.each<[string, Report, RegExp]>([
    ['the demo', report({ command: ['demo'] }), /demo, whose endpoint ended/],
    ['no names', report({ configFile: 'my.json', anonymized: true }), /anonymised/],
    ['a config file that is gone', report({ configFile: 'gone.json' }), /gone\.json, which is not here/],
    ['a secret in its address', report({ url: 'http://127.0.0.1/[redacted: agent secret]' }), /has a secret in it/],
  ])('that has %s is asked for, and can be given', async (_, of, text) => {
    await expect(targetOf(of)).rejects.toThrow(text);
    const url = 'http://127.0.0.1:2/chat';
    expect((await targetOf(of, { url, credential: 'env:OTHER' })).chat).toMatchObject({ url, secret: 'whsec_other' });
  });

  it('is refused where the report is about something else, and where one flag would be for two surfaces', async () => {
    await expect(targetOf(report(), { surfaces: ['crm-webhook'] })).rejects.toThrow(
      'The report is not about crm-webhook',
    );
    await expect(
      targetOf(report({ configFile: 'my.json' }), {
        surfaces: ['own-ai-chat', 'own-ai-phone'],
        url: 'http://127.0.0.1/',
      }),
    ).rejects.toThrow('of one surface');
    await expect(targetOf(report({ configFile: 'my.json' }), { surfaces: ['crm-webhook'] })).rejects.toThrow(
      'has no crmWebhook any more',
    );
  });

  it('tells what is wrong with a flag under the name of the flag', async () => {
    const url = 'http://example.org/chat';
    for (const of of [report({ configFile: 'my.json' }), report()]) {
      await expect(targetOf(of, { url, credential: 'env:OTHER' })).rejects.toThrow(/^--url is http:\/\/example\.org/);
      await expect(targetOf(of, { credential: 'env:NOT_THERE' })).rejects.toThrow(/^--secret is env:NOT_THERE, but/);
    }
  });

  it('never tells a secret that was given in clear', async () => {
    await expect(targetOf(report(), { credential: 'whsec_in-clear' })).rejects.toThrow(/^(?!.*in-clear).*env:NAME/);
  });
});

describe('a report of somebody else', () => {
  const crm = (url: string, ...more: string[]) =>
    report({ command: ['check', '--crm-url', url, '--crm-token', 'env:KEY', ...more] });
  const crmOf = async (of: Report, options: Partial<ReportTargetOptions> = {}) => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder.path);
    const target = await targetOfReport(of, { surfaces: ['crm-webhook'], ...options }, environment);
    return target.config.crmWebhook;
  };

  it.each([elsewhere, 'https://127.0.0.1.example.org/', 'https://localhost.example.org:1/', 'https://10.0.0.1/'])(
    'cannot have a token sent to %s: the flag that allows it is told',
    async (url) => {
      const error: unknown = await crmOf(crm(url)).catch((reason: unknown) => reason);
      expect(isUsageFault(error)).toBe(true);
      expect((error as Error).message).toContain(url);
      expect((error as Error).message).toContain('give --token env:KEY');
    },
  );

  it.each(['http://127.0.0.1:1/crm', 'http://localhost:1/crm', 'http://[::1]:1/crm'])(
    'can have one sent to this machine: %s',
    async (url) => {
      expect(await crmOf(crm(url))).toEqual({ url, token: 'key' });
    },
  );

  it('can have one sent where a flag or a config of ours says so', async () => {
    const other = 'https://other.example.org/';
    expect(await crmOf(crm(elsewhere), { credential: 'env:CRM' })).toEqual({ url: elsewhere, token: 'token' });
    expect(await crmOf(crm(elsewhere), { url: other })).toEqual({ url: other, token: 'key' });
    expect(await crmOf(crm(other), { config: 'crm.json' })).toEqual({ url: elsewhere, token: 'token' });
    expect(await crmOf(report({ configFile: 'crm.json' }))).toEqual({ url: elsewhere, token: 'token' });
  });

  it('starts no image, whether it has addresses or a config beside it', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue(folder.path);
    const place = 'http://{container}/chat';
    const byFlags = ['check', '--image', 'evil.example/x', '--chat-url', place, '--chat-secret', 'env:CHAT_SECRET'];
    const byFile = ['check', '--config', 'image.json', '--image', 'evil.example/x'];
    const imageOf = async (command: readonly string[], options: Partial<ReportTargetOptions> = {}) => {
      const target = await targetOfReport(report({ command }), { surfaces: ['own-ai-chat'], ...options }, environment);
      return target.config.container?.image;
    };
    for (const command of [byFlags, byFile]) {
      await expect(imageOf(command)).rejects.toThrow('--image evil.example/x');
      expect(await imageOf(command, { config: 'image.json' })).toBe('registry.example/ours');
    }
    expect(await imageOf(byFile, { image: 'registry.example/new' })).toBe('registry.example/new');
    // What of a container lies under an address of somebody else is not that container.
    const away = ['check', '--image', 'x', '--crm-url', 'https://evil.example/{container}', '--crm-token', 'env:KEY'];
    await expect(crmOf(report({ command: away }), { image: 'x' })).rejects.toThrow('give --token env:KEY');
  });

  it('has no program run as its config, but the config that check would find there', async () => {
    const read = () => (globalThis as { programsRead?: string[] }).programsRead ?? [];
    for (const name of ['release.mjs', './release.mjs', '../svc-conform.config.mjs', '/tmp/svc-conform.config.mjs']) {
      await expect(targetOf(report({ configFile: name }))).rejects.toThrow(`give --config ${name}`);
      await expect(targetOf(report({ command: ['check', '--config', name] }))).rejects.toThrow('It is a program');
    }
    const given = { url: 'http://127.0.0.1:2/', credential: 'env:OTHER' };
    expect((await targetOf(report({ configFile: 'release.mjs' }), given)).chat).toMatchObject({ url: given.url });
    expect(read()).toEqual([]);
    expect((await targetOf(report({ configFile: 'svc-conform.config.mjs' }))).chat).toEqual(fromFile);
    expect(read()).toHaveLength(1);
    expect((await targetOf(report(), { config: 'release.mjs' })).chat).toEqual(fromFile);
  });
});

describe('words of a command line', () => {
  it.each([[['a', "it's", 'two words', '--x=$y', '']], [['#', '"', '\\', "''"]]])(
    'are read as they were written: %j',
    (words) => {
      expect(shellWords(shellCommand(words.filter((word) => word !== '')))).toEqual(
        words.filter((word) => word !== ''),
      );
    },
  );
});
