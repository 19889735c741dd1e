import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import { runCommand, startCommand, temporaryDirectory, type RunningCommand } from './run-command.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'planted-secret-0123456789' };
const flags = ['--crm-token', 'env:CRM_TOKEN', '--runs', '3', '--seed', '5', '--no-diagnose', '--callback-wait', '1'];
const formats = ['--format', 'html,junit', '--events', 'events.ndjson'];

/** Numbers of the request at which a run is killed: before anything was judged, in the middle, and near the end. */
const moments = [1, 9, 40];

// Three at a time: each starts two processes.
describe.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGKILL', null],
] as const)('a run that is killed by %s', (signal, expected) => {
  it.concurrent.each(moments)('at request %i leaves readable files or none, and the next run works', async (at) => {
    await using directory = await temporaryDirectory();
    await mkdir(directory.at('tmp'));
    const started = Promise.withResolvers<RunningCommand>();
    let requests = 0;
    await using endpoint = await smallEndpoint(({ headers }) => {
      if (++requests === at) void started.promise.then((command) => command.kill(signal));
      return { status: headers.authorization === `Bearer ${env.CRM_TOKEN}` ? 204 : 401 };
    });
    const args = ['check', '--crm-url', endpoint.url, ...flags, ...formats];
    const command = startCommand(args, { cwd: directory.path, env: { ...env, TMPDIR: directory.at('tmp') } });
    started.resolve(command);
    const { code, stderr } = await command.ended;
    expect(code, stderr).toBe(expected);
    expect(requests).toBeGreaterThanOrEqual(at);
    if (signal !== 'SIGKILL') expect(await readdir(directory.at('tmp'))).toEqual([]);
    await assertReadable(directory.at('conformance-report'));
    const next = await runCommand([...args, '--only', 'crm-webhook/answers-every-event'], { cwd: directory.path, env });
    expect(next.code, next.stderr).toBe(0);
  });
});

/** Asserts that a directory contains complete files only, and no verdict that the run did not reach. */
async function assertReadable(directory: string): Promise<void> {
  if (!existsSync(directory)) return;
  const names = await readdir(directory, { recursive: true });
  expect(names.filter((name) => !/(?:^|\/)(?:partial|report\.json|report\.html|junit\.xml)$/.test(name))).toEqual([]);
  for (const name of names.filter((one) => one.endsWith('report.json'))) {
    const report = JSON.parse(await readFile(`${directory}/${name}`, 'utf8')) as { verdict: string };
    expect(validate('report', report)).toEqual([]);
    expect(report.verdict).toBe('incomplete');
  }
}
