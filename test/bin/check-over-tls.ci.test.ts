import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { startIntegrator } from '../../examples/integrator/server.ts';
import example from '../../examples/svc-conform.config.json' with { type: 'json' };
import type { Report } from '../../specs/generated/types.ts';
import { listening } from '../server-fixture.ts';
import { makeEndpointSecurity } from '../tls/endpoint-security.ts';
import { authorityCertificate, localCertificate } from '../tls/test-authority.ts';
import { tlsFront } from '../tls/tls-front.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

/** Milliseconds for two complete runs on a busy machine. */
const twoRunsMs = 600_000;
const secrets = {
  CRM_TOKEN: 'Qv7Lr2Xs9Tb4Vd6Pz1KcHw3Mf8Yg5Ja',
  HOOK_SECRET: 'hook_8dJ2vX9pQ4sL8bT1nC7wZ3kR5mF0yH',
  AGENT_SECRET: 'whsec_c2VjcmV0IG9mIHRoZSBydW5zIG92ZXIgVExT',
  SVC_API_KEY: 'svc_sk_over_tls_7Yh2Kd9Qw4Lx',
};

async function reportAt(path: string): Promise<Report> {
  return JSON.parse(await readFile(path, 'utf8')) as Report;
}

describe('check over TLS, with the authority in NODE_EXTRA_CA_CERTS', () => {
  it(
    'has the verdicts of a plain run, requirement by requirement',
    async () => {
      await using integrator = await disposable(
        startIntegrator({
          crmToken: secrets.CRM_TOKEN,
          hookSecret: secrets.HOOK_SECRET,
          agentSecret: secrets.AGENT_SECRET,
          apiKey: secrets.SVC_API_KEY,
          log: () => undefined,
        }),
      );
      await using front = await tlsFront(Number(new URL(integrator.url).port));
      using security = makeEndpointSecurity();
      await using directory = await temporaryDirectory();
      await copyFile(fileURLToPath(new URL('../../examples/links.txt', import.meta.url)), directory.at('links.txt'));
      const run = async (name: string, http: string, ws: string, env: Record<string, string>) => {
        // The client of the example connects to the simulated service, over a plain connection in both runs.
        const { apiClient: _, ...rest } = example;
        const config = {
          ...rest,
          crmWebhook: { ...example.crmWebhook, url: `${http}/crm` },
          apiWebhooks: { ...example.apiWebhooks, url: `${http}/hooks` },
          chat: { ...example.chat, url: `${http}/chat` },
          phone: { ...example.phone, url: `${ws}/voice` },
          observe: { url: `${http}/state` },
        };
        await writeFile(directory.at(`${name}.json`), JSON.stringify(config));
        // The edge cases and few mixes of them: TLS carries any value alike.
        const args = ['check', '--config', `${name}.json`, '--seed', '7', '--runs', '20', '--out', name];
        const ended = await runCommand(args, { cwd: directory.path, env: { ...secrets, ...env } });
        return { ...ended, report: await reportAt(directory.at(`${name}/report.json`)) };
      };
      const { host } = new URL(integrator.url);
      const plain = await run('plain', `http://${host}`, `ws://${host}`, {});
      const at = `127.0.0.1:${front.port}`;
      const secure = await run('secure', `https://${at}`, `wss://${at}`, security.environment);
      const verdicts = ({ requirements }: Report) => requirements.map(({ id, verdict }) => `${verdict} ${id}`);
      expect(secure.report.verdict).toBe('conformant');
      expect(verdicts(secure.report)).toEqual(verdicts(plain.report));
      expect([secure.code, plain.code]).toEqual([0, 0]);
    },
    twoRunsMs,
  );

  it('reports a server that requires a client certificate as exactly that, once', async () => {
    await using server = await listening(
      createServer({ ...localCertificate, ca: authorityCertificate, requestCert: true, rejectUnauthorized: true }),
    );
    const { port } = server;
    using security = makeEndpointSecurity();
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('run'));
    const surfaces = [
      ...['--crm-url', `https://localhost:${port}/crm`, '--crm-token', 'env:CRM_TOKEN'],
      ...['--phone-url', `wss://localhost:${port}/voice`, '--phone-secret', 'env:AGENT_SECRET'],
    ];
    const { code, stdout } = await runCommand(['check', ...surfaces], {
      cwd: directory.at('run'),
      env: { ...secrets, ...security.environment },
    });
    expect(code).toBe(3);
    const { checks, verdict } = await reportAt(directory.at('run/conformance-report/report.json'));
    expect(verdict).toBe('incomplete');
    const judged = checks.filter(({ verdict }) => verdict !== 'not-applicable' && verdict !== 'not-exercised');
    const reasons = new Set(judged.map(({ verdict, code, message }) => `${verdict} ${code} ${message}`));
    expect([...reasons]).toEqual([
      expect.stringContaining(`blocked client-certificate-required localhost:${port} requires a client certificate.`),
    ]);
    expect(stdout).not.toMatch(/index|UND_ERR|It took connections/);
    expect(stdout).toContain('tls/client-certificate');
  });
});

async function disposable<T extends { close: () => Promise<void> }>(opening: Promise<T>): Promise<T & AsyncDisposable> {
  const opened = await opening;
  return Object.assign(opened, { [Symbol.asyncDispose]: () => opened.close() });
}
