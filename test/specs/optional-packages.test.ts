import { readFile } from 'node:fs/promises';
import { describe, expect, it, vi } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { requirePackage } from '../../harness/checks/require-packages.ts';
import { installCommand, isInstalled, optionalPackages, type OptionalPackage } from '../../specs/optional-packages.ts';

const names = Object.keys(optionalPackages) as OptionalPackage[];
const { peerDependencies, peerDependenciesMeta, dependencies } = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as Record<'dependencies' | 'peerDependencies', Record<string, string>> & { peerDependenciesMeta: unknown };

it('names the optional peer dependencies of package.json, with the major version that it accepts', () => {
  const majors = Object.entries(peerDependencies).map(([name, range]) => [name, Number(/^\^(\d+)\./.exec(range)?.[1])]);
  expect(majors).toEqual(names.map((name) => [name, optionalPackages[name].major]));
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(names.map((name) => [name, { optional: true }])));
  expect(names.filter((name) => name in dependencies)).toEqual([]);
});

it('finds each of them here', () => {
  expect(names.filter((name) => !isInstalled(name))).toEqual([]);
});

describe('the command that installs them', () => {
  const [directory, environment] = ['/home/me/shop', {}];
  const local = '/home/me/shop/node_modules/svc-conform/dist/specs/optional-packages.js';

  it.each(['/home/me/shop', '/home/me/shop/server'])('runs none of their scripts, in %s', (within) => {
    const names = ['testcontainers', '@scalar/fastify-api-reference'] as const;
    expect(installCommand(names, { file: local, directory: within, environment })).toBe(
      'npm install --save-dev --ignore-scripts testcontainers@12 @scalar/fastify-api-reference@1',
    );
  });

  it.each([
    '/home/me/.npm/_npx/0123/node_modules/svc-conform/dist/specs/optional-packages.js',
    '/usr/lib/node_modules/svc-conform/dist/specs/optional-packages.js',
    '/home/me/svc-conform/dist/specs/optional-packages.js',
  ])('also installs svc-conform in the project if it runs from %s', (file) => {
    expect(installCommand(['testcontainers'], { file, directory, environment })).toBe(
      'npm install --save-dev --ignore-scripts svc-conform testcontainers@12\nThen run: npx svc-conform',
    );
  });

  it('builds our image again', () => {
    const place = { file: '/opt/svc-conform/dist/x.js', directory: '/work', environment: { SVC_CONFORM_IMAGE: '1' } };
    expect(installCommand(['testcontainers'], place)).toBe(
      'docker build -t svc-conform --build-arg PACKAGES=testcontainers@12 .',
    );
  });
});

it('reports a package that is installed and cannot be loaded as such', async () => {
  const broken = vi.spyOn(optionalPackages.testcontainers, 'load').mockRejectedValue(new Error('bad binary'));
  const fault = await requirePackage('testcontainers').catch((error: unknown) => error);
  broken.mockRestore();
  expect(fault).toBeInstanceOf(HarnessFault);
  expect(fault).toMatchObject({
    code: 'engine-failed',
    message: expect.stringMatching(/^testcontainers .*bad binary$/),
  });
});
