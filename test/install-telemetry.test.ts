import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { temporaryDirectory } from './bin/run-command.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const { processDependencyTreeOutput } = createRequire(import.meta.url)('@scarf/scarf') as {
  processDependencyTreeOutput: (
    resolve: (found: unknown) => void,
    reject: (error: Error) => void,
  ) => (error: null, stdout: string, stderr: string) => void;
};

/** What the telemetry of a dependency decides in a project that has this package installed: `reports`, or why not. */
async function decision(ownManifest: object): Promise<string> {
  await using directory = await temporaryDirectory();
  const manifests = {
    '.': { name: 'customer', version: '1.0.0', dependencies: { 'svc-conform': '*' } },
    'node_modules/svc-conform': ownManifest,
    'node_modules/@pact-foundation/pact': { version: '17.1.4', dependencies: { '@scarf/scarf': '*' } },
  };
  for (const [path, manifest] of Object.entries(manifests)) {
    await mkdir(directory.at(path), { recursive: true });
    const name = path.replace('node_modules/', '');
    await writeFile(directory.at(`${path}/package.json`), JSON.stringify({ name, ...manifest }));
  }
  await cp(`${root}node_modules/@scarf/scarf`, directory.at('node_modules/@scarf/scarf'), { recursive: true });
  // The command by which the telemetry finds out who installs it.
  const { stdout } = await promisify(execFile)('npm', ['ls', '@scarf/scarf', '--json', '--long'], {
    cwd: directory.path,
    shell: process.platform === 'win32',
  }).catch((error: { stdout: string }) => error);
  return await new Promise<string>((resolve) => {
    processDependencyTreeOutput(
      () => resolve('reports'),
      (error) => resolve(error.message),
    )(null, stdout, '');
  });
}

it('telemetry of a dependency stays off when a project installs this package', { timeout: 60_000 }, async () => {
  const { name, version, scarfSettings } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as Record<
    string,
    unknown
  >;
  const manifest = { name, version, dependencies: { '@pact-foundation/pact': '*' } };
  expect(await decision({ ...manifest, scarfSettings })).toBe(
    'Scarf has been disabled via a package.json in the dependency chain.',
  );
  // Without the setting it reports, so the assertion above can fail.
  expect(await decision(manifest)).toBe('reports');
});
