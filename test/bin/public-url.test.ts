import { writeFile } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createNetServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../harness/wire/free-port.ts';
import { listening } from '../server-fixture.ts';
import { runCommand, temporaryDirectory, type Ended } from './run-command.ts';
import { startService } from './running-service.ts';
import { smallEndpoint } from './small-endpoint.ts';

const env = { CRM_TOKEN: 'planted-secret-0123456789' };

type Proxy = AsyncDisposable & { url: string };

/** A server that replaces the tunnel or proxy behind `service.publicUrl`. */
async function proxy(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Proxy> {
  const server = await listening(createServer(answer));
  return { ...server, url: `http://${server.host}` };
}

/** Forwards each request to the address that `change` returns for the requested one. */
const forwardingTo = (port: number, change: (target: string) => string) =>
  proxy((incoming, outgoing) => {
    const { method, headers, url = '/' } = incoming;
    const onward = request({ host: '127.0.0.1', port, path: change(url), method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });

interface Tried {
  publicUrl: string;
  port?: number;
  args?: readonly string[];
  service?: object;
}

/** Runs a command against an endpoint that answers 204 to everything; returns its result and the received requests. */
async function tried({ publicUrl, port = 0, args, service }: Tried): Promise<Ended & { requests: number }> {
  await using endpoint = await smallEndpoint(() => ({ status: 204 }));
  await using directory = await temporaryDirectory();
  const config = {
    crmWebhook: { url: endpoint.url, token: 'env:CRM_TOKEN' },
    service: { port, publicUrl, ...service },
  };
  await writeFile(directory.at('svc-conform.config.json'), JSON.stringify(config));
  const words = args ?? ['check', '--only', 'crm-webhook/answers-every-event'];
  return { ...(await runCommand(words, { cwd: directory.path, env })), requests: endpoint.requests.length };
}

describe('a service.publicUrl that does not lead back to this process', () => {
  async function refused(publicUrl: string, args?: readonly string[]): Promise<string> {
    const { code, stdout, stderr, requests } = await tried({ publicUrl, ...(args && { args }) });
    expect({ code, stdout, requests }, stderr).toEqual({ code: 2, stdout: '', requests: 0 });
    expect(stderr).toContain(`service.publicUrl is ${publicUrl}, but a test request to it `);
    expect(stderr).toContain('service.publicUrlCheck');
    return stderr;
  }

  it.each([
    ['check', undefined],
    ['send', ['send', 'IncomingCallLookup']],
    ['pact verify', ['pact', 'verify']],
  ])('is refused before anything is sent to the endpoint: %s', async (_, args) => {
    expect(await refused(`http://127.0.0.1:${await freePort('127.0.0.1')}`, args)).toContain('ECONNREFUSED');
  });

  it('is another server: its status and name are reported', async () => {
    await using other = await proxy((_, answer) => answer.writeHead(404, { server: 'nginx' }).end());
    expect(await refused(`${other.url}/hooks`)).toContain(
      'was answered 404 by the server nginx, and did not arrive here',
    );
  });

  it('is a redirect: its target is reported, and it is not followed', async () => {
    let requests = 0;
    await using other = await proxy((_, answer) => {
      requests++;
      answer.writeHead(308, { location: '/login' }).end();
    });
    expect(await refused(other.url)).toContain('was answered 308, a redirect to /login');
    expect(requests).toBe(1);
  });

  it('is a server without TLS under https:, or one that never answers', async () => {
    await using plain = await proxy((_, answer) => answer.end());
    expect(await refused(plain.url.replace('http:', 'https:'))).toMatch(/to it failed: .+SSL/i);
    const silent = createNetServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = silent.address() as AddressInfo;
      expect(await refused(`http://127.0.0.1:${port}`)).toContain('got no answer within 5 s');
    } finally {
      silent.close();
    }
  });

  it('is a proxy that removes the query', async () => {
    const port = await freePort('127.0.0.1');
    await using other = await forwardingTo(port, (target) => target.replace(/\?.*/, ''));
    const { code, stderr } = await tried({ publicUrl: other.url, port });
    expect(code, stderr).toBe(2);
    expect(stderr).toContain('arrived here without its query');
  });

  it('is accepted if service.publicUrlCheck is false', async () => {
    const publicUrl = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    const { code, stderr } = await tried({ publicUrl, service: { publicUrlCheck: false } });
    expect(code, stderr).toBe(0);
  });

  it('is only warned about by serve, whose tunnel may be started later', async () => {
    await using directory = await temporaryDirectory();
    const publicUrl = `http://127.0.0.1:${await freePort('127.0.0.1')}`;
    await writeFile(directory.at('svc-conform.config.json'), JSON.stringify({ service: { publicUrl } }));
    await using running = startService([], { cwd: directory.path });
    await running.line((line) => line.includes(publicUrl));
    expect(running.stderr()).toContain(`Warning: service.publicUrl is ${publicUrl}, but a test request to it failed`);
  });
});

it.each([
  ['keeps', (target: string) => target],
  ['removes', (target: string) => target.replace(/^\/some\/path/, '')],
])('a service.publicUrl with a path behind a proxy that %s it leads back', async (_, change) => {
  const port = await freePort('127.0.0.1');
  await using behind = await forwardingTo(port, change);
  const { code, stderr } = await tried({ publicUrl: `${behind.url}/some/path/`, port });
  expect(code, stderr).toBe(0);
});
