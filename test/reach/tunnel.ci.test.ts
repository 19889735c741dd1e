import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { StartedTunnel } from '../../harness/start/started-tunnel.ts';
import { tunnelAddresses } from '../../harness/start/tunnel-addresses.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { runCommand, startCommand, temporaryDirectory } from '../bin/run-command.ts';
import { recordingServer } from '../server-fixture.ts';

const program = fileURLToPath(new URL('tunnel-program.mjs', import.meta.url));
const env = { CRM_TOKEN: 'Tk9Wm3Xq7Lr2Bv5Nc8Zd1Fh4Js6Gp0Ya' };
const commandOf = (pids: string, mode = '') => `"${process.execPath}" "${program}" {port} "${pids}" ${mode}`;

const isRunning = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Process ids of the program, and the port on which it listens. */
async function stateOf(pids: string): Promise<{ processes: number[]; port: number }> {
  const [process = NaN, child = NaN, port = NaN] = (await readFile(pids, 'utf8')).split(' ').map(Number);
  return { processes: [process, child], port };
}

describe('the address of a tunnel', () => {
  it.each([
    [
      'cloudflared',
      [
        'INF Thank you for trying Cloudflare Tunnel. To use Tunnels in production follow: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps',
        'INF |  https://quick-brown-fox.trycloudflare.com                              |',
        'INF Settings: map[protocol:quic url:http://localhost:8443]',
      ],
      'https://quick-brown-fox.trycloudflare.com',
    ],
    [
      'ngrok',
      [
        't=2026-01-01T00:00:00 lvl=info msg="starting web service" obj=web addr=127.0.0.1:4040',
        't=2026-01-01T00:00:00 lvl=info msg="started tunnel" addr=http://localhost:8443 url=https://1a2b.ngrok-free.app',
      ],
      'https://1a2b.ngrok-free.app',
    ],
    ['ssh', ['Forwarding HTTP traffic from https://1a2b.tunnel.example'], 'https://1a2b.tunnel.example'],
    [
      'json',
      ['{"event":"tcpip-forward","address":"1a2b.example","url":"https://1a2b.example"}'],
      'https://1a2b.example',
    ],
  ])('of %s is found in its output', (_, lines, address) => {
    expect(tunnelAddresses(lines, 8443)).toEqual([address]);
  });

  it('is not our own, not that of a page, and not a public one without TLS', () => {
    const lines = [
      'http://127.0.0.1:8443 http://localhost:8443/ https://[::1]:8443 http://public.example https://a.example/docs',
      'https://user@b.example https://c.example?x=1 https://d.example#top ftp://e.example https://',
    ];
    expect(tunnelAddresses(lines, 8443)).toEqual([]);
    expect(tunnelAddresses(['http://127.0.0.1:4711. "https://f.example/", https://f.example'], 8443)).toEqual([
      'http://127.0.0.1:4711',
      'https://f.example',
    ]);
  });
});

/** Milliseconds within which a shell prints a line on a busy machine. */
const printedWithinMs = 8_000;

// Nearly all of the time is waiting.
describe.concurrent('a tunnel', () => {
  async function faultOf(command: string, withinMs = 20_000, publicUrl?: string): Promise<string> {
    const port = await freePort();
    await using tunnel = new StartedTunnel({
      command,
      host: '127.0.0.1',
      port,
      publicUrl,
      withinMs,
      redact: (text) => text.replaceAll('secret-of-the-tunnel', '[redacted]'),
    });
    const fault = await tunnel.address().catch((error: unknown) => error);
    expect(fault).toMatchObject({ code: 'tunnel-failed' });
    return (fault as Error).message;
  }

  it('that ends is a fault with its output, without secrets', async () => {
    const message = await faultOf('echo the token secret-of-the-tunnel is invalid >&2; exit 4');
    expect(message).toContain('ended with exit code 4 before a request through it arrived. Its latest output:');
    expect(message).toContain('the token [redacted] is invalid');
    expect(message).not.toContain('secret-of-the-tunnel');
  });

  it('that prints no address, or one that leads elsewhere, is a fault', async () => {
    await using other = await recordingServer((_, response) => response.writeHead(404).end());
    const address = `http://${other.host}`;
    const [none, elsewhere, given] = await Promise.all([
      faultOf('echo ready; sleep 60', 1_500),
      faultOf(`echo ${address}; sleep 60`, printedWithinMs),
      faultOf('sleep 60', 1_500, address),
    ]);
    expect(none).toMatch(/printed no tunnel address within 1\.5 s/);
    expect(elsewhere).toContain(`leads to ${address}, but a test request to it was answered 404`);
    expect(given).toContain(`leads to ${address}, but`);
  });

  it('leads to this machine once it listens, and all of its processes end with it', async () => {
    await using directory = await temporaryDirectory();
    const pids = directory.at('pids');
    const start = { command: commandOf(pids), host: '127.0.0.1', port: await freePort(), redact: String };
    const tunnel = new StartedTunnel(start);
    const address = await tunnel.address();
    const { port, processes } = await stateOf(pids);
    expect(address).toBe(`http://127.0.0.1:${port}`);
    expect(processes.map(isRunning)).toEqual([true, true]);
    await expect(tunnel.assertOpen()).resolves.toBeUndefined();
    await tunnel[Symbol.asyncDispose]();
    await vi.waitFor(() => expect(processes.map(isRunning)).toEqual([false, false]));
  });
});

/** An endpoint that answers 202 and calls back later, and the addresses of its callbacks. */
async function callingBack() {
  const addresses: string[] = [];
  const server = await recordingServer(({ body }, response) => {
    response.writeHead(202).end();
    const { callbackUrl } = JSON.parse(body) as { callbackUrl: string };
    addresses.push(callbackUrl);
    void fetch(callbackUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }).catch(
      () => undefined,
    );
  });
  return { ...server, addresses, url: `http://${server.host}/crm` };
}

describe.concurrent('--tunnel', () => {
  const check = ['check', '--crm-token', 'env:CRM_TOKEN', '--only', 'crm-webhook/answers-every-event', '--no-diagnose'];

  it('forwards callbacks of a run to this machine, and ends with it', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await callingBack();
    const pids = directory.at('pids');
    const flags = ['--crm-url', endpoint.url, '--tunnel', commandOf(pids)];
    const { stderr, code } = await runCommand([...check, ...flags], { cwd: directory.path, env });
    const { port, processes } = await stateOf(pids);
    expect(stderr).toContain(`The tunnel http://127.0.0.1:${port} leads here.`);
    expect(code).not.toBe(2);
    expect(endpoint.addresses.length).toBeGreaterThan(0);
    for (const address of endpoint.addresses) expect(new URL(address).port).toBe(String(port));
    await vi.waitFor(() => expect(processes.map(isRunning)).toEqual([false, false]));
  });

  it('that ends during the run leaves no verdict', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await callingBack();
    const flags = [
      '--crm-url',
      endpoint.url,
      '--callback-wait',
      '2',
      '--tunnel',
      commandOf(directory.at('pids'), 'ends'),
    ];
    const { stderr, stdout, code } = await runCommand([...check, ...flags], { cwd: directory.path, env });
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toContain('ended with exit code 9 during the run, so callbacks could not arrive');
    await expect(readFile(directory.at('conformance-report/partial/report.json'))).rejects.toThrow('ENOENT');
  });

  it('that no longer forwards leaves no verdict', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await callingBack();
    const command = commandOf(directory.at('pids'), 'stops');
    const flags = ['--crm-url', endpoint.url, '--callback-wait', '2', '--tunnel', command];
    const { stderr, stdout, code } = await runCommand([...check, ...flags], { cwd: directory.path, env });
    expect(code).toBe(3);
    expect(stdout).toBe('');
    expect(stderr).toMatch(/no longer leads here: a test request to http:\/\/127\.0\.0\.1:\d+ failed/);
    await expect(readFile(directory.at('conformance-report/partial/report.json'))).rejects.toThrow('ENOENT');
  });

  it('that ends while send waits for a callback is reported', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await callingBack();
    const flags = ['--crm-url', endpoint.url, '--crm-token', 'env:CRM_TOKEN', '--wait', '2'];
    const command = ['--tunnel', commandOf(directory.at('pids'), 'ends')];
    const { stderr, code } = await runCommand(['send', 'FinishedCall', ...flags, ...command], {
      cwd: directory.path,
      env,
    });
    expect(code).toBe(3);
    expect(stderr).toContain('ended with exit code 9 during the run');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('is asked to end if %s ends the run', async (signal) => {
    await using directory = await temporaryDirectory();
    await using endpoint = await recordingServer(() => undefined);
    const pids = directory.at('pids');
    const flags = ['--crm-url', `http://${endpoint.host}/crm`, '--tunnel', commandOf(pids, 'polite')];
    const checking = startCommand([...check, ...flags], { cwd: directory.path, env });
    await checking.reported('leads here.');
    checking.kill(signal);
    const { code } = await checking.ended;
    expect(code).toBe(signal === 'SIGTERM' ? 143 : 130);
    expect(await readFile(`${pids}.end`, 'utf8')).toBe('SIGTERM');
    const { processes } = await stateOf(pids);
    await vi.waitFor(() => expect(processes.map(isRunning)).toEqual([false, false]));
  });

  it('is not started if nothing calls back', async () => {
    await using directory = await temporaryDirectory();
    const flags = ['--hooks-url', 'http://127.0.0.1:9/hooks', '--hooks-secret', 'env:HOOKS_SECRET'];
    const command = ['--tunnel', 'touch started; sleep 60; : {port}'];
    const run = ['--surface', 'api-webhooks', '--no-diagnose'];
    const { stderr } = await runCommand(['check', ...flags, ...command, ...run], {
      cwd: directory.path,
      env: { HOOKS_SECRET: 'whsec_Kx7mQp2Vw9Zt4Bn8RcHq5Zt8Ny1Mb4Ud' },
    });
    expect(stderr).not.toContain('tunnel');
    await expect(readFile(directory.at('started'))).rejects.toThrow('ENOENT');
  });

  it('is not tested with publicUrlCheck: false', async () => {
    await using directory = await temporaryDirectory();
    await using endpoint = await callingBack();
    const pids = directory.at('pids');
    const config = {
      crmWebhook: { url: endpoint.url, token: 'env:CRM_TOKEN' },
      service: { tunnel: commandOf(pids), publicUrl: 'https://svc.invalid', publicUrlCheck: false },
    };
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
    const only = ['--only', 'crm-webhook/answers-every-event', '--no-diagnose'];
    const { stderr } = await runCommand(['check', ...only], { cwd: directory.path, env });
    expect(stderr).toContain('The tunnel is not tested (service.publicUrlCheck is false).');
    expect(endpoint.addresses.length).toBeGreaterThan(0);
    for (const address of endpoint.addresses) expect(address).toMatch(/^https:\/\/svc\.invalid\//);
  });

  it('needs a port, before anything is started', async () => {
    await using directory = await temporaryDirectory();
    const flags = ['--crm-url', 'http://127.0.0.1:9/crm', '--tunnel', 'touch started'];
    const { stderr, code } = await runCommand([...check, ...flags], { cwd: directory.path, env });
    expect(code).toBe(2);
    expect(stderr).toContain('Write {port} in the command of the tunnel');
    await expect(readFile(directory.at('started'))).rejects.toThrow('ENOENT');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('does not delay %s of serve until it leads here', async (signal) => {
    await using directory = await temporaryDirectory();
    const tunnel = 'echo $$ > started; sleep 600; : {port}';
    const serving = startCommand(['serve', '--tunnel', tunnel], { cwd: directory.path, env });
    await vi.waitFor(() => readFile(directory.at('started')), { timeout: 15_000 });
    serving.kill(signal);
    const { code, stdout, stderr } = await serving.ended;
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: '' });
    const group = Number(await readFile(directory.at('started'), 'utf8'));
    expect(isRunning(group)).toBe(false);
  });

  it('gives serve its address', async () => {
    await using directory = await temporaryDirectory();
    const pids = directory.at('pids');
    const serving = startCommand(['serve', '--json', '--tunnel', commandOf(pids)], { cwd: directory.path, env });
    await serving.reported('leads here.');
    serving.kill('SIGTERM');
    const { stdout, stderr } = await serving.ended;
    const { port, processes } = await stateOf(pids);
    expect(JSON.parse(stdout.split('\n', 1)[0] ?? ''), stderr).toMatchObject({ baseUrl: `http://127.0.0.1:${port}` });
    await vi.waitFor(() => expect(processes.map(isRunning)).toEqual([false, false]));
  });
});
