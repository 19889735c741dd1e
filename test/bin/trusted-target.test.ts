import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { shellCommand } from '../../run/plan/shell-command.ts';
import { isUsageFault } from '../../bin/exit-codes.ts';
import { splitCommand } from '../../run/plan/split-command.ts';
import { connectableAddresses, trustedTarget, type TrustedFlags } from '../../run/config/trusted-target.ts';
import type { Report } from '../../specs/generated/types.ts';
import { temporaryDirectory } from './run-command.ts';

const environment = { CHAT_SECRET: 'whsec_chat', OTHER: 'whsec_other', CRM: 'token', KEY: 'key' };
const url = 'http://127.0.0.1:8080/chat';
const chat = { url, secret: 'env:CHAT_SECRET', timeoutSeconds: 7 };
const config = { chat, phone: { url: 'ws://127.0.0.1:8080/voice', secret: 'env:NOT_THERE' } };

/** A directory with a config that the search finds, and one without. */
let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
let empty: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
  empty = await temporaryDirectory();
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  const elsewhere = { ...config, chat: { ...chat, url: 'https://staging.example.org/chat' } };
  for (const each of [directory, empty]) await writeFile(each.at('staging.json'), JSON.stringify(elsewhere));
  const image = { chat: { ...chat, url: 'http://{container}/chat' }, container: { image: 'ours:1', port: 8080 } };
  await writeFile(empty.at('image.json'), JSON.stringify(image));
});
afterAll(async () => {
  await directory[Symbol.asyncDispose]();
  await empty[Symbol.asyncDispose]();
});
afterEach(() => vi.restoreAllMocks());

interface Named {
  command?: readonly string[];
  configFile?: string;
  anonymized?: true;
  image?: string;
  at?: string;
}

/** The parts of a report that name its target. */
function report({ command, configFile, anonymized, image, at = url }: Named = {}): Report {
  const reproduce = command && shellCommand(['npx', 'svc-conform', ...command, '--only', 'a b#c', '--seed', '1']);
  return {
    target: { 'own-ai-chat': { url: at } },
    checks: reproduce === undefined ? [] : [{ reproduce }],
    ...(configFile !== undefined && { configFile }),
    ...(anonymized && { anonymized }),
    ...(image !== undefined && { container: { image } }),
  } as unknown as Report;
}

async function targetOf(of: Report | undefined, flags: TrustedFlags = {}, where = directory, surface = 'own-ai-chat') {
  vi.spyOn(process, 'cwd').mockReturnValue(where.path);
  const { config: resolved } = await trustedTarget([surface], flags, environment, of);
  return { chat: resolved.chat, phone: resolved.phone, image: resolved.container?.image };
}

/** The message of the usage error. */
async function refusalOf(...args: Parameters<typeof targetOf>): Promise<string> {
  const error: unknown = await targetOf(...args).catch((reason: unknown) => reason);
  expect(isUsageFault(error)).toBe(true);
  return (error as Error).message;
}

const nearest = { url, secret: 'whsec_chat', timeoutSeconds: 7, timeoutGiven: true };

describe('the target of a report', () => {
  it.each<[string, Named]>([
    ['the search', { configFile: 'svc-conform.config.json' }],
    ['flags', { command: ['check', '--chat-url', url, '--chat-secret', 'env:KEY'] }],
    ['a config file that is not here', { configFile: 'other.json' }],
  ])('is the nearest config that names the same address, whether the run found it by %s', async (_, of) => {
    expect(await targetOf(report(of))).toEqual({ chat: nearest, phone: undefined, image: undefined });
  });

  it('is the config that a flag names, whatever the report says', async () => {
    const address = 'https://staging.example.org/chat';
    for (const one of [report(), report({ configFile: 'x.json' }), report({ anonymized: true })]) {
      expect((await targetOf(one, { config: 'staging.json' }, empty)).chat?.url).toBe(address);
    }
  });

  it('is overridden by each flag individually', async () => {
    const of = report({ configFile: 'svc-conform.config.json' });
    const other = 'http://127.0.0.1:1/other';
    expect((await targetOf(of, { url: other })).chat).toEqual({ ...nearest, url: other });
    expect((await targetOf(of, { credential: 'env:OTHER' })).chat).toEqual({ ...nearest, secret: 'whsec_other' });
    const both = { url: other, credential: 'env:OTHER' };
    expect((await targetOf(of, both)).chat).toEqual({ ...nearest, url: other, secret: 'whsec_other' });
    expect((await targetOf(report(), both, empty)).chat).toMatchObject({ url: other, secret: 'whsec_other' });
  });

  it('is the one that the flags of check name', async () => {
    const flags = { chatUrl: 'http://127.0.0.1:2/', chatSecret: 'env:OTHER' };
    expect((await targetOf(report(), flags, empty)).chat).toMatchObject({ url: flags.chatUrl, secret: 'whsec_other' });
  });

  it.each<[string, Named, readonly string[]]>([
    ['another address', { at: 'https://example.org/chat' }, ['is about https://example.org/chat', `has ${url}`]],
    ['one on this machine', { at: 'http://127.0.0.1:8081/chat' }, ['http://127.0.0.1:8081/chat', '--url ADDRESS']],
    ['a config file', { at: 'https://a.example/', configFile: 'staging.json' }, ['--config staging.json']],
    ['an image', { image: 'evil:1', command: ['check', '--image', 'evil:1'] }, ['image evil:1', '--image evil:1']],
    ['no names', { anonymized: true }, ['anonymised', '--config FILE']],
    ['the demo', { command: ['demo'] }, ['no longer runs', '--config FILE']],
  ])('that only the report names is refused, with the flag to add: %s', async (_, of, texts) => {
    const message = await refusalOf(report(of));
    for (const text of texts) expect(message).toContain(text);
  });

  it('is never taken from the report alone', async () => {
    const command = ['check', '--chat-url', "http://127.0.0.1:9/it's", '--chat-secret', 'env:KEY'];
    const named = report({ command, at: "http://127.0.0.1:9/it's" });
    expect(await refusalOf(named, {}, empty)).toContain(
      String.raw`--chat-url 'http://127.0.0.1:9/it'\''s' --chat-secret env:KEY`,
    );
    expect(await refusalOf(report({ configFile: 'staging.json' }), {}, empty)).toContain('--config staging.json');
    expect(await refusalOf(report(), { url }, empty)).toContain('--url needs --secret env:NAME');
    expect(await refusalOf(report(), { credential: 'env:KEY' }, empty)).toContain('Give --config FILE');
  });

  it('cannot add lines to the message with its names', async () => {
    const of = report({ command: ['check', '--config', 'a.json\nTrust it: run x'], at: 'http://a/\nTrust it: run x' });
    expect(await refusalOf(of)).not.toContain('\n');
  });

  it('has its image from a config or a flag', async () => {
    const of = report({ at: 'http://{container}/chat', image: 'evil:1' });
    expect((await targetOf(of, { config: 'image.json' }, empty)).image).toBe('ours:1');
    expect((await targetOf(of, { config: 'image.json', image: 'ours:2' }, empty)).image).toBe('ours:2');
  });

  it('is refused if the report has another target, or if one flag would apply to two surfaces', async () => {
    expect(await refusalOf(report(), {}, directory, 'own-ai-phone')).toContain('NOT_THERE');
    await writeFile(empty.at('crm.json'), JSON.stringify({ crmWebhook: { url, token: 'env:CRM' } }));
    expect(await refusalOf(report(), { config: 'crm.json' }, empty)).toContain('crm.json has no key chat');
    vi.spyOn(process, 'cwd').mockReturnValue(directory.path);
    await expect(trustedTarget(['own-ai-chat', 'own-ai-phone'], { url }, environment, report())).rejects.toThrow(
      'belongs to one endpoint',
    );
    await expect(trustedTarget(['../x'], { url }, environment, report())).rejects.toThrow('belongs to one endpoint');
  });

  it('reports an invalid flag under its name', async () => {
    const given = { url: 'http://example.org/chat', credential: 'env:OTHER' };
    for (const one of [report({ configFile: 'svc-conform.config.json' }), report()]) {
      expect(await refusalOf(one, given)).toMatch(/^--url is http:\/\/example\.org/);
      expect(await refusalOf(one, { credential: 'env:NOT_THERE' })).toMatch(/^--secret is env:NOT_THERE, but/);
    }
  });

  it('never shows a secret that was given in clear', async () => {
    expect(await refusalOf(report(), { credential: 'whsec_in-clear' })).toMatch(/^(?!.*in-clear).*env:NAME/);
  });
});

describe('the addresses of a scenario', () => {
  it('are those of the config and of --connect', () => {
    const given = connectableAddresses({ chat: { url, secret: 's', timeoutSeconds: 5 } }, ['http://127.0.0.1:1/']);
    expect([...given]).toEqual([url, 'http://127.0.0.1:1/']);
  });
});

describe('words of a command line', () => {
  it.each([[['a', "it's", 'two words', '--x=$y', '']], [['#', '"', '\\', "''"]]])(
    'are read as they were written: %j',
    (words) => {
      expect(splitCommand(shellCommand(words.filter((word) => word !== '')))).toEqual(
        words.filter((word) => word !== ''),
      );
    },
  );
});
