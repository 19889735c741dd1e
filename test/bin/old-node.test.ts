import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { program, runCommand, temporaryDirectory } from './run-command.ts';

it('says in one line that Node is too old, and loads nothing', async () => {
  await using directory = await temporaryDirectory();
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.11.1' } })`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`];
  const { code, stdout, stderr } = await runCommand(['demo'], { cwd: directory.path, nodeArgs });
  expect({ code, stdout, stderr }).toEqual({
    code: 2,
    stdout: '',
    stderr: 'svc-conform needs Node 22.22 or newer; this is v20.11.1.\n',
  });
});

it('accepts the oldest supported Node', async () => {
  await using directory = await temporaryDirectory();
  const fake = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.22.0' } })`;
  const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(fake)}`];
  const { code, stdout } = await runCommand(['--version'], { cwd: directory.path, nodeArgs });
  expect({ code, stdout }).toEqual({ code: 0, stdout: '0.1.0\n' });
});

const ofTheMachine = '/usr/bin/node';

async function versionOf(node: string): Promise<number[]> {
  const { stdout } = await promisify(execFile)(node, ['--version']);
  return stdout.trim().slice(1).split('.').map(Number);
}

it('says so when an actual older Node runs it', async ({ skip }) => {
  if (!existsSync(ofTheMachine)) skip(`there is no ${ofTheMachine}`);
  const [major = 0, minor = 0, patch = 0] = await versionOf(ofTheMachine);
  if (major > 22 || (major === 22 && minor >= 22)) skip(`${ofTheMachine} is new enough`);
  const ended = await promisify(execFile)(ofTheMachine, [program, 'demo']).catch((error: unknown) => error);
  expect(ended).toMatchObject({
    code: 2,
    stdout: '',
    stderr: `svc-conform needs Node 22.22 or newer; this is v${major}.${minor}.${patch}.\n`,
  });
});
