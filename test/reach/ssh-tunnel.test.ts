import { userInfo } from 'node:os';
import { writeFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { StartedTunnel } from '../../harness/start/started-tunnel.ts';
import { freePort, freePorts } from '../../harness/wire/free-port.ts';
import { runCommand, temporaryDirectory } from '../bin/run-command.ts';
import { recordingServer } from '../server-fixture.ts';
import { missingSshServer, sshServer } from './ssh-server.ts';

if (missingSshServer !== undefined) console.warn(`skipped: ${missingSshServer}`);
const here = missingSshServer === undefined ? '' : ` (skipped: ${missingSshServer})`;
const destination = `${userInfo().username}@127.0.0.1`;

describe.skipIf(missingSshServer !== undefined)(`an ssh reverse tunnel${here}`, () => {
  it('forwards callbacks of a run to this machine', async () => {
    await using directory = await temporaryDirectory();
    await using server = await sshServer();
    const publicPort = await freePort();
    const publicUrl = `http://127.0.0.1:${publicPort}`;
    const addresses: string[] = [];
    await using endpoint = await recordingServer(async ({ body }, response) => {
      response.writeHead(202).end();
      const { callbackUrl } = JSON.parse(body) as { callbackUrl: string };
      addresses.push(callbackUrl);
      const headers = { 'content-type': 'application/json' };
      // The run may end, and close its tunnel, while the callback for its last event is on the way.
      await fetch(callbackUrl, { method: 'POST', headers, body: '{}' }).catch(() => undefined);
    });
    const crmWebhook = { url: `http://${endpoint.host}/crm`, token: 'env:CRM_TOKEN' };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ crmWebhook, service: { publicUrl } }));
    const tunnel = `${server.client} -N -R 127.0.0.1:${publicPort}:127.0.0.1:{port} ${destination}`;
    const { code, stdout, stderr } = await runCommand(
      ['check', '--only', 'crm-webhook/calls-back-after-202', '--no-diagnose', '--tunnel', tunnel],
      { cwd: directory.path, env: { CRM_TOKEN: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya' } },
    );
    expect(stderr).toContain(`The tunnel ${publicUrl} leads here.`);
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringContaining('1 pass') as string });
    expect(addresses.length).toBeGreaterThan(0);
    for (const address of addresses) expect(new URL(address).origin).toBe(publicUrl);
  });

  it('whose server ends is reported', async () => {
    await using server = await sshServer();
    const [port = NaN, publicPort = NaN] = await freePorts(2);
    const command = `${server.client} -N -R 127.0.0.1:${publicPort}:127.0.0.1:{port} ${destination}`;
    const publicUrl = `http://127.0.0.1:${publicPort}`;
    await using tunnel = new StartedTunnel({ command, host: '127.0.0.1', port, publicUrl, redact: String });
    expect(await tunnel.address()).toBe(publicUrl);
    await expect(tunnel.assertOpen()).resolves.toBeUndefined();
    await server[Symbol.asyncDispose]();
    await tunnel.ended;
    await expect(tunnel.assertOpen()).rejects.toThrow(/ended with exit code 255 during the run/);
  });

  it('whose remote port is in use is reported with the output of ssh', async () => {
    await using server = await sshServer();
    await using other = await recordingServer((_, response) => response.destroy());
    const command = `${server.client} -N -R ${other.host}:127.0.0.1:{port} ${destination}`;
    const start = { command, host: '127.0.0.1', port: await freePort(), publicUrl: `http://${other.host}` };
    await using tunnel = new StartedTunnel({ ...start, redact: String });
    await expect(tunnel.address()).rejects.toThrow(/remote port forwarding failed for listen port/);
  });
});
