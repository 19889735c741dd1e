import { execFile } from 'node:child_process';
import { chmod, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../specs/generated/types.ts';
import { temporaryDirectory } from './bin/run-command.ts';

/** An image with Node, npm and a shell that is on this machine, so that nothing is pulled. */
const nodeImage = process.env['NODE_IMAGE'] ?? '';
if (nodeImage === '') console.warn('skipped: NODE_IMAGE names no image to build that of svc-conform on');

const root = fileURLToPath(new URL('..', import.meta.url));
const image = `svc-conform-own-image:${process.pid}`;

async function docker(...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  return stdout.trim();
}

describe.skipIf(nodeImage === '')('the image of svc-conform', () => {
  beforeAll(async () => {
    const { stdout: registry } = await promisify(execFile)('npm', ['config', 'get', 'registry'], { cwd: root });
    const args = { NODE_IMAGE: nodeImage, npm_config_registry: registry.trim() };
    const flags = Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
    // The network of this machine, because a proxy or a name server may listen on loopback.
    await docker('build', '--quiet', '--network', 'host', ...flags, '--tag', image, '.');
  }, 900_000);
  afterAll(async () => await docker('image', 'rm', '--force', image));

  it('prints its version', async () => {
    const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8')) as { version: string };
    expect(await docker('run', '--rm', image, '--version')).toBe(version);
  });

  it.each([
    ['as the default user', []],
    ['as a given user, without a home', ['--user', '4321:4321']],
  ])('runs %s with a read-only file system, and writes a report', async (_, user) => {
    await using directory = await temporaryDirectory();
    await chmod(directory.path, 0o777);
    const confined = ['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'];
    const flags = ['demo', '--surface', 'api-webhooks,api-client', '--seed', '1'];
    const summary = await docker(
      'run',
      '--rm',
      ...confined,
      ...user,
      '--volume',
      `${directory.path}:/work`,
      image,
      ...flags,
    );
    expect(summary).toMatch(/^PASSED, partial: \d+ of \d+/m);
    const report = JSON.parse(
      await readFile(directory.at('conformance-report/demo/partial/report.json'), 'utf8'),
    ) as Report;
    expect(report.verdict).toBe('conformant');
  });

  it('does not run as root, and contains nothing that only the build needs', async () => {
    const look = `const { existsSync, readdirSync } = require('node:fs');
      const home = '/opt/svc-conform';
      console.log(JSON.stringify({
        user: process.getuid(),
        top: readdirSync(home).sort(),
        found: ['typescript', 'eslint', '.vitest-cache'].filter((name) => existsSync(home + '/node_modules/' + name)),
        isReadOnly: (() => { try { require('node:fs').writeFileSync(home + '/x', ''); return false; } catch { return true; } })(),
      }));`;
    expect(JSON.parse(await docker('run', '--rm', '--entrypoint', 'node', image, '-e', look))).toEqual({
      user: 1000,
      top: ['LICENSE', 'bin', 'dist', 'node_modules', 'package.json', 'specs'],
      found: [],
      isReadOnly: true,
    });
  });

  it('does not reveal the source of its packages', async () => {
    const history = await docker('history', '--no-trunc', '--format', '{{.CreatedBy}}', image);
    expect(history).toContain('svc-conform.js');
    expect(history).not.toMatch(/registry|https?:/);
  });
});
