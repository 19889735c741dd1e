import { writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { shellCommand } from '../../bin/shell-command.ts';
import { shellWords } from '../../bin/shell-words.ts';
import { targetOfReport, type ReportTargetOptions } from '../../bin/target-of-report.ts';
import type { Report } from '../../specs/types.ts';
import { temporaryFolder } from './run-command.ts';

const environment = { CHAT_SECRET: 'whsec_chat', OTHER: 'whsec_other', HOOKS: 'whk_hooks' };
const config = {
  chat: { url: 'http://127.0.0.1:8080/chat', secret: 'env:CHAT_SECRET', timeoutSeconds: 7 },
  phone: { url: 'ws://127.0.0.1:8080/voice', secret: 'env:NOT_THERE' },
};

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
  await writeFile(folder.at('my.json'), JSON.stringify(config));
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

  it('never tells a secret that was given in clear', async () => {
    await expect(targetOf(report(), { credential: 'whsec_in-clear' })).rejects.toThrow(/^(?!.*in-clear).*env:NAME/);
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
