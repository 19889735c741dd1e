import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { inheritedEnvironment, runCommand, temporaryDirectory } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';
import { startService } from './running-service.ts';

const hook = new URL('record-connections.ts', import.meta.url).href;
const env = (file: string) => ({ CRM_TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc', CONNECTIONS_FILE: file });
const contacted = async (file: string) =>
  [...new Set((await readFile(file, 'utf8').catch(() => '')).trim().split('\n'))].sort();

it('check connects to its targets alone, from every thread', { timeout: 120_000 }, async () => {
  await using directory = await temporaryDirectory();
  await using endpoint = await smallEndpoint(() => ({ status: 204 }));
  const file = directory.at('connections');
  const args = [
    'check',
    '--crm-url',
    endpoint.url,
    '--crm-token',
    'env:CRM_TOKEN',
    '--runs',
    '3',
    '--callback-wait',
    '1',
  ];
  const { code } = await runCommand(args, { cwd: directory.path, env: env(file), nodeArgs: ['--import', hook] });
  expect(code).toBe(1);
  const { hostname, port } = new URL(endpoint.url);
  expect(await contacted(file)).toEqual([`connect ${hostname}:${port}`]);
});

it('serve connects to nothing by itself', { timeout: 60_000 }, async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('connections');
  const nodeOptions = { ...inheritedEnvironment(), ...env(file) };
  await using service = startService(['--json'], {
    cwd: directory.path,
    env: nodeOptions,
    nodeArgs: ['--import', fileURLToPath(hook)],
  });
  const { baseUrl, controlUrl } = JSON.parse(await service.line(() => true)) as Record<string, string>;
  const page = await fetch(`${baseUrl}/v1/docs/`);
  expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'|default-src 'self'/);
  await fetch(`${controlUrl}/customer-writes`, { method: 'POST', body: JSON.stringify({ text: 'Hello' }) });
  expect(await service.stop()).toMatchObject({ code: 0 });
  expect(await contacted(file)).toEqual(['']);
});
