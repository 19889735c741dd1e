import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTarget } from '../../run/config/read-target.ts';
import { temporaryDirectory } from './run-command.ts';

const environment = { PHONE_SECRET: 'whsec_phone', CHAT_SECRET: 'whsec_chat' };

describe('a target', () => {
  it('is a phone configured with flags alone, and the same flags describe it again', async () => {
    const { config, flags } = await readTarget(
      { phoneUrl: 'ws://127.0.0.1:8080/voice?tenant=7', phoneSecret: 'env:PHONE_SECRET' },
      environment,
    );
    expect(config.phone).toEqual({
      url: 'ws://127.0.0.1:8080/voice?tenant=7',
      secret: 'whsec_phone',
      timeoutSeconds: 10,
    });
    expect(config.chat).toBeUndefined();
    expect(flags).toEqual(['--phone-url', 'ws://127.0.0.1:8080/voice?tenant=7', '--phone-secret', 'env:PHONE_SECRET']);
  });

  it('that flags name incorrectly is reported as a fault of the command line', async () => {
    const wrong = readTarget({ phoneUrl: 'ws://', phoneSecret: 'env:PHONE_SECRET' }, environment);
    await expect(wrong).rejects.toThrow(/^The command line (?:is not valid|cannot be used):\n {2}phone\.url: expected/);
    const open = readTarget({ chatUrl: 'http://a.example/chat', chatSecret: 'env:CHAT_SECRET' }, environment);
    await expect(open).rejects.toThrow('The command line: chat.url is http://a.example/chat; http: is allowed');
  });

  it('is chat and phone configured with flags', async () => {
    const { config } = await readTarget(
      {
        chatUrl: 'https://a.example/chat',
        chatSecret: 'env:CHAT_SECRET',
        phoneUrl: 'wss://a.example/voice',
        phoneSecret: 'env:PHONE_SECRET',
      },
      environment,
    );
    expect(config.chat).toMatchObject({ url: 'https://a.example/chat', secret: 'whsec_chat' });
    expect(config.phone).toMatchObject({ url: 'wss://a.example/voice', secret: 'whsec_phone' });
  });

  it('in a file has its stimuli and its waivers', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('c.json');
    const stimuli = { phone: { long: 'Tell me everything' } };
    const config = {
      phone: { url: 'ws://localhost:1/', secret: 'env:PHONE_SECRET', timeoutSeconds: 4 },
      stimuli,
      waivers: [{ requirement: 'own-ai-phone/answers-a-prompt', reason: 'Known.', until: '2027-01-31' }],
    };
    await writeFile(file, JSON.stringify(config));
    const target = await readTarget({ config: file }, environment);
    expect(target.config).toMatchObject({ phone: { timeoutSeconds: 4 }, stimuli, waivers: config.waivers });
    expect(target.flags).toEqual(['--config', file]);
  });

  it('has the known caller of its flag in place of the one in the file, with its other stimuli', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('c.json');
    const stimuli = { knownCaller: '+4930901820', chat: { answer: 'Hello' } };
    const chat = { url: 'https://a.example/chat', secret: 'env:CHAT_SECRET' };
    await writeFile(file, JSON.stringify({ chat, stimuli }));
    const target = await readTarget({ config: file, knownCaller: '+4930901821' }, environment);
    expect(target.config.stimuli).toEqual({ ...stimuli, knownCaller: '+4930901821' });
    expect(target.flags).toEqual(['--config', file, '--known-caller', '+4930901821']);
  });

  it('may be an image, named by a flag in addition to the addresses or in place of the one in the file', async () => {
    const byFlags = await readTarget(
      { chatUrl: 'http://{container}/chat', chatSecret: 'env:CHAT_SECRET', image: 'acme/integrator:7' },
      environment,
    );
    expect(byFlags.config.container).toMatchObject({ image: 'acme/integrator:7', env: { CHAT_SECRET: 'whsec_chat' } });
    expect(byFlags.flags.slice(-2)).toEqual(['--image', 'acme/integrator:7']);
    await using directory = await temporaryDirectory();
    const chat = { url: 'http://{container}/chat', secret: 'env:CHAT_SECRET' };
    const container = { image: 'acme/integrator:latest', port: 8080 };
    await writeFile(directory.at('c.json'), JSON.stringify({ chat, container }));
    const inFile = await readTarget({ config: directory.at('c.json') }, environment);
    expect(inFile.config.container).toMatchObject(container);
    const replaced = await readTarget({ config: directory.at('c.json'), image: 'acme/integrator:7' }, environment);
    expect(replaced.config.container).toMatchObject({ image: 'acme/integrator:7', port: 8080 });
    expect(replaced.flags).toEqual(['--config', directory.at('c.json'), '--image', 'acme/integrator:7']);
  });

  it('may be started by a command, in the working directory for a flag and in that of the file otherwise', async () => {
    const chatUrl = 'http://127.0.0.1:1/chat';
    const byFlags = await readTarget({ chatUrl, chatSecret: 'env:CHAT_SECRET', start: 'node a.js' }, environment);
    expect(byFlags.config.start).toMatchObject({
      command: 'node a.js',
      directory: process.cwd(),
      env: { CHAT_SECRET: 'whsec_chat' },
    });
    expect(byFlags.flags.slice(-2)).toEqual(['--start', 'node a.js']);
    await using directory = await temporaryDirectory();
    const file = directory.at('c.json');
    const chat = { url: chatUrl, secret: 'env:CHAT_SECRET' };
    await writeFile(file, JSON.stringify({ chat, start: { command: 'node b.js' } }));
    const inFile = await readTarget({ config: file }, environment);
    expect(inFile.config.start).toMatchObject({ command: 'node b.js', directory: directory.path });
    await writeFile(file, JSON.stringify({ chat, start: { command: 'node b.js', cwd: 'app', env: { PLAIN: 'x' } } }));
    const replaced = await readTarget({ config: file, start: 'node a.js' }, environment);
    expect(replaced.config.start).toMatchObject({
      command: 'node a.js',
      directory: directory.at('app'),
      env: { PLAIN: 'x' },
    });
  });
});
