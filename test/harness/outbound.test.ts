import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { CallConnection } from '../../harness/wire/call-connection.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallObservation, Observation } from '../../harness/wire/observation.ts';
import { HarnessOutbound, StandaloneTransport, type OutboundTransport } from '../../harness/wire/harness-outbound.ts';
import type { CallOutcome, CallRequest, LiveCall, OutboundRequest } from '../../service/outbound.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { ai, answering, callUrl, offeredSkills, switchingProtocolsHead, until } from './call-server.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { answerText, rawServer } from './raw-server.ts';

const options = { eventType: 'Manual' as const, isRetry: true, timeoutMs: 5_000 };
const request = (url: string, text = '{}'): OutboundRequest => ({
  method: 'POST',
  url,
  headers: [['Content-Type', 'application/json']],
  body: Buffer.from(text),
});

/** An outbound with its own wire. */
async function alone(onExchange?: (exchange: Observation | CallObservation) => void) {
  const wire = new StandaloneTransport(onExchange);
  const outbound = new HarnessOutbound(wire, { greetingMs: 0 });
  return {
    outbound,
    wire,
    async [Symbol.asyncDispose]() {
      await outbound[Symbol.asyncDispose]();
      await wire[Symbol.asyncDispose]();
    },
  };
}

describe('a request', () => {
  it('is made at the moment of sending, sent unchanged, and returned with its answer', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('200 OK', { 'X-A': 'b' }, '{"a":1}')));
    const exchanges: (Observation | CallObservation)[] = [];
    await using own = await alone((exchange) => exchanges.push(exchange));
    let made = 0;
    const answer = await own.outbound.post(() => (made++, request(`${server.origin}/crm?a=b`, '{"x":"ä"}')), options);
    expect(made).toBe(1);
    expect(answer).toMatchObject({ outcome: 'answered', status: 200, bodyBytes: 7, truncated: false });
    expect(answer.ms).toBeGreaterThan(0);
    expect(server.requests.map(({ head, body }) => [head.split('\r\n')[0], body.toString()])).toEqual([
      ['POST /crm?a=b HTTP/1.1', '{"x":"ä"}'],
    ]);
    expect(exchanges).toMatchObject([{ kind: 'http', label: 'Manual, once more' }]);
  });

  it('is never sent twice, also where a connection was kept alive', async () => {
    await using server = await rawServer((socket, _, count) => {
      if (count === 1) socket.write(answerText('200 OK'));
      else socket.destroy();
    });
    await using own = await alone();
    await own.outbound.post(() => request(server.origin), options);
    // Its connection is free for the next exchange only when the whole exchange is over.
    await new Promise((next) => setImmediate(next));
    expect(await own.outbound.post(() => request(server.origin), options)).toMatchObject({ outcome: 'closed' });
    expect(server.requests.length).toBe(2);
  });

  it.each([
    ['a redirect is not followed', '302 Found', { status: 302 }],
    ['a body is read up to the bound', '200 OK', { bodyBytes: 100, truncated: true }],
  ])('%s', async (_, status, expected) => {
    const body = 'x'.repeat(status === '200 OK' ? 100 : 0);
    await using server = await rawServer((socket) => socket.write(answerText(status, { Location: '/other' }, body)));
    await using own = await alone();
    const answer = await own.outbound.post(() => request(server.origin), { ...options, maxBodyBytes: 10 });
    expect(answer).toMatchObject({ outcome: 'answered', ...expected });
    expect(server.requests.length).toBe(1);
  });

  it('ends in one of five ways, and never throws', async () => {
    await using silent = await rawServer(() => undefined);
    await using broken = await rawServer((socket) => socket.end('nonsense\r\n\r\n'));
    await using own = await alone();
    const outcome = async (url: string) => (await own.outbound.post(() => request(url), options)).outcome;
    const soon = { ...options, timeoutMs: 50 };
    expect(await own.outbound.post(() => request(silent.origin), soon)).toMatchObject({
      outcome: 'no-answer',
      afterMs: 50,
    });
    expect(await outcome(broken.origin)).toBe('malformed');
    expect(await outcome(`http://127.0.0.1:${await freePort()}`)).toBe('unreachable');
    expect(await outcome('nonsense')).toBe('unreachable');
    for (const url of [
      'ftp://127.0.0.1/hooks',
      'mailto:a@b.example',
      'javascript:1',
      'http://a b/',
      'ws://127.0.0.1/',
    ]) {
      expect(await outcome(url), url).toBe('unreachable');
      if (!url.startsWith('ws'))
        expect(await own.outbound.call(calling(url)), url).toEqual({ failed: expect.any(String) });
    }
  });

  it('treats a fault of the shared session as an answer, and reports an internal defect', async () => {
    await using wire = new StandaloneTransport();
    const failing = (error: Error): OutboundTransport => ({
      lag: wire.lag,
      send: () => Promise.reject(error),
      dial: () => Promise.reject(error),
    });
    const gone = new HarnessFault('target-stopped:not-tried', { reason: 'It stopped.' });
    const shared = new HarnessOutbound(failing(gone));
    expect(await shared.post(() => request('http://a'), options)).toMatchObject({
      outcome: 'unreachable',
      detail: 'Not tried: It stopped.',
    });
    expect(await shared.call(calling('ws://a'))).toEqual({ failed: 'Not tried: It stopped.' });
    const defect = new HarnessOutbound(failing(new TypeError('a defect')));
    await expect(defect.post(() => request('http://a'), options)).rejects.toThrow('a defect');
  });

  it('is not sent once the service has ended', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('204 No Content')));
    await using own = await alone();
    await own.outbound[Symbol.asyncDispose]();
    const ended = 'the service has ended';
    expect(await own.outbound.post(() => request(server.origin), options)).toMatchObject({ detail: ended });
    expect(await own.outbound.call(calling(callUrl(server)))).toEqual({ failed: ended });
    expect(server.requests).toEqual([]);
  });
});

const secret = 'whsec_of_the_tests';
const calling = (url: string, over: Partial<CallRequest> = {}): CallRequest => ({
  callId: 'c'.repeat(32),
  url,
  secret,
  label: 'a call',
  setupMs: 5_000,
  answerMs: 5_000,
  runSkills: (named) => named.map((name) => ({ key: String(name), ok: true })),
  ...over,
});
const started = { type: 'session.started', skills: offeredSkills } as unknown as SessionStarted;
const piece = (text: string, last = false) => ({ type: 'text', text, last });

/** A call that has begun. Throws the reason if it was not established. */
async function begun(outbound: HarnessOutbound, calls: CallRequest): Promise<LiveCall> {
  const live = await outbound.call(calls);
  if ('failed' in live) throw new Error(live.failed);
  live.start(started);
  return live;
}

describe('a call', () => {
  it('is dialled with the signature over its id', async () => {
    await using server = await rawServer((socket, dialled) => void socket.write(switchingProtocolsHead(dialled)));
    await using own = await alone();
    const live = await begun(own.outbound, calling(callUrl(server)));
    const head = server.requests[0]?.head ?? '';
    const value = (name: string) => new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
    expect([value('X-Svc-Call-Id'), value('X-Svc-Agent-Protocol')]).toEqual(['c'.repeat(32), protocolRevision]);
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]+)$/.exec(value('X-Svc-Signature') ?? '') ?? [];
    expect(v1).toBe(
      createHmac('sha256', secret)
        .update(`${t}.${'c'.repeat(32)}`)
        .digest('hex'),
    );
    expect(Math.abs(Number(t) - Date.now() / 1000)).toBeLessThan(60);
    await live.end();
  });

  it('that is not established gives the reason', async () => {
    await using refusing = await rawServer((socket) => socket.write(answerText('403 Forbidden')));
    await using silent = await rawServer(() => undefined);
    await using own = await alone();
    const why = async (url: string, setupMs = 5_000) => await own.outbound.call(calling(url, { setupMs }));
    expect(await why(callUrl(refusing))).toEqual({ failed: 'the upgrade was answered with status 403' });
    expect(await why(callUrl(silent), 50)).toEqual({ failed: 'no answer to the upgrade within 0.05 s' });
    expect(await why(`ws://127.0.0.1:${await freePort()}`)).toMatchObject({
      failed: expect.stringContaining('ECONNREFUSED'),
    });
    expect(await why('nonsense')).toMatchObject({ failed: expect.any(String) });
  });

  it('that is established too late is closed, if the transport waits longer', async () => {
    await using server = await rawServer((socket, dialled) => {
      setTimeout(() => socket.write(switchingProtocolsHead(dialled)), 100);
    });
    await using wire = new StandaloneTransport();
    const outbound = new HarnessOutbound({
      lag: wire.lag,
      send: (make, sending) => wire.send(make, sending),
      dial: (make, dialling) => CallConnection.dial(make(Date.now()), { ...dialling, timeoutMs: 5_000 }),
    });
    expect(await outbound.call(calling(callUrl(server), { setupMs: 50 }))).toMatchObject({
      failed: expect.stringMatching(/^the upgrade was answered after \d+ ms, not within 50 ms$/),
    });
  });

  it('reports every frame in its order, and each piece of speech', async () => {
    const long = 'x'.repeat(20_000);
    await using endpoint = await answering(piece('One '), { type: 'text', token: long }, piece('', true));
    await using own = await alone();
    const frames: [string, string][] = [];
    const speech: [string, boolean][] = [];
    const live = await begun(
      own.outbound,
      calling(endpoint.url, {
        onFrame: (from, text) => frames.push([from, text]),
        onSpeech: (text, last) => speech.push([text, last]),
      }),
    );
    expect(await live.ask('Hello?')).toEqual({ outcome: 'closed', text: `One ${long}` });
    await live.end();
    expect(frames.map(([from, text]) => [from, JSON.parse(text).type])).toEqual([
      ['service', 'session.started'],
      ['service', 'prompt'],
      ['ai', 'text'],
      ['ai', 'text'],
      ['ai', 'text'],
      ['service', 'session.ended'],
    ]);
    expect(JSON.parse(frames[3]?.[1] ?? '')).toEqual({ type: 'text', token: long });
    expect(speech).toEqual([
      ['One ', false],
      [long, false],
      ['', true],
    ]);
  });

  it.each<[string, object, Partial<CallOutcome>]>([
    ['end', { type: 'action', action: 'end', text: 'Bye.', note: 'done' }, { how: 'end', text: 'Bye.', note: 'done' }],
    ['handover', { type: 'action', action: 'handover', note: 5 }, { how: 'handover', text: '' }],
    ['forward', { type: 'skill', key: 'sales' }, { how: 'forward', text: '' }],
    ['frame-too-large', piece('x'.repeat(limits.phoneFrameBytes)), { how: 'frame-too-large', text: '' }],
  ])('is over with %s; later frames do not count', async (_, frame, outcome) => {
    await using endpoint = await answering(frame, { type: 'action', action: 'end', text: 'Later.' }, piece('Later.'));
    await using own = await alone();
    const speech: string[] = [];
    const live = await begun(own.outbound, calling(endpoint.url, { onSpeech: (text) => speech.push(text) }));
    await live.ask('Hello?');
    expect(await live.over).toEqual(outcome);
    await live.end();
    expect(speech).toEqual([]);
  });

  it('is over when the AI closes, and when the service ends it', async () => {
    await using endpoint = await ai(({ type }, _, socket) => {
      if (type === 'prompt') socket.close(4000, 'tired');
    });
    await using own = await alone();
    const closed = await begun(own.outbound, calling(endpoint.url));
    expect(await closed.ask('Hello?')).toEqual({ outcome: 'call-ended', text: '' });
    expect(await closed.over).toEqual({ how: 'closed-by-ai', text: '', detail: 'code 4000, tired' });
    const ended = await begun(own.outbound, calling(endpoint.url));
    await ended.end();
    expect(await ended.over).toEqual({ how: 'ended-by-service', text: '' });
  });

  it('passes on the fields of skills, reports the results, and does not transfer a caller who waits for approval', async () => {
    const skill = { type: 'skill', executeSkills: ['sales', 2], note: 'Now.', announcement: '' };
    await using endpoint = await ai(({ type, text }, say) => {
      if (type === 'prompt') say(text === 'Skills.' ? skill : piece('Still here.', true));
    });
    await using own = await alone();
    const asked: unknown[] = [];
    const live = await begun(
      own.outbound,
      calling(endpoint.url, {
        runSkills: (named, said) => {
          asked.push([named, said]);
          return [
            { key: 'urgent', ok: true },
            { key: 'sales', ok: true, reason: 'pending-approval' },
          ];
        },
      }),
    );
    expect((await live.ask('Skills.')).outcome).toBe('skill');
    expect(asked).toEqual([[['sales', 2], { note: 'Now.', announcement: '' }]]);
    expect((await live.ask('And?')).text).toBe('Still here.');
    await live.end();
    expect(endpoint.heard.filter(({ type }) => type === 'skill.result')).toEqual([
      { type: 'skill.result', key: 'urgent', ok: true },
      { type: 'skill.result', key: 'sales', ok: true, reason: 'pending-approval' },
    ]);
  });

  it('waits only for the beginning of an answer where that is enough', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') say(piece('I begin'));
    });
    await using own = await alone();
    const live = await begun(own.outbound, calling(endpoint.url));
    expect(await live.ask('Hello?', { onlyBegun: true })).toEqual({ outcome: 'begun', text: 'I begin' });
    live.interrupt();
    live.press('#');
    await live.end();
    await until(() => endpoint.heard.length === 5);
    expect(endpoint.heard.slice(2, 4)).toEqual([
      { type: 'interrupt', spokenUntilInterrupt: 'I begin' },
      { type: 'dtmf', digit: '#' },
    ]);
  });

  it('lets a greeting pass before the first sentence, and none where the caller was greeted before', async () => {
    const at: Record<string, number[]> = {};
    await using endpoint = await ai(({ type }, say) => {
      (at[String(type)] ??= []).push(performance.now());
      if (type === 'prompt') say(piece('Yes.', true));
    });
    await using wire = new StandaloneTransport();
    await using outbound = new HarnessOutbound(wire);
    for (const resumed of [{}, { resumed: 'handover_failed' }]) {
      const live = await outbound.call(calling(endpoint.url));
      if ('failed' in live) throw new Error(live.failed);
      live.start({ ...started, ...resumed } as SessionStarted);
      await live.ask('Hello?');
      await live.end();
    }
    const waits = at.prompt?.map((time, nth) => time - (at['session.started']?.[nth] ?? 0)) ?? [];
    // As in the first call of a run with an unknown AI.
    expect(waits[0]).toBeGreaterThan(700);
    expect(waits[1]).toBeLessThan(700);
  });

  it('that never began is closed silently', async () => {
    await using endpoint = await answering();
    await using own = await alone();
    const live = await own.outbound.call(calling(endpoint.url));
    if ('failed' in live) throw new Error(live.failed);
    const codes: number[] = [];
    endpoint.calls[0]?.on('close', (code) => codes.push(code));
    await live.end();
    await until(() => codes.length > 0);
    expect([codes, endpoint.heard]).toEqual([[1000], []]);
  });

  it('that is still open ends with the service', async () => {
    await using endpoint = await answering();
    const own = await alone();
    const live = await begun(own.outbound, calling(endpoint.url));
    await own[Symbol.asyncDispose]();
    expect(await live.over).toMatchObject({ how: 'ended-by-service' });
    await until(() => endpoint.heard.length === 2);
    expect(endpoint.heard[1]).toEqual({ type: 'session.ended' });
  });
});
