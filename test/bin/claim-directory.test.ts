import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { claimDirectory } from '../../run/plan/claim-directory.ts';
import { recordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

describe('the directory of a report', () => {
  it('belongs to one run at a time, by whichever path it is named', async () => {
    await using directory = await temporaryDirectory();
    await symlink(directory.path, directory.at('link'));
    {
      await using _claim = await claimDirectory(directory.at('report'));
      const other = claimDirectory(directory.at('link/report'));
      await expect(other).rejects.toMatchObject({
        code: 'directory-in-use',
        message: expect.stringContaining(`Another run (process ${process.pid}) writes its report to`) as string,
      });
      await using _another = await claimDirectory(directory.at('another'));
    }
    expect(await readdir(directory.path)).toEqual(['link']);
    await using _again = await claimDirectory(directory.at('report'));
  });

  it('is free again after a process that was killed', async () => {
    await using directory = await temporaryDirectory();
    const address = directory.at('claim.sock');
    const code = `require('net').createServer().listen(${JSON.stringify(address)}, () => console.log('listens'))`;
    const killed = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(killed.stdout, 'data');
    const addressOf = () => address;
    await expect(claimDirectory(directory.at('report'), addressOf)).rejects.toMatchObject({ code: 'directory-in-use' });
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect((await stat(address)).isSocket()).toBe(true);
    await using _claim = await claimDirectory(directory.at('report'), addressOf);
  });

  it('is claimed before anything is sent', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await recordingServer((_, response) => response.writeHead(204).end());
    await mkdir(directory.at('conformance-report'));
    await using _claim = await claimDirectory(directory.at('conformance-report'));
    const flags = ['--crm-url', `http://${endpoint.host}/crm`, '--crm-token', 'env:CRM_TOKEN'];
    const env = { CRM_TOKEN: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya' };
    const { code, stderr } = await runCommand(['check', ...flags], { cwd: directory.path, env });
    expect(stderr).toContain('writes its report to conformance-report. Wait until it has ended, or choose another');
    expect(code).toBe(2);
    expect(endpoint.requests).toEqual([]);
  });
});
