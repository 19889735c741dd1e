import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { renderDiagnosis } from '../../bin/diagnosis-view.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { diagnose, isPassed } from '../../diagnosis/diagnose.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';

const secret = 'whsec_of-the-tests-of-time';
/** Milliseconds by which a diagnosis may exceed its time limit on a busy machine. */
const roomMs = 2_000;

async function serve(listener: RequestListener): Promise<Server & AsyncDisposable> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(server, {
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** Diagnoses the endpoint with every probe. `ms` includes closing all connections. */
async function diagnosed(surface: DiagnosedSurface, server: Server, withinMs: number) {
  const { port } = server.address() as AddressInfo;
  const endpoint = { url: `${surface === 'own-ai-phone' ? 'ws' : 'http'}://127.0.0.1:${port}/in`, secret };
  const config = {
    skills: [],
    stimuli: {},
    service: { host: '127.0.0.1', port: 0 },
    ...(surface === 'own-ai-phone'
      ? { phone: { ...endpoint, timeoutSeconds: 10 } }
      : { chat: { ...endpoint, timeoutSeconds: 2 } }),
  };
  const from = performance.now();
  const connection = await Connection.open(surface, config, { seed: 7, withinMs });
  const diagnosis = await diagnose(connection);
  await connection[Symbol.asyncDispose]();
  const ms = performance.now() - from;
  expect(validate('diagnosis', diagnosis)).toEqual([]);
  return { diagnosis, ms, text: renderDiagnosis(diagnosis, { paint: createPaint(false), width: 200 }) };
}

const trickle: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  const drops = setInterval(() => response.write(' '), 100);
  request.socket.once('close', () => clearInterval(drops));
};

const signed: (answer: RequestListener) => RequestListener = (answer) => (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const [, t = '', v1] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(request.headers['x-svc-signature'])) ?? [];
    const right = createHmac('sha256', secret).update(`${t}.`).update(Buffer.concat(chunks)).digest('hex');
    const isFresh = Math.abs(Date.now() / 1000 - Number(t)) <= 300;
    if (v1 === right && isFresh) answer(request, response);
    else response.writeHead(401).end();
  });
};

describe('a diagnosis whose time is over', () => {
  it.each<[string, RequestListener]>([
    ['takes everything and answers nothing', () => undefined],
    ['never ends its answers', trickle],
  ])('suspects an endpoint that %s, and keeps its observations', async (_, listener) => {
    await using server = await serve(listener);
    const { diagnosis, ms, text } = await diagnosed('own-ai-chat', server, 3_000);
    expect(ms).toBeLessThan(3_000 + roomMs);
    expect(diagnosis).toMatchObject({ cause: null, stage: 'http', suspects: [{ id: 'http/silent' }] });
    expect(diagnosis.agentTest).toMatchObject({ success: false });
    expect(diagnosis.note).toContain('no complete answer within 2 s');
    expect(isPassed(diagnosis)).toBe(false);
    expect(text + diagnosis.note).not.toMatch(/everything (?:that could be checked )?works/i);
  });

  it('suspects no endpoint that may still answer in time, and passes nothing', async () => {
    await using server = await serve(() => undefined);
    const { diagnosis, ms, text } = await diagnosed('own-ai-chat', server, 700);
    expect(ms).toBeLessThan(700 + roomMs);
    expect(diagnosis).toMatchObject({ cause: null, stage: 'http', suspects: [] });
    expect(diagnosis).not.toHaveProperty('agentTest');
    // Less than the 0.7 s where a busy machine has used some of it before.
    expect(diagnosis.note).toMatch(/no complete answer within 0\.\d+ s/);
    expect(isPassed(diagnosis)).toBe(false);
    expect(text).toContain('? The diagnosis did not finish: it ended in the stage http.');
    expect(text + diagnosis.note).not.toMatch(/everything (?:that could be checked )?works/i);
  });

  it('ends in time on the phone, too, if calls are accepted and the AI is silent', async () => {
    await using server = await serve((_, response) => response.writeHead(404).end());
    using _calls = Object.assign(new WebSocketServer({ server }), {
      [Symbol.dispose]: () => undefined,
    }) as unknown as Disposable;
    const { diagnosis, ms } = await diagnosed('own-ai-phone', server, 3_000);
    expect(ms).toBeLessThan(3_000 + roomMs);
    expect(isPassed(diagnosis)).toBe(false);
  });
});

describe('an unobserved point', () => {
  it('is reported for an assistant that accepts every message and says nothing', async () => {
    await using server = await serve(signed((_, response) => response.writeHead(204).end()));
    const { diagnosis, text } = await diagnosed('own-ai-chat', server, 60_000);
    expect(isPassed(diagnosis)).toBe(true);
    expect(diagnosis.passed.join(' ')).not.toMatch(/can be used/);
    expect(diagnosis.notObserved?.join(' ')).toMatch(/No answer had content.*No reply arrived/);
    expect(text).toContain('✓ Everything that could be checked works.');
    expect(diagnosis.note).toContain('What could not be checked:');
  });

  it('is not reported for one that answers', async () => {
    await using server = await serve(
      signed((_, response) => response.writeHead(200).end(JSON.stringify({ text: 'Hello', action: 'none' }))),
    );
    const { diagnosis, text } = await diagnosed('own-ai-chat', server, 60_000);
    expect(diagnosis.notObserved).toEqual([]);
    expect(diagnosis.passed.join(' ')).toMatch(/can be used/);
    expect(text).toContain('✓ Everything works.');
  });
});
