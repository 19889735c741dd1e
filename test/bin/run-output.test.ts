import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import type { Report, RunEvent } from '../../specs/generated/types.ts';
import { inheritedEnvironment, program, runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' };
const short = ['--callback-wait', '1', '--runs', '3', '--only', 'crm-webhook/refuses-wrong-token'];
const byFlags = (url: string) => ['check', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN', ...short];
const eventOf = (line: string) => JSON.parse(line) as RunEvent;

describe('a reader that disconnects', () => {
  it.each(['--events -', '2>&1', '--json'])('does not affect the verdict of a run with %s', async (how) => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const words = [process.execPath, program, ...byFlags(endpoint.url)].map((word) => `'${word}'`).join(' ');
    // The reader disconnects at once, before anything is written.
    await promisify(execFile)('sh', ['-c', `{ ${words} ${how}; echo $? > code; } 2>/dev/null | head -c 1`], {
      cwd: directory.path,
      env: { ...inheritedEnvironment(), ...env },
    });
    await expect.poll(() => readFile(directory.at('code'), 'utf8').catch(() => ''), { timeout: 20_000 }).toBe('1\n');
    const report = JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
    expect(report.verdict).toBe('non-conformant');
  });
});

describe('a reader of the output of serve that disconnects', () => {
  it('does not affect the verdict of the recorded client', async () => {
    await using directory = await temporaryDirectory();
    const serve = `'${process.execPath}' '${program}' serve --record report --json`;
    const script = `{ ${serve}; echo $? > code; } 2>/dev/null | head -n 1 > first`;
    const over = promisify(execFile)('sh', ['-c', script], { cwd: directory.path, env: inheritedEnvironment() });
    const first = () => readFile(directory.at('first'), 'utf8').catch(() => '');
    await expect.poll(first, { timeout: 20_000 }).toContain('\n');
    const { baseUrl, apiKey, controlUrl } = JSON.parse(await first()) as Record<string, string>;
    // The buffer of the pipe may still accept the first line.
    for (let call = 0; call < 3; call++) {
      expect((await fetch(`${baseUrl}/v1/me`, { headers: { 'X-Api-Key': apiKey ?? '' } })).status).toBe(200);
    }
    expect((await fetch(`${controlUrl}/stop`, { method: 'POST' })).ok).toBe(true);
    await over;
    expect(await readFile(directory.at('code'), 'utf8')).toBe('0\n');
    const report = JSON.parse(await readFile(directory.at('report/report.json'), 'utf8')) as Report;
    expect(report.summary.pass).toBeGreaterThan(0);
  });
});

describe('--events -', () => {
  it('has standard output to itself', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 204 }));
    const { code, stdout, stderr } = await runCommand([...byFlags(endpoint.url), '--events', '-'], {
      cwd: directory.path,
      env,
    });
    const events = stdout.trimEnd().split('\n').map(eventOf);
    expect(events.flatMap((event) => validate('runEvent', event))).toEqual([]);
    expect(events.at(0)?.event).toBe('run-started');
    expect(events.at(-1)).toMatchObject({ event: 'run-finished', verdict: 'non-conformant', exitCode: 1 });
    expect(stderr).toContain('NON-CONFORMANT');
    expect(code).toBe(1);
  });
});

describe('--anonymize', () => {
  it('prints nothing that the endpoint said, not even during the run', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await smallEndpoint(() => ({ status: 200, body: '{"error":"Erika Mustermannova"}' }));
    const open = await runCommand(byFlags(endpoint.url), { cwd: directory.path, env });
    expect(open.stderr).toContain('Mustermannova');
    const { stdout, stderr } = await runCommand([...byFlags(endpoint.url), '--anonymize'], {
      cwd: directory.path,
      env,
    });
    expect(stderr).toContain('crm-webhook/refuses-wrong-token');
    expect(stdout + stderr).not.toMatch(/mustermannova/i);
    expect(await readFile(directory.at('conformance-report/partial/report.html'), 'utf8')).not.toMatch(
      /mustermannova/i,
    );
  });
});
