import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { mergeReports } from '../../reports/model/merge-reports.ts';
import { certificateRefusals } from '../../reports/certificate/refusals.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Report } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const only = ['--callback-wait', '1', '--runs', '3', '--only', 'crm-webhook/refuses-wrong-token'];
const formats = ['html', 'markdown', 'junit', 'ctrf', 'sarif', 'annotations', 'har', 'badge'];
const files = ['report.json', 'report.html', 'report.md', 'junit.xml', 'ctrf.json', 'report.sarif', 'annotations.txt', 'report.har', 'badge.svg']; // prettier-ignore

describe('a run without TLS verification', () => {
  let directory: Awaited<ReturnType<typeof temporaryDirectory>>;
  let endpoint: Awaited<ReturnType<typeof smallEndpoint>>;
  let args: string[];
  const env = { CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc', NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  beforeAll(() => {
    return (async () => {
      directory = await temporaryDirectory();
      endpoint = await smallEndpoint(() => ({ status: 401 }));
      args = ['check', '--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', ...only];
      return async () => {
        await endpoint[Symbol.asyncDispose]();
        await directory[Symbol.asyncDispose]();
      };
    })();
  });

  it('says so in every format, also after a merge with other shards', { timeout: 90_000 }, async () => {
    const all = [...args, '--format', formats.join(','), '--events', 'events.ndjson'];
    const { stdout, stderr } = await runCommand(all, { cwd: directory.path, env });
    const report = JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
    expect(validate('report', report)).toEqual([]);
    expect(report.environment).toEqual({ tlsVerification: 'disabled' });
    for (const file of files) {
      const text = await readFile(directory.at(`conformance-report/partial/${file}`), 'utf8');
      expect(text, file).toMatch(/TLS verification was disabled|TLS not verified|"tlsVerification": "disabled"/);
    }
    const events = await readFile(directory.at('events.ndjson'), 'utf8');
    for (const text of [stdout, stderr, events]) expect(text).toContain('TLS verification was disabled');
    expect(stdout.trimStart()).toMatch(/^TLS verification was disabled/);
    expect(certificateRefusals(report, requirements, new Date()).join(' ')).toContain('NODE_TLS_REJECT_UNAUTHORIZED');
    const shard = (index: number, { environment, ...rest }: Report): Report => ({
      ...rest,
      ...(index === 2 && environment && { environment }),
      selection: { ...rest.selection, shard: { index, of: 2 } },
    });
    expect(mergeReports([shard(1, report), shard(2, report)]).environment).toEqual({ tlsVerification: 'disabled' });
  });

  it('is not certified, which is printed before anything is sent', { timeout: 60_000 }, async () => {
    await runCommand(['keygen'], { cwd: directory.path });
    const before = endpoint.requests.length;
    const certify = [...args.slice(0, 5), '--certificate', '--key', 'svc-conform.key.pem'];
    const { code, stderr } = await runCommand(certify, { cwd: directory.path, env });
    expect(code).toBe(2);
    expect(stderr).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0; unset it');
    expect(endpoint.requests.length).toBe(before);
  });
});

describe('a token that is a common word', () => {
  it.each(['crm', 'token', 'crm-token-123456'])(
    '%s is reported once and redacts none of our words',
    { timeout: 90_000 },
    async (token) => {
      await using directory = await temporaryDirectory();
      await using endpoint = await smallEndpoint(({ headers }) => ({
        status: 200,
        body: JSON.stringify({ note: `you sent ${headers.authorization}` }),
      }));
      const url = `${endpoint.url.replace(/\/$/, '')}/crm`;
      const args = ['check', '--crm-url', url, '--crm-token', 'env:CRM_TOKEN', '--runs', '3', '--no-diagnose'];
      const { stdout, stderr } = await runCommand([...args, ...only.slice(2)], {
        cwd: directory.path,
        env: { CRM_TOKEN: token },
      });
      expect(stderr.split('is short or made of dictionary words').length).toBe(2);
      const report = JSON.parse(
        await readFile(directory.at('conformance-report/partial/report.json'), 'utf8'),
      ) as Report;
      expect(report.environment).toEqual({ weakSecrets: ['webhook token'] });
      expect(report.target['crm-webhook']?.url).toBe(url);
      const { exchanges, ...own } = report;
      const reproduced = own.checks.flatMap(({ reproduce }) => reproduce ?? []);
      expect(reproduced.length).toBeGreaterThan(0);
      for (const command of reproduced) {
        expect(command).toContain(`npx svc-conform check --crm-url ${url} --crm-token env:CRM_TOKEN`);
      }
      expect(JSON.stringify(own.requirements) + stdout).not.toContain('--[redacted');
      for (const { label, request } of exchanges) expect(label + request.url).not.toContain('[redacted');
      expect(JSON.stringify(exchanges)).not.toContain(`Bearer ${token}"`);
      expect(exchanges.some(({ response }) => response?.body.includes('[redacted: webhook token]'))).toBe(true);
    },
  );
});
