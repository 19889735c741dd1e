import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../../specs/generated/types.ts';
import { asComplete } from './complete-report.ts';
import { inheritedEnvironment, program, runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };
const short = ['--callback-wait', '1', '--runs', '3', '--only', 'crm-webhook/refuses-wrong-token'];

/** A Linux device on which every write fails, as on a full disk. */
const fullDevice = '/dev/full';

describe.skipIf(!existsSync(fullDevice))('standard output that cannot be written (needs /dev/full)', () => {
  let report = '';
  let check: string[] = [];
  let endpoint: Awaited<ReturnType<typeof smallEndpoint>>;
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    endpoint = await smallEndpoint(() => ({ status: 401 }));
    check = ['check', '--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', ...short];
    await runCommand([...check, '--out', 'earlier'], { cwd: directory.path, env });
    report = directory.at('earlier/report.json');
    await writeFile(report, JSON.stringify(asComplete(JSON.parse(await readFile(report, 'utf8')) as Report)));
    return async () => {
      await endpoint[Symbol.asyncDispose]();
      await directory[Symbol.asyncDispose]();
    };
  }, 60_000);

  it.each([
    ['check', () => check],
    ['check --json', () => [...check, '--json']],
    ['check --events -', () => [...check, '--events', '-']],
    ['report show', () => ['report', 'show', report]],
    ['report render', () => ['report', 'render', report, '--format', 'junit']],
    ['replay --json', () => ['replay', report, '--json', ...check.slice(1, 5)]],
    ['explain', () => ['explain', 'crm-webhook/refuses-wrong-token']],
    ['explain without an id', () => ['explain']],
    ['schemas', () => ['schemas', '--out', directory.at('schemas')]],
    ['serve', () => ['serve']],
    ['--help', () => ['--help']],
  ])('ends %s with 2 and a reason', { timeout: 60_000 }, async (_, args) => {
    const words = [process.execPath, program, ...args()].map((word) => `'${word}'`).join(' ');
    const { code, stderr } = await runInShell(`${words} > ${fullDevice}`, directory.path);
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('standard output') as string });
    expect(stderr).toContain('ENOSPC');
  });

  it('ends check with 2 where standard error cannot be written either', { timeout: 60_000 }, async () => {
    const words = [process.execPath, program, ...check, '--json'].map((word) => `'${word}'`).join(' ');
    expect(await runInShell(`${words} > ${fullDevice} 2> ${fullDevice}`, directory.path)).toMatchObject({ code: 2 });
  });
});

async function runInShell(command: string, cwd: string): Promise<{ code: number; stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: number; stderr: string }>();
  const child = spawn('sh', ['-c', command], { cwd, env: { ...inheritedEnvironment(), ...env } });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.once('close', (code) => resolve({ code: code ?? -1, stderr }));
  return await promise;
}
