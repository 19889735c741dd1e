import { createHmac } from 'node:crypto';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DialOptions, CallConnection } from '../../harness/wire/call-connection.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { Session } from '../../harness/checks/session.ts';
import { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import vectors from '../../specs/signing-vectors.json' with { type: 'json' };
import {
  callUrl,
  connect,
  frameBytes,
  longTimeoutMs,
  shortTimeoutMs,
  switchingProtocolsHead,
  until,
} from './call-server.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { answerText, rawServer, type RawRequest } from './raw-server.ts';
import { configOf, credentials, settingsOf } from './settings-for-tests.ts';

/** The observation of a call whose server only does this with the upgrade. */
async function upgradeTo(
  answer: string | Buffer | ((socket: Socket, request: RawRequest) => void),
  options: Partial<DialOptions> = {},
): Promise<CallObservation> {
  await using server = await rawServer((socket, request) => {
    if (typeof answer === 'function') answer(socket, request);
    else socket.write(answer);
  });
  const connection = await connect(callUrl(server), options);
  await connection.close();
  return connection.observation;
}

const linesOf = ({ head }: RawRequest) => head.split('\r\n');
const valueOf = (request: RawRequest, name: string) =>
  linesOf(request)
    .filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}: `))
    .map((line) => line.slice(name.length + 2));

describe('the upgrade request', () => {
  it('keeps path and query as written, and offers no extension and no subprotocol', async () => {
    await using server = await rawServer((socket, request) => socket.write(switchingProtocolsHead(request)));
    const connection = await connect(callUrl(server, '/voice/a%2Fb?tenant=7&x=d%20e&empty='));
    await connection.vanish('end');
    const [request] = server.requests;
    if (!request) throw new Error('expected a request, received none');
    expect(linesOf(request)[0]).toBe('GET /voice/a%2Fb?tenant=7&x=d%20e&empty= HTTP/1.1');
    expect(valueOf(request, 'Sec-WebSocket-Version')).toEqual(['13']);
    expect(request.head).not.toMatch(/sec-websocket-(extensions|protocol)/i);
    expect(connection.observation.request.url).toBe(callUrl(server, '/voice/a%2Fb?tenant=7&x=d%20e&empty='));
  });

  it('carries headers in their case, once, and values beyond ASCII', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('401 Unauthorized')));
    const upgrade = SignedDelivery.upgrade('c', [['X-Svc-Call-Id', 'c']], 's').with({ write: (t) => `t=${t},v1=é` });
    await CallConnection.dial(upgrade.request(callUrl(server), 1_000), {
      label: 'a test',
      callId: 'c',
      timeoutMs: longTimeoutMs,
    });
    const lines = server.requests.flatMap(linesOf);
    expect(lines.filter((line) => /^x-svc/i.test(line))).toEqual(['X-Svc-Call-Id: c', 'X-Svc-Signature: t=1,v1=\xe9']);
  });

  it.each([
    ['omitted', () => undefined, []],
    ['empty', () => '', ['']],
    ['of another form', (t: number) => `t=${t}`, ['t=1']],
  ])('can have its signature %s', async (_, write, expected) => {
    await using server = await rawServer((socket) => socket.write(answerText('401 Unauthorized')));
    const upgrade = SignedDelivery.upgrade('c', [['X-Svc-Call-Id', 'c']], 's').with({ write });
    const request = upgrade.request(callUrl(server), 1_000);
    await CallConnection.dial(request, { label: 'a test', callId: 'c', timeoutMs: longTimeoutMs });
    expect(server.requests.flatMap((one) => valueOf(one, 'X-Svc-Signature').map((value) => value.trim()))).toEqual(
      expected,
    );
  });
});

describe('the upgrade of the driver', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each(vectors.callIdVectors)('is signed as the vector: $name', async ({ secret, t, callId, header }) => {
    vi.setSystemTime(t * 1000 + 999);
    await using server = await rawServer((socket) => socket.write(answerText('401 Unauthorized')));
    const phone = { url: callUrl(server), secret, timeoutSeconds: 2 };
    await using session = await Session.open(settingsOf(configOf({}, { phone })));
    const { answer } = await session.phone.attemptCall(session.phone.upgrade(callId), 'a vector');
    expect(answer).toMatchObject({ outcome: 'answered', status: 401 });
    expect(server.requests.flatMap((request) => valueOf(request, 'X-Svc-Call-Id'))).toEqual([callId]);
    expect(server.requests.flatMap((request) => valueOf(request, 'X-Svc-Signature'))).toEqual([header]);
  });

  it('has the time of sending as t, and signs as requested', async () => {
    vi.setSystemTime(1_791_712_800_000);
    await using server = await rawServer((socket) => socket.write(answerText('401 Unauthorized')));
    const phone = { url: callUrl(server), secret: credentials.agentSecret, timeoutSeconds: 2 };
    await using session = await Session.open(settingsOf(configOf({}, { phone })));
    const upgrade = session.phone.upgrade('call-1');
    vi.setSystemTime(1_791_712_860_000);
    await session.phone.attemptCall(upgrade, 'later');
    await session.phone.attemptCall(upgrade.with({ offsetSeconds: -310 }), 'stale');
    await session.phone.attemptCall(upgrade.with({ signed: Buffer.from('call-2') }), 'of another call');
    await session.phone.attemptCall(upgrade.withHeader('X-Svc-Call-Id', undefined), 'without a call id');
    const v1 = (t: number, callId: string) =>
      createHmac('sha256', credentials.agentSecret).update(`${t}.${callId}`).digest('hex');
    expect(server.requests.flatMap((request) => valueOf(request, 'X-Svc-Signature'))).toEqual([
      `t=1791712860,v1=${v1(1_791_712_860, 'call-1')}`,
      `t=1791712550,v1=${v1(1_791_712_550, 'call-1')}`,
      `t=1791712860,v1=${v1(1_791_712_860, 'call-2')}`,
      `t=1791712860,v1=${v1(1_791_712_860, 'call-1')}`,
    ]);
    expect(server.requests.map((request) => valueOf(request, 'X-Svc-Call-Id'))).toEqual([
      ['call-1'],
      ['call-1'],
      ['call-1'],
      [],
    ]);
  });
});

describe('an upgrade that is answered', () => {
  it('with 101 is a connection, with its times and headers', async () => {
    await using server = await rawServer((socket, request) =>
      socket.write(switchingProtocolsHead(request, 'X-MiXed: Value\r\n')),
    );
    const connection = await connect(callUrl(server));
    const { answer, times, end } = connection.observation;
    expect(connection.isUp).toBe(true);
    expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
    expect(answer).toMatchObject({ headers: expect.arrayContaining([['X-MiXed', 'Value']]) as unknown });
    expect(times.connectMs).toBeGreaterThan(0);
    expect(times.firstByteMs).toBeGreaterThanOrEqual(times.connectMs ?? Infinity);
    expect(times.totalMs).toBeGreaterThanOrEqual(times.firstByteMs ?? Infinity);
    expect(end).toBeUndefined();
    await connection.vanish('end');
    expect(connection.isUp).toBe(false);
  });

  it.each(['100 Continue', '102 Processing', '103 Early Hints'])(
    'with 101 after %s is a connection',
    async (interim) => {
      const { answer } = await upgradeTo((socket, request) => {
        socket.write(`HTTP/1.1 ${interim}\r\n\r\n`);
        setImmediate(() =>
          socket.end(Buffer.concat([Buffer.from(switchingProtocolsHead(request)), frameBytes('', { kind: 'close' })])),
        );
      });
      expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
    },
  );

  it('with a late 101 is established anyway, and reports how late', async () => {
    const { answer, times } = await upgradeTo((socket, request) => {
      setTimeout(
        () => socket.write(switchingProtocolsHead(request), () => socket.end(frameBytes('', { kind: 'close' }))),
        120,
      );
    });
    expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
    // The timer of the server sets the lower bound.
    expect(times.totalMs).toBeGreaterThan(110);
  });

  it('in drops is a connection when the drops end in time', async () => {
    const { answer } = await upgradeTo((socket, request) => {
      const text = switchingProtocolsHead(request);
      const drop = (at: number) => {
        if (at < text.length) socket.write(text.slice(at, at + 9), () => setImmediate(() => drop(at + 9)));
        else socket.end(frameBytes('', { kind: 'close' }));
      };
      drop(0);
    });
    expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
  });

  it.each([400, 401, 403, 404, 426, 429, 500, 502, 503])('with %i is a refusal with that status', async (status) => {
    const { answer, times, end } = await upgradeTo(answerText(`${status} No`, { 'X-Why': 'test' }, '{"why":1}'));
    expect(answer).toMatchObject({ outcome: 'answered', status, bodyBytes: 9 });
    expect(answer).toMatchObject({ headers: expect.arrayContaining([['X-Why', 'test']]) as unknown });
    expect(times.totalMs).toBeNull();
    expect(end).toBeDefined();
  });

  it.each([200, 204])('with %i is not a connection', async (status) => {
    expect((await upgradeTo(answerText(`${status} Fine`))).answer).toMatchObject({ outcome: 'answered', status });
  });

  it('with a redirect is not followed', async () => {
    await using elsewhere = await rawServer((socket, request) => socket.write(switchingProtocolsHead(request)));
    for (const status of ['301 Moved', '302 Found', '307 Temporary', '308 Permanent']) {
      const { answer } = await upgradeTo(answerText(status, { Location: callUrl(elsewhere) }));
      expect(answer).toMatchObject({ outcome: 'answered', status: Number(status.slice(0, 3)) });
    }
    expect(elsewhere.connections()).toBe(0);
  });

  it('with a refusal without an end is cut off at the bound, and the connection is ended', async () => {
    const closed = Promise.withResolvers<void>();
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
    let chunks = 0;
    const { answer } = await upgradeTo((socket) => {
      socket.on('close', () => closed.resolve());
      socket.write('HTTP/1.1 403 Forbidden\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = () => {
        if (!socket.destroyed) {
          chunks++;
          socket.write(chunk, () => setImmediate(more));
        }
      };
      more();
    });
    expect(answer).toMatchObject({ outcome: 'answered', status: 403, bodyBytes: 16_384 });
    await closed.promise;
    // No more than the buffers of both sides hold, far less than the server could send in the time limit of a body.
    expect(chunks * chunk.length).toBeLessThan(30_000_000);
  });

  it('with a refusal whose body drips is that refusal, whatever the timeout', async () => {
    const { answer } = await upgradeTo(
      (socket) => {
        socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000000\r\n\r\n');
        const drop = setInterval(() => socket.write('.'), 5);
        socket.on('close', () => clearInterval(drop));
      },
      { timeoutMs: shortTimeoutMs },
    );
    expect(answer).toMatchObject({ outcome: 'answered', status: 401 });
  });

  it('with a refusal that arrived while we were busy past the timeout is that refusal', async () => {
    const { answer } = await upgradeTo(
      (socket) => {
        socket.write('HTTP/1.1 401 Unauthorized\r\nContent-Length: 1000000\r\n\r\n');
        const busyUntil = performance.now() + 2 * shortTimeoutMs;
        while (performance.now() < busyUntil);
      },
      { timeoutMs: shortTimeoutMs },
    );
    expect(answer).toMatchObject({ outcome: 'answered', status: 401 });
  });
});

describe('an upgrade that is not', () => {
  it('answered at all, or only in part, is reported after the timeout', async () => {
    const timeouts = { timeoutMs: shortTimeoutMs };
    const noAnswer = { outcome: 'no-answer', afterMs: shortTimeoutMs };
    const nothing = await upgradeTo(() => undefined, timeouts);
    expect(nothing.answer).toEqual(noAnswer);
    expect(nothing.times).toMatchObject({ firstByteMs: null, totalMs: null });
    const drips = await upgradeTo((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n');
      const drop = setInterval(() => socket.write('X-Drop: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drop));
    }, timeouts);
    expect(drips.answer).toEqual(noAnswer);
    const interim = await upgradeTo('HTTP/1.1 103 Early Hints\r\n\r\n', timeouts);
    expect(interim.answer).toEqual(noAnswer);
  });

  it('answered leaves no connection behind', async () => {
    await using server = await rawServer(() => undefined);
    await connect(callUrl(server), { timeoutMs: shortTimeoutMs });
    expect(server.connections()).toBe(1);
    await until(() => server.open.size === 0);
  });

  it.each([
    ['another Accept', (text: string) => text.replace(/(Accept: )\S+/, '$1c29tZXRoaW5nIGVsc2UgMjA=')],
    ['no Accept', (text: string) => text.replace(/Sec-WebSocket-Accept: .*\r\n/, '')],
    ['an Upgrade to something else', (text: string) => text.replace('Upgrade: websocket', 'Upgrade: h2c')],
    ['no Upgrade', (text: string) => text.replace('Upgrade: websocket\r\n', '')],
    [
      'an extension that was not offered',
      (text: string) => text.replace('\r\n\r\n', '\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n'),
    ],
    [
      'a subprotocol that was not offered',
      (text: string) => text.replace('\r\n\r\n', '\r\nSec-WebSocket-Protocol: chat\r\n\r\n'),
    ],
  ])('a WebSocket by its 101 is malformed: %s', async (_, change) => {
    const { answer, times } = await upgradeTo((socket, request) =>
      socket.write(change(switchingProtocolsHead(request))),
    );
    expect(answer).toMatchObject({ outcome: 'malformed' });
    expect(times.totalMs).toBeNull();
  });

  it('HTTP is malformed', async () => {
    for (const bytes of [
      'SSH-2.0-OpenSSH_9.6\r\n',
      '\0\0\0\0',
      'HTTP/1.1 banana\r\n\r\n',
      'HTTP/1.1 101 S\r\nno colon\r\n\r\n',
    ])
      expect((await upgradeTo(bytes)).answer.outcome, bytes).toBe('malformed');
  });

  it('with endless headers is malformed', async () => {
    const { answer } = await upgradeTo((socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\n');
      const more = () => {
        if (!socket.destroyed) socket.write(`X-Long: ${'y'.repeat(1000)}\r\n`, () => setImmediate(more));
      };
      more();
    });
    expect(answer.outcome).toBe('malformed');
  });

  it('answered before the other side ends or resets is a closed connection', async () => {
    expect((await upgradeTo((socket) => socket.end())).answer.outcome).toBe('closed');
    expect((await upgradeTo((socket) => socket.resetAndDestroy())).answer.outcome).toBe('closed');
    expect((await upgradeTo((socket) => socket.end('HTTP/1.1 101 Switch'))).answer.outcome).toMatch(/closed|malformed/);
  });

  it('accepted by any server is unreachable: nothing listens, or TLS to a plain port', async () => {
    const refused = await connect(`ws://127.0.0.1:${await freePort()}/voice`);
    expect(refused.observation.answer).toMatchObject({
      outcome: 'unreachable',
      detail: expect.stringContaining('ECONNREFUSED') as string,
    });
    expect(refused.observation.times).toEqual({ connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 });
    await using plain = await rawServer(() => undefined);
    const waiting = connect(callUrl(plain).replace('ws:', 'wss:'));
    await until(() => plain.open.size > 0);
    for (const socket of plain.open) socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
    expect((await waiting).observation.answer).toMatchObject({ outcome: 'unreachable' });
    expect(plain.requests).toEqual([]);
  });
});
