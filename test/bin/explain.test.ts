import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { contractChecks } from '../../contracts/contract-checks.ts';
import { contractSurfaces, serviceContracts } from '../../contracts/contract-files.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import { causes } from '../../diagnosis/causes.ts';
import { faults } from '../../specs/faults/fault-table.ts';
import { program, runCommand, temporaryDirectory } from './run-command.ts';

describe('explain', () => {
  it('prints statement, section, level, fix and checks of a requirement', async () => {
    await using directory = await temporaryDirectory();
    const id = 'crm-webhook/lookup-within-two-seconds';
    const { code, stdout } = await runCommand(['explain', id], { cwd: directory.path });
    expect(code).toBe(0);
    const text = stdout.replaceAll(/\s+/g, ' ');
    const { statement, remediation, section, level } = requirements[id];
    for (const part of [id, statement, remediation, section, level, `${id}#incomingcalllookup-of-an-unknown-caller`]) {
      expect(text).toContain(part);
    }
  });

  it('prints the contract interactions that count against a requirement', async () => {
    await using directory = await temporaryDirectory();
    const [one] = contractChecks(await serviceContracts(contractSurfaces));
    const { id = '', requirement = '' } = one?.identity ?? {};
    const { stdout } = await runCommand(['explain', requirement], { cwd: directory.path });
    expect(stdout.replaceAll(/\s+/g, '')).toContain(id);
    expect(stdout).toMatch(/^ +pact +contract: /m);
  });

  it('accepts the id of a check, and says why a requirement cannot be observed', async () => {
    await using directory = await temporaryDirectory();
    const ofCheck = await runCommand(['explain', 'crm-webhook/answers-every-event#any'], { cwd: directory.path });
    expect(ofCheck).toMatchObject({ code: 0 });
    const unseen = Object.entries(requirements).find(([, requirement]) => 'unobservable' in requirement)?.[0] ?? '';
    const { code, stdout } = await runCommand(['explain', unseen], { cwd: directory.path });
    expect(code).toBe(0);
    expect(stdout).toContain('cannot be observed from outside');
  });

  it('prints how a cause appears, is detected and is fixed, and where its code is', async () => {
    await using directory = await temporaryDirectory();
    const id = 'token/not-checked';
    const { code, stdout } = await runCommand(['explain', id], { cwd: directory.path });
    expect(code).toBe(0);
    const { symptom, summary, detection, remediation, section } = causes[id];
    for (const part of [id, symptom, summary, detection, remediation, section, '--code python'])
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(part);
    const onSeveral = await runCommand(['explain', 'callback/never-sent'], { cwd: directory.path });
    expect(onSeveral.stdout.replaceAll(/\s+/g, ' ')).toContain(
      'call-back-once (crm-webhook); reply-later (own-ai-chat)',
    );
    const { code: unknown, stderr } = await runCommand(['explain', 'token/not-cheked'], { cwd: directory.path });
    expect(unknown).toBe(2);
    expect(stderr).toContain('Did you mean token/not-checked');
  });

  it('prints the code of a cause or a requirement in a language or framework, and nothing else', async () => {
    await using directory = await temporaryDirectory();
    const code = async (id: string, language: string) =>
      await runCommand(['explain', id, '--code', language], { cwd: directory.path });
    const snippet = (name: string) => readFile(new URL(`../../diagnosis/snippets/${name}`, import.meta.url), 'utf8');
    const fastapi = await code('signature/body-compact', 'FastAPI');
    expect(fastapi.stdout).toBe(await snippet('verify-signature/fastapi.py'));
    const ofCheck = await code('crm-webhook/accepts-the-token#any', 'go');
    expect(ofCheck.stdout).toBe(await snippet('check-token/main.go'));
    expect(await code('token/not-checked', 'pyhton')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean py or python?') as string,
    });
    expect(await code('network/refused', 'python')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('network/refused has no code') as string,
    });
    expect(await code('token/not-cheked', 'python')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean token/not-checked') as string,
    });
    const withoutId = await runCommand(['explain', '--code', 'python'], { cwd: directory.path });
    expect(withoutId).toMatchObject({ code: 2, stderr: expect.stringContaining('explain ID --code') as string });
    const words = ['explain', 'signature/body-compact', '--code', 'fastapi', '--brand', 'Acme'];
    const branded = await runCommand(words, { cwd: directory.path });
    expect(branded.stdout).toMatch(/x-acme-signature/i);
    expect(branded.stdout).not.toMatch(/x-svc-/i);
  });

  it('describes the meaning, the fix and the exit code of a fault, and suggests a similar code', async () => {
    await using directory = await temporaryDirectory();
    for (const [id, exit] of [
      ['container-runtime-missing', '3, incomplete'],
      ['config-invalid', '2, wrong usage'],
    ] as const) {
      const { code, stdout } = await runCommand(['explain', id], { cwd: directory.path });
      expect(code).toBe(0);
      const { meaning, remediation } = faults[id];
      for (const part of [id, meaning, remediation, exit]) expect(stdout.replaceAll(/\s+/g, ' ')).toContain(part);
    }
    const { code, stderr } = await runCommand(['explain', 'config-invald'], { cwd: directory.path });
    expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean config-invalid')]);
  });

  it('lists every id without one, and suggests near ones for an unknown one', async () => {
    await using directory = await temporaryDirectory();
    const { stdout } = await runCommand(['explain'], { cwd: directory.path });
    const listed = stdout.split('\n').flatMap((line) => /^ {2}\S+\s+(\S+\/\S+)/.exec(line)?.[1] ?? []);
    expect(listed).toEqual(Object.keys(requirements));
    const listedCauses = [...stdout.matchAll(/^ {2}(\S+)$/gm)].map(([, cause]) => cause);
    expect(listedCauses).toEqual([...Object.keys(causes), ...Object.keys(faults)]);
    const { code, stderr } = await runCommand(['explain', 'own-ai-chat/refuses-altered-bdy'], { cwd: directory.path });
    expect(code).toBe(2);
    expect(stderr).toContain('Did you mean own-ai-chat/refuses-altered-body');
  });
});

describe('quick verbs', () => {
  it.each([[['--help']], [['explain', 'crm-webhook/answers-every-event']], [['check', '--config', 'no.json']]])(
    '%j loads neither engine nor generators nor HTTP client',
    async (args) => {
      await using directory = await temporaryDirectory();
      const { stderr } = await promisify(execFile)(process.execPath, [program, ...args], {
        cwd: directory.path,
        env: { ...process.env, NODE_DEBUG: 'esm' },
        maxBuffer: 64 * 1024 * 1024,
      }).catch((error: unknown) => error as { stderr: string });
      const loaded = [...stderr.matchAll(/node_modules\/([\w.-]+)\//g)].map(([, name]) => name);
      expect(loaded).toContain('commander');
      expect(loaded.filter((name) => ['vitest', 'vite', 'fast-check', 'undici'].includes(name ?? ''))).toEqual([]);
    },
  );
});
