import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { readTarget } from '../../bin/read-target.ts';
import { temporaryFolder } from './run-command.ts';

const environment = { PHONE_SECRET: 'whsec_phone', CHAT_SECRET: 'whsec_chat' };

describe('a target', () => {
  it('is a phone by its flags alone, and they name it again', async () => {
    const { config, flags, notes } = await readTarget(
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
    expect(notes).toEqual([]);
  });

  it('is chat and phone by flags together', async () => {
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

  it('in a file may ask for what this version does not do, which is told; the phone is checked', async () => {
    await using folder = await temporaryFolder();
    const file = folder.at('c.json');
    const stimuli = { phone: { long: 'Tell me everything' } };
    const config = {
      phone: { url: 'ws://localhost:1/', secret: 'env:PHONE_SECRET', timeoutSeconds: 4 },
      stimuli,
      waivers: [{ requirement: 'own-ai-phone/upgrade', reason: 'Known.', until: '2027-01-31' }],
    };
    await writeFile(file, JSON.stringify(config));
    const target = await readTarget({ config: file }, environment);
    expect(target.notes).toEqual(['waivers are configured, but this version does not apply any.']);
    expect(target.config).toMatchObject({ phone: { timeoutSeconds: 4 }, stimuli });
    expect(target.flags).toEqual(['--config', file]);
  });
});
