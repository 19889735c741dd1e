import { mkdir, writeFile } from 'node:fs/promises';
import { expect, it, vi } from 'vitest';
import { pathInRepository } from '../../run/config/path-in-repository.ts';
import { readTarget } from '../../run/config/read-target.ts';
import { temporaryDirectory } from './run-command.ts';

it('is from the nearest directory with .git, which may be a file', async () => {
  await using directory = await temporaryDirectory();
  await mkdir(directory.at('.git'));
  await mkdir(directory.at('a/b'), { recursive: true });
  expect(pathInRepository(directory.at('a/b/c.json'), {})).toBe('a/b/c.json');
  await writeFile(directory.at('a/.git'), 'gitdir: elsewhere');
  expect(pathInRepository(directory.at('a/b/c.json'), {})).toBe('b/c.json');
});

it('is from the workspace of the job without .git, and undefined outside both', async () => {
  await using directory = await temporaryDirectory();
  const file = directory.at('sub/c.json');
  expect(pathInRepository(file, { GITHUB_WORKSPACE: directory.path })).toBe('sub/c.json');
  expect(pathInRepository(file, { GITHUB_WORKSPACE: directory.at('other') })).toBeUndefined();
  expect(pathInRepository(file, {})).toBeUndefined();
});

it('is the workflow file for a target of flags in GitHub Actions', async () => {
  const flags = { chatUrl: 'http://127.0.0.1:9/', chatSecret: 'env:SECRET' };
  const read = async (environment: NodeJS.ProcessEnv) => {
    const target = await readTarget(flags, { SECRET: 'whsec_Kx7mQp2Vw9Zt4Bn8RcHq5Zt8Ny1Mb4Ud', ...environment });
    return target.configInRepository;
  };
  const reference = 'acme/shop/.github/workflows/conformance.yml@refs/heads/main';
  expect(await read({ GITHUB_WORKFLOW_REF: reference })).toBe('.github/workflows/conformance.yml');
  expect(await read({})).toBeUndefined();
});

it.each(['svc-conform.config.json', 'sub/svc-conform.config.json'])(
  'belongs to a target whose config is %s when the command runs in sub',
  async (place) => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('.git'));
    await mkdir(directory.at('sub'));
    await writeFile(
      directory.at(place),
      JSON.stringify({ crmWebhook: { url: 'http://127.0.0.1:9', token: 'env:TOKEN' } }),
    );
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(directory.at('sub'));
    const { configInRepository } = await readTarget({}, { TOKEN: 'Kx7mQp2Vw9Zt4Bn8Rc' }).finally(() =>
      cwd.mockRestore(),
    );
    expect(configInRepository).toBe(place);
  },
);
