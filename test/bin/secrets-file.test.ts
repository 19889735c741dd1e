import { readFile, stat, writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { SecretsFile } from '../../simulate/serve/secrets-file.ts';
import { serviceSecrets } from '../../simulate/service-secrets.ts';
import { temporaryDirectory } from './run-command.ts';

async function secretsWith(file: string, apiKey?: string) {
  const kept = await SecretsFile.read(file);
  const secrets = serviceSecrets(undefined, apiKey, {}, (name, make) => kept.value(name, make));
  await kept.save();
  return secrets;
}

describe('the file of --secrets', () => {
  it('makes the generated secrets the same at the next start, and only its owner can read it', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('secrets.env');
    const first = await secretsWith(file);
    expect(await secretsWith(file)).toEqual(first);
    const lines = (await readFile(file, 'utf8')).split('\n');
    expect(lines.map((line) => line.split('=', 1)[0])).toEqual([
      'SVC_API_KEY', 'AGENT_SECRET', 'CRM_TOKEN', 'HOOK_SECRET', '',
    ]); // prettier-ignore
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('has a place for each secret that was used, to show instead of its value', async () => {
    await using directory = await temporaryDirectory();
    const kept = await SecretsFile.read(directory.at('secrets.env'));
    kept.value('webhookToken', () => 'generated');
    expect(kept.places()).toEqual({ webhookToken: `CRM_TOKEN in ${directory.at('secrets.env')}` });
  });

  it('keeps its content, and adds only missing secrets that are used', async () => {
    await using directory = await temporaryDirectory();
    const file = directory.at('secrets.env');
    await writeFile(file, 'OTHER=1\nAGENT_SECRET=whsec_mine\nCRM_TOKEN=');
    const secrets = await secretsWith(file, 'svc_sk_given');
    expect(secrets).toMatchObject({ apiKey: 'svc_sk_given', agentSecret: 'whsec_mine' });
    const { webhookToken, webhookSecret } = secrets;
    expect(await readFile(file, 'utf8')).toBe(
      `OTHER=1\nAGENT_SECRET=whsec_mine\nCRM_TOKEN=\nCRM_TOKEN=${webhookToken}\nHOOK_SECRET=${webhookSecret}\n`,
    );
    expect(await secretsWith(file, 'svc_sk_given')).toEqual(secrets);
  });

  it('is reported when it cannot be used', async () => {
    await using directory = await temporaryDirectory();
    await expect(SecretsFile.read(directory.path)).rejects.toMatchObject({ code: 'file-unreadable' });
    const kept = await SecretsFile.read(directory.at('missing/secrets.env'));
    kept.value('apiKey', () => 'svc_sk_new');
    await expect(kept.save()).rejects.toMatchObject({ code: 'file-not-written' });
    await writeFile(directory.at('bad.env'), 'SVC_API_KEY=another_key');
    await expect(secretsWith(directory.at('bad.env'))).rejects.toMatchObject({ code: 'api-key-invalid' });
  });
});
