import { describe, expect, it } from 'vitest';
import { askAnswers } from '../../run/init/ask-answers.ts';
import { buildConfig } from '../../run/init/build-config.ts';
import type { InitAnswers } from '../../run/init/init-answers.ts';
import { PromptCancelled, type Prompter } from '../../run/init/prompter.ts';
import { validate } from '../../specs/validators.ts';

/** Answers questions from a list; an answer that `check` refuses is followed by the next one. */
function scripted(answers: readonly (string | readonly string[])[]) {
  const left = [...answers];
  const asked: string[] = [];
  const next = (message: string) => {
    asked.push(message);
    const answer = left.shift();
    if (answer === undefined) throw new PromptCancelled();
    return answer;
  };
  const prompter: Prompter = {
    several: (message) => Promise.resolve(next(message) as never),
    one: (message, _, initial) => Promise.resolve((next(message) || initial) as never),
    text: (message, { initial = '', check } = {}) => {
      for (;;) {
        const answer = (next(message) as string) || initial;
        const problem = check?.(answer);
        if (problem === undefined) return Promise.resolve(answer);
        asked.push(problem);
      }
    },
  };
  return { prompter, asked, left };
}

const nothing: InitAnswers = { endpoints: {} };

describe('the questions of init', () => {
  it('cover each endpoint, and only what it needs', async () => {
    const { prompter, asked, left } = scripted([
      ['crm-webhook', 'own-ai-phone'],
      'http://127.0.0.1:8080/crm',
      '',
      'ws://127.0.0.1:8080/voice',
      'VOICE_SECRET',
      '+4930901820',
      'npm start',
      '',
    ]);
    const answers = await askAnswers(prompter, nothing, { detected: 'gitlab', asksCi: true });
    expect(left).toEqual([]);
    expect(answers).toEqual({
      endpoints: {
        'crm-webhook': { url: 'http://127.0.0.1:8080/crm', variable: 'CRM_TOKEN' },
        'own-ai-phone': { url: 'ws://127.0.0.1:8080/voice', variable: 'VOICE_SECRET' },
      },
      knownCaller: '+4930901820',
      start: 'npm start',
      tunnel: undefined,
      ci: 'gitlab',
    });
    expect(asked).not.toContainEqual(expect.stringContaining('Tunnel'));
    expect(validate('config', buildConfig(answers))).toEqual([]);
  });

  it('ask for a tunnel to callbacks of another machine, and not for a command that starts it', async () => {
    const { prompter, asked } = scripted([
      ['own-ai-chat'],
      'https://staging.example.com/chat',
      '',
      'cloudflared tunnel --url http://127.0.0.1:{port}',
      'none',
    ]);
    const answers = await askAnswers(prompter, nothing, { detected: undefined, asksCi: true });
    expect(answers).toMatchObject({ tunnel: 'cloudflared tunnel --url http://127.0.0.1:{port}', ci: undefined });
    expect(asked.join('\n')).not.toMatch(/starts your endpoint|Phone number/);
    expect(validate('config', buildConfig(answers))).toEqual([]);
  });

  it('cover an API client and deep links without an endpoint, which need neither secrets nor a start command', async () => {
    const { prompter, asked, left } = scripted([['api-client', 'deep-links'], ' ', 'npm run sync', '']);
    const answers = await askAnswers(prompter, nothing, { detected: undefined, asksCi: false });
    expect(left).toEqual([]);
    expect(asked).toEqual([
      'What do you have?',
      'Command that starts your API client',
      'Enter a command.',
      'Command that starts your API client',
      'File with your deep links, one per line',
    ]);
    expect(buildConfig(answers)).toEqual({
      $schema: expect.any(String),
      apiClient: { exercise: { command: 'npm run sync' } },
      deepLinks: { file: 'links.txt' },
    });
  });

  it('repeat an answer that cannot be used, with the reason', async () => {
    const { prompter, asked } = scripted([
      ['crm-webhook'],
      'http://staging.example.com/crm',
      'wss://staging.example.com/crm',
      'https://staging.example.com/crm',
      'my secret',
      'CRM_SECRET',
      '0301',
      '',
      '',
    ]);
    const answers = await askAnswers(prompter, nothing, { detected: undefined, asksCi: false });
    expect(answers.endpoints['crm-webhook']).toEqual({
      url: 'https://staging.example.com/crm',
      variable: 'CRM_SECRET',
    });
    expect(asked).toContainEqual(expect.stringContaining('http: is allowed for loopback only'));
    expect(asked).toContainEqual(expect.stringContaining('crmWebhook.url'));
    expect(asked).toContain('Enter the name of a variable, not its value.');
    expect(asked).toContain('Enter it as +4930901820.');
  });

  it('skip what the flags give', async () => {
    const given: InitAnswers = {
      endpoints: { 'own-ai-chat': { url: 'http://127.0.0.1:8080/chat', variable: 'AGENT_SECRET' } },
      start: 'npm start',
      ci: 'github',
    };
    const { prompter, asked } = scripted([]);
    expect(await askAnswers(prompter, given, { detected: 'jenkins', asksCi: false })).toMatchObject(given);
    expect(asked).toEqual([]);
  });

  it('end when they are cancelled', async () => {
    const { prompter } = scripted([['own-ai-chat']]);
    await expect(askAnswers(prompter, nothing, { detected: undefined, asksCi: true })).rejects.toThrow(PromptCancelled);
  });
});
