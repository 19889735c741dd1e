import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, temporaryFolder } from './run-command.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const generate = (...args: string[]) => runCommand(['pact', 'generate', ...args], { cwd: folder.path });

describe('pact generate', () => {
  it('writes the contract of one provider, as it is published', async () => {
    const { code, stdout, stderr } = await generate('--provider', 'api-webhooks', '--out', 'some/pacts');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/svc-api-webhooks\.json\n1 contract with \d+ interactions written\.\n$/);
    expect(await readdir(folder.at('some/pacts'))).toEqual(['svc-api-webhooks.json']);
    const written = await readFile(folder.at('some/pacts/svc-api-webhooks.json'), 'utf8');
    const published = new URL('../../specs/contracts/svc-api-webhooks.json', import.meta.url);
    expect(written === (await readFile(published, 'utf8'))).toBe(true);
  });

  it('names the providers for one that there is not', async () => {
    const { code, stderr } = await generate('--provider', 'own-ai-chta');
    expect(code).toBe(2);
    expect(stderr).toContain('received "own-ai-chta". Did you mean own-ai-chat');
    expect(stderr).toContain('crm-webhook, api-webhooks, own-ai-chat, own-ai-phone, api-v1');
  });

  it('says where it cannot write, before it does any work', async () => {
    await writeFile(folder.at('a-file'), '');
    const { code, stderr } = await generate('--out', 'a-file/pacts');
    expect(code).toBe(2);
    expect(stderr).toContain('The contracts cannot be written to a-file/pacts: ENOTDIR');
  });
});
