import { readdir, writeFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { optionalPackages, type OptionalPackage } from '../../specs/optional-packages.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

/** Makes Node resolve packages as if some were not installed. */
const hook = `
import { registerHooks } from 'node:module';
const missing = ${JSON.stringify(Object.keys(optionalPackages))};
registerHooks({
  resolve(name, context, next) {
    if (missing.includes(name)) throw Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  },
});`;
const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(hook)}`];
const pact = '@pact-foundation/pact';
const token = ['--crm-token', 'env:TOKEN'];
const crm = ['--crm-url', 'http://127.0.0.1:9/crm', ...token];

const commands: [args: string[], needs: OptionalPackage[]][] = [
  [['pact', 'generate'], [pact]],
  [['pact', 'verify', ...crm], [pact]],
  [['check', ...crm, '--contracts'], [pact]],
  [['check', '--crm-url', 'http://{container}/crm', ...token, '--image', 'acme/integrator'], ['testcontainers']],
  [
    ['fleet', 'targets.yaml', '--queue', 'redis://127.0.0.1:9'],
    ['bullmq', 'ioredis'],
  ],
  [['fleet', 'targets.yaml', '--queue', 'postgres://127.0.0.1:9/fleet'], ['pg-boss']],
  [
    ['pact', 'compare', 'pact.json'],
    [pact, '@pactflow/openapi-pact-comparator'],
  ],
];

it.each(commands)(
  '%j prints one command that installs the missing packages, and does nothing else',
  async (args, needs) => {
    await using directory = await temporaryDirectory();
    await writeFile(directory.at('pact.json'), '{}');
    const env = { TOKEN: 'token-of-missing-packages' };
    const { code, stdout, stderr } = await runCommand(args, { cwd: directory.path, env, nodeArgs });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const name of needs) expect(stderr).toContain(`${name} is not installed; svc-conform needs it for `);
    const packages = needs.map((name) => `${name}@${optionalPackages[name].major}`).join(' ');
    expect(stderr).toContain(
      `Install: npm install --save-dev --ignore-scripts svc-conform ${packages}\nThen run: npx svc-conform\n`,
    );
    expect(await readdir(directory.path)).toEqual(['pact.json']);
  },
);
