import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { isSigned } from '../../examples/integrator/signature.ts';
import { BrokenFront } from '../../harness/demo/broken-front.ts';
import { mistakeNamed, mistakes, type Mistake } from '../../harness/demo/mistakes.ts';
import { limits } from '../../specs/limits.ts';
import { signatureHeader } from '../../specs/signing.ts';
import type { Report } from '../../specs/generated/types.ts';
import { listening, recordingServer } from '../server-fixture.ts';
import { runCommand, temporaryDirectory } from './run-command.ts';

const secret = 'whsec_of-the-broken-front';
const seconds = () => Math.floor(Date.now() / 1000);

/** Posts a body through the front; returns its status, and whether the endpoint behind it got a valid signature. */
async function post(name: keyof typeof mistakes, body: string, { signed = body, t = seconds() } = {}) {
  await using endpoint = await recordingServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"contactData":{"crmContactId":"c-12"}}');
  });
  const mistake = mistakeNamed(name);
  await using front = await BrokenFront.open({
    origin: `http://${endpoint.host}`,
    mistake,
    secrets: { '/chat': secret },
  });
  const headers = { 'x-svc-signature': signatureHeader({ secret, t, body: signed }) };
  const answer = await fetch(front.url(`http://${endpoint.host}/chat`), { method: 'POST', headers, body });
  const [arrived] = endpoint.requests;
  const isValid =
    arrived &&
    isSigned({ header: arrived.headers['x-svc-signature'], payload: arrived.body, secret, nowMs: Date.now() });
  return { status: answer.status, isValid, text: await answer.text() };
}

describe('demo --broken', () => {
  it('lists its mistakes, and adds the given one', async () => {
    await using directory = await temporaryDirectory();
    const listed = await runCommand(['demo', '--broken'], { cwd: directory.path });
    expect(listed.code).toBe(0);
    for (const [name, { what }] of Object.entries(mistakes))
      expect(listed.stdout).toMatch(new RegExp(`^${name} +${what}$`, 'm'));
    const only = ['--only', mistakes['numeric-contact-id'].breaks.join(','), '--no-diagnose'];
    const { code, stdout } = await runCommand(['demo', '--broken', 'numeric-contact-id', ...only], {
      cwd: directory.path,
    });
    expect(code).toBe(1);
    expect(stdout).toContain('expected contactData.crmContactId to be a string');
    expect(stdout).toContain('conformance-report/demo/numeric-contact-id/partial/report.html');
    expect(stdout).toContain('svc-conform demo --broken numeric-contact-id --only');
    expect(await runCommand(['demo', '--broken', 'slow-lokup'], { cwd: directory.path })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Did you mean slow-lookup?') as string,
    });
  });

  it('verifies the signature of a body that was parsed and serialised', async () => {
    expect(await post('reserialised-body', '{"a":1}')).toMatchObject({ status: 200, isValid: true });
    expect(await post('reserialised-body', '{ "a": 1 }')).toMatchObject({ status: 401 });
    expect(await post('reserialised-body', '{ "a": 1 }', { signed: '{"a":1}' })).toMatchObject({ isValid: true });
    expect(await post('reserialised-body', '{"a":1}', { t: 1 })).toMatchObject({ status: 401 });
  });

  it('accepts a signature of any age, and no forged one', async () => {
    expect(await post('stale-timestamp', '{"a":1}', { t: 1 })).toMatchObject({ status: 200, isValid: true });
    expect(await post('stale-timestamp', '{"a":1}', { signed: '{"a":2}' })).toMatchObject({ status: 401 });
  });

  it('turns ids into numbers in answers to the CRM webhook', () => {
    const answer = { contactData: { crmContactId: 'c-12', name: 'c-12' }, projectData: { crmProjectId: '' } };
    expect(mistakes['numeric-contact-id'].answer('/crm', answer)).toEqual({
      contactData: { crmContactId: 12, name: 'c-12' },
      projectData: { crmProjectId: 4711 },
    });
    expect(mistakes['numeric-contact-id'].answer('/chat', answer)).toBe(answer);
  });

  it('makes a lookup wait longer than its limit, and nothing else', () => {
    const { delayMs } = mistakes['slow-lookup'];
    expect(delayMs({ path: '/crm', body: Buffer.from('IncomingCallLookup') })).toBeGreaterThan(
      limits.crmLookupAnswerMs,
    );
    expect(delayMs({ path: '/crm', body: Buffer.from('FinishedCall') })).toBe(0);
    expect(delayMs({ path: '/chat', body: Buffer.from('IncomingCallLookup') })).toBe(0);
  });

  it('withholds interrupts from a call, and passes on all other frames', async () => {
    const { WebSocket, WebSocketServer } = await import('ws');
    const ai = new WebSocketServer({ port: 0, host: '127.0.0.1' });
    await once(ai, 'listening');
    const origin = `http://127.0.0.1:${(ai.address() as { port: number }).port}`;
    await using front = await BrokenFront.open({ origin, mistake: mistakes['ignored-interrupt'], secrets: {} });
    const arrived: string[] = [];
    ai.on('connection', (call) =>
      call.on('message', (data) => {
        arrived.push((data as Buffer).toString());
        if (arrived.length === 2) call.close(1000, 'done');
      }),
    );
    const service = new WebSocket(front.url(`${origin}/voice`).replace('http', 'ws'));
    await once(service, 'open');
    for (const type of ['prompt', 'interrupt', 'prompt']) service.send(JSON.stringify({ type }));
    expect(await once(service, 'close')).toMatchObject([1000, Buffer.from('done')]);
    expect(arrived).toEqual(['{"type":"prompt"}', '{"type":"prompt"}']);
    ai.close();
  });

  it('passes on the refusal of a call', async () => {
    const { WebSocket } = await import('ws');
    const server = createServer().on('upgrade', (_, socket) => socket.end('HTTP/1.1 401 Unauthorized\r\n\r\n'));
    await using ai = await listening(server);
    const options = { origin: `http://${ai.host}`, mistake: mistakes['ignored-interrupt'], secrets: {} };
    await using front = await BrokenFront.open(options);
    const service = new WebSocket(front.url(`ws://${ai.host}/voice`));
    const [error] = (await once(service, 'error')) as [Error];
    expect(error.message).toContain('401');
  });

  it('ends a call whose caller leaves before it is answered', async () => {
    const asked = Promise.withResolvers<Duplex>();
    await using ai = await listening(createServer().on('upgrade', (_, socket) => asked.resolve(socket)));
    const options = { origin: `http://${ai.host}`, mistake: mistakes['ignored-interrupt'], secrets: {} };
    await using front = await BrokenFront.open(options);
    const caller = connect(Number(new URL(front.url(`http://${ai.host}/`)).port), '127.0.0.1');
    const key = 'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    caller.write(`GET /voice HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`);
    const call = await asked.promise;
    caller.end();
    await once(
      call
        .on('error', () => undefined)
        .on('end', () => call.end())
        .resume(),
      'close',
    );
  });

  const others = Object.entries<Mistake>(mistakes).filter(([name]) => name !== 'numeric-contact-id');
  it.each(others)('%s breaks the requirements that it names', async (name, { breaks }) => {
    await using directory = await temporaryDirectory();
    const words = ['demo', '--broken', name, '--only', breaks.join(','), '--no-diagnose', '--json'];
    const { code, stdout } = await runCommand(words, { cwd: directory.path });
    const { requirements } = JSON.parse(stdout) as Report;
    const failed = requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
    expect({ code, failed: failed.toSorted() }).toEqual({ code: 1, failed: breaks.toSorted() });
  });
});
