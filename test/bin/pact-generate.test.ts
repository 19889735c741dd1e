import { readdir, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, temporaryDirectory } from './run-command.ts';

let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
beforeAll(async () => {
  directory = await temporaryDirectory();
});
afterAll(() => directory[Symbol.asyncDispose]());

const generate = (...args: string[]) => runCommand(['pact', 'generate', ...args], { cwd: directory.path });

describe('pact generate', () => {
  it('writes the contract of one provider exactly as published', async () => {
    const { code, stdout, stderr } = await generate('--provider', 'api-webhooks', '--out', 'some/pacts');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/svc-api-webhooks\.json\n1 contract with \d+ interactions written\.\n$/);
    expect(await readdir(directory.at('some/pacts'))).toEqual(['svc-api-webhooks.json']);
    const written = await readFile(directory.at('some/pacts/svc-api-webhooks.json'), 'utf8');
    const published = new URL('../../specs/generated/contracts/svc-api-webhooks.json', import.meta.url);
    expect(written === (await readFile(published, 'utf8'))).toBe(true);
  });

  it('lists the providers for an unknown one', async () => {
    const { code, stderr } = await generate('--provider', 'own-ai-chta');
    expect(code).toBe(2);
    expect(stderr).toContain('received "own-ai-chta". Did you mean own-ai-chat');
    expect(stderr).toContain('crm-webhook, api-webhooks, own-ai-chat, own-ai-phone, api-v1');
  });

  it('says where it cannot write, before it does any work', async () => {
    await writeFile(directory.at('a-file'), '');
    const { code, stderr } = await generate('--out', 'a-file/pacts');
    expect(code).toBe(2);
    expect(stderr).toContain('The contracts cannot be written to a-file/pacts: ENOTDIR');
  });
});
