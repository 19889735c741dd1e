import { chmod, readFile, writeFile } from 'node:fs/promises';
import { expect, it, onTestFinished, vi } from 'vitest';
import { openBrowser } from '../../simulate/serve/open-browser.ts';
import { temporaryDirectory } from './run-command.ts';

const secret = 'a-secret-of-the-config';

/** Puts a program that opens addresses on the path. */
async function programIs(directory: Awaited<ReturnType<typeof temporaryDirectory>>, script: string) {
  await writeFile(directory.at('xdg-open'), `#!/bin/sh\n${script}\n`);
  await chmod(directory.at('xdg-open'), 0o755);
  vi.stubEnv('PATH', `${directory.path}:/usr/bin:/bin`);
  vi.stubEnv('OF_THE_CONFIG', secret);
  vi.stubEnv('OTHER', 'kept');
  onTestFinished(() => void vi.unstubAllEnvs());
}

it.runIf(process.platform === 'linux')('opens the address, without the secrets of the config', async () => {
  await using directory = await temporaryDirectory();
  await programIs(
    directory,
    `(echo "$1"; env) > ${directory.at('part')}; mv ${directory.at('part')} ${directory.at('seen')}`,
  );
  openBrowser('http://127.0.0.1:1/', { secrets: [secret], onFailure: (reason) => expect.unreachable(reason) });
  const seen = await vi.waitFor(() => readFile(directory.at('seen'), 'utf8'), { timeout: 30_000 });
  expect(seen.split('\n')).toEqual(expect.arrayContaining(['http://127.0.0.1:1/', 'OTHER=kept']));
  expect(seen).not.toContain(secret);
});

it.runIf(process.platform === 'linux').each([
  ['fails at once', 'exit 3', 'xdg-open: exit code 3'],
  ['cannot be started', '', 'spawn xdg-open ENOENT'],
])('reports a program that %s', async (_, script, expected) => {
  await using directory = await temporaryDirectory();
  await programIs(directory, script);
  if (script === '') vi.stubEnv('PATH', directory.at('nowhere'));
  const reason = await new Promise((resolve) =>
    openBrowser('http://127.0.0.1:1/', { secrets: [], onFailure: resolve }),
  );
  expect(reason).toBe(expected);
});
