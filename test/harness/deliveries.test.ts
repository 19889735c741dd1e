import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket } from 'node:tls';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { mostDecodedBytes } from '../../harness/wire/answer-body.ts';
import { Deliveries, type DeliverOptions } from '../../harness/wire/deliveries.ts';
import { LagMeter } from '../../harness/wire/lag-meter.ts';
import type { Answer, Answered, Observation } from '../../harness/wire/observation.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { localCertificate, trustTestAuthority } from '../tls/test-authority.ts';
import { answerText, rawServer } from './raw-server.ts';

/** Milliseconds that a test waits for an answer that never arrives. */
const shortTimeoutMs = 150;
/** Milliseconds that no test here should reach. */
const longTimeoutMs = 30_000;

async function withDeliveries<T>(run: (deliveries: Deliveries) => Promise<T>): Promise<T> {
  using lag = new LagMeter();
  await using deliveries = new Deliveries(lag);
  return await run(deliveries);
}

/** A connection is free for the next request one turn of the event loop after its answer. */
const nextTurn = () => new Promise((wake) => setImmediate(wake));

function post(
  deliveries: Deliveries,
  url: string,
  options: Partial<DeliverOptions> & { body?: string } = {},
): Promise<Observation> {
  const { body = '{"a":1}', ...rest } = options;
  return deliveries.deliver(
    { method: 'POST', url, headers: [['X-Svc-Test', 'one']], body: Buffer.from(body) },
    { label: 'a test', timeoutMs: longTimeoutMs, ...rest },
  );
}

/** The observation of a delivery whose server only writes these bytes. */
async function answerTo(
  write: string | Buffer | ((socket: Socket) => void),
  options: Partial<DeliverOptions> = {},
): Promise<Observation> {
  await using server = await rawServer((socket) => {
    if (typeof write === 'function') write(socket);
    else socket.write(write);
  });
  return await withDeliveries((deliveries) => post(deliveries, server.origin, options));
}

beforeAll(trustTestAuthority);

function answered(answer: Answer): Answered {
  expect(answer).toMatchObject({ outcome: 'answered' });
  return answer as Answered;
}

const text = (answer: Answer) => Buffer.from(answered(answer).body).toString();

describe('an answer', () => {
  it('comes with status, headers as written, body and size', async () => {
    const { answer } = await answerTo(answerText('202 Accepted', { 'X-MiXed': 'Value', 'x-twice': 'a' }, 'hello'));
    expect(answered(answer)).toMatchObject({ status: 202, bodyBytes: 5, truncated: false });
    expect(answered(answer).headers).toContainEqual(['X-MiXed', 'Value']);
    expect(text(answer)).toBe('hello');
  });

  it('may come in chunks, in pieces, and end with the connection', async () => {
    const chunked = await answerTo(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1\r\nc\r\n0\r\n\r\n',
    );
    expect(text(chunked.answer)).toBe('abc');
    const pieces = await answerTo((socket) => {
      socket.write('HTTP/1.1 200 O');
      setImmediate(() =>
        socket.write('K\r\nContent-Length: 4\r\n\r\nab', () => setImmediate(() => socket.write('cd'))),
      );
    });
    expect(text(pieces.answer)).toBe('abcd');
    const ended = await answerTo((socket) => socket.end('HTTP/1.0 200 OK\r\n\r\nuntil the end'));
    expect(text(ended.answer)).toBe('until the end');
  });

  const final = answerText('200 OK', {}, 'final').toString();

  it.each([
    'HTTP/1.1 100 Continue\r\n\r\n',
    'HTTP/1.1 102 Processing\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n',
    'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\nX-A: b\r\n\r\nHTTP/1.1 100 \r\n\r\n',
  ])('may follow interim answers that were not asked for: %j', async (interim) => {
    const whole = await answerTo(interim + final);
    expect(answered(whole.answer).status).toBe(200);
    expect(text(whole.answer)).toBe('final');
    // Byte by byte.
    const parts = await answerTo((socket) => {
      const next = ([first, ...rest]: string[]) => {
        if (first !== undefined) socket.write(first, () => setImmediate(next, rest));
      };
      next([...(interim + final)]);
    });
    expect(text(parts.answer)).toBe('final');
  });

  it('that looks like an interim one in its body is passed on unchanged', async () => {
    const body = 'HTTP/1.1 100 Continue\r\n\r\n';
    await using server = await rawServer((socket) => socket.write(answerText('200 OK', {}, body)), localCertificate);
    await withDeliveries(async (deliveries) => {
      for (let time = 0; time < 2; time++) expect(text((await post(deliveries, server.origin)).answer)).toBe(body);
    });
  });

  it('that redirects is not followed', async () => {
    await using elsewhere = await rawServer((socket) => socket.write(answerText('200 OK')));
    const { answer } = await answerTo(answerText('307 Temporary Redirect', { Location: elsewhere.origin }));
    expect(answered(answer).status).toBe(307);
    expect(elsewhere.connections()).toBe(0);
  });

  it('in a content coding is read as what it means', async () => {
    const { answer } = await answerTo(answerText('200 OK', { 'Content-Encoding': 'gzip' }, gzipSync('{"ok":true}')));
    expect(text(answer)).toBe('{"ok":true}');
    const unknown = await answerTo(answerText('200 OK', { 'Content-Encoding': 'sdch' }, 'abc'));
    expect(unknown.answer).toMatchObject({ outcome: 'malformed', detail: expect.stringContaining('sdch') as string });
    const lying = await answerTo(answerText('200 OK', { 'Content-Encoding': 'gzip' }, 'not gzip'));
    expect(lying.answer).toMatchObject({ outcome: 'malformed', detail: expect.stringContaining('gzip') as string });
  });
});

describe('an endless or oversized body', () => {
  const maxBodyBytes = 1_000;

  /** Writes 1,024 bytes at a time, `pieces` of them, then ends the body; without `pieces` it never ends. */
  const chunked = (socket: Socket, pieces = Infinity) => {
    socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
    const more = (left: number) => {
      if (socket.destroyed) return;
      if (left === 0) socket.write('0\r\n\r\n');
      else socket.write(`400\r\n${'x'.repeat(1024)}\r\n`, () => setImmediate(more, left - 1));
    };
    more(pieces);
  };

  it('that never ends is counted until the timeout, and the connection is ended', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => {
      socket.on('close', () => closed.resolve());
      chunked(socket);
    });
    await withDeliveries(async (deliveries) => {
      const { answer } = await post(deliveries, server.origin, { maxBodyBytes, timeoutMs: shortTimeoutMs });
      expect(answer).toMatchObject({ outcome: 'no-answer', status: 200 });
      expect((answer as { bodyBytes: number }).bodyBytes).toBeGreaterThan(maxBodyBytes);
      await closed.promise;
    });
  });

  it('that ends in time is counted to its end, and only its beginning is kept', async () => {
    const { answer } = await answerTo((socket) => chunked(socket, 50), { maxBodyBytes });
    expect(answered(answer)).toMatchObject({ status: 200, truncated: true, bodyBytes: 50 * 1024 });
    expect(text(answer)).toBe('x'.repeat(maxBodyBytes));
  });

  it.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ] as const)(
    'that unpacks from %s to more than the bound is counted, and only its beginning is kept',
    async (coding, pack) => {
      const packed = pack(Buffer.alloc(1_000_000, 'a'));
      const { answer } = await answerTo(answerText('200 OK', { 'Content-Encoding': coding }, packed), { maxBodyBytes });
      expect(packed.length).toBeLessThan(2_000);
      expect(answered(answer)).toMatchObject({ status: 200, truncated: true, bodyBytes: 1_000_000 });
      expect(text(answer)).toBe('a'.repeat(maxBodyBytes));
      const bomb = pack(Buffer.alloc(10_000_000, 'a'));
      const other = await answerTo(answerText('200 OK', { 'Content-Encoding': coding }, bomb), { maxBodyBytes });
      expect(answered(other.answer)).toMatchObject({ status: 200, truncated: true, bodyBytes: mostDecodedBytes });
    },
  );

  it('that unpacks without end is decoded up to a limit', async () => {
    const inner = Buffer.concat(Array.from({ length: 300 }, () => gzipSync(Buffer.alloc(1_000_000))));
    const headers = { 'Content-Encoding': 'gzip, gzip' };
    const { answer } = await answerTo(answerText('200 OK', headers, gzipSync(inner)), { maxBodyBytes });
    expect(answered(answer)).toMatchObject({ status: 200, truncated: true, bodyBytes: mostDecodedBytes });
  });

  it('whose compressed form exceeds the record is counted', async () => {
    const packed = gzipSync(randomBytes(3_000_000));
    const { answer } = await answerTo(answerText('200 OK', { 'Content-Encoding': 'gzip' }, packed), { maxBodyBytes });
    expect(answered(answer)).toMatchObject({ status: 200, truncated: true, bodyBytes: packed.length });
  });

  it('that has just the bound is whole', async () => {
    const { answer } = await answerTo(answerText('200 OK', {}, 'x'.repeat(maxBodyBytes)), { maxBodyBytes });
    expect(answered(answer)).toMatchObject({ bodyBytes: maxBodyBytes, truncated: false });
  });

  it('is given up while it has only interim answers', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'.repeat(100);
    const { answer } = await answerTo((socket) => {
      const more = () => socket.write(hints, (error) => (error ? undefined : setImmediate(more)));
      socket.on('error', () => undefined);
      more();
    });
    expect(answer).toEqual({ outcome: 'malformed', detail: 'more than 10000 interim answers (1xx)' });
  });

  it('shows in headers, too: endless ones are not answer', async () => {
    const { answer } = await answerTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = () => {
        if (!socket.destroyed) socket.write(`X-Filler: ${'y'.repeat(1000)}\r\n`, () => setImmediate(more));
      };
      more();
    });
    expect(answer.outcome).toBe('malformed');
  });
});

describe('no complete answer', () => {
  it('is reported after the timeout: nothing, only headers, or a trickle past it', async () => {
    const nothing = await answerTo(() => undefined, { timeoutMs: shortTimeoutMs });
    expect(nothing.answer).toEqual({ outcome: 'no-answer', afterMs: shortTimeoutMs });
    const headers = await answerTo('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', { timeoutMs: shortTimeoutMs });
    expect(headers.answer).toEqual({ outcome: 'no-answer', afterMs: shortTimeoutMs, status: 200, bodyBytes: 0 });
    const trickle = await answerTo(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n');
        const drop = setInterval(() => socket.write('.'), 5);
        socket.on('close', () => clearInterval(drop));
      },
      { timeoutMs: shortTimeoutMs },
    );
    expect(trickle.answer).toMatchObject({ outcome: 'no-answer', afterMs: shortTimeoutMs, status: 200 });
    expect((trickle.answer as { bodyBytes: number }).bodyBytes).toBeGreaterThan(0);
    expect(trickle.times.firstByteMs).not.toBeNull();
    expect(trickle.times.totalMs).toBeNull();
  });

  it('leaves no connection behind', async () => {
    const closed = Promise.withResolvers<void>();
    await using server = await rawServer((socket) => void socket.on('close', () => closed.resolve()));
    await withDeliveries(async (deliveries) => {
      await post(deliveries, server.origin, { timeoutMs: shortTimeoutMs });
      await closed.promise;
    });
  });

  it('has no status when only an interim answer came', async () => {
    const { answer } = await answerTo('HTTP/1.1 103 Early Hints\r\n\r\n', { timeoutMs: shortTimeoutMs });
    expect(answer).toEqual({ outcome: 'no-answer', afterMs: shortTimeoutMs });
  });

  it('is a closed connection when the other side resets before or within the answer', async () => {
    const before = await answerTo((socket) => socket.resetAndDestroy());
    expect(before.answer).toMatchObject({ outcome: 'closed' });
    expect(before.answer).not.toHaveProperty('status');
    const within = await answerTo((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf', () =>
        setImmediate(() => socket.resetAndDestroy()),
      );
    });
    expect(within.answer).toMatchObject({ outcome: 'closed', status: 200 });
  });

  it('is a closed connection when Content-Length promises more than arrives', async () => {
    const { answer } = await answerTo((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\nhalf'));
    expect(answer).toMatchObject({ outcome: 'closed', status: 200 });
  });

  it('is malformed when the bytes are not HTTP', async () => {
    for (const bytes of [
      'SSH-2.0-OpenSSH_9.6\r\n',
      '\0\0\0\0',
      'HTTP/1.1 banana\r\n\r\n',
      'HTTP/1.1 200 OK\r\nno colon\r\n\r\n',
    ]) {
      expect((await answerTo(bytes)).answer.outcome, bytes).toBe('malformed');
    }
  });
});

describe('bytes after the answer', () => {
  it('beyond Content-Length do not belong to it', async () => {
    const { answer } = await answerTo('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}and more');
    expect(text(answer)).toBe('{}');
  });
});

describe('an address without an endpoint', () => {
  it('is unreachable: refused, or TLS to a plain port', async () => {
    const port = await freePort();
    await using plain = await rawServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    // A TLS greeting does not contain an empty line, so the raw server must answer to bytes, not to requests.
    await withDeliveries(async (deliveries) => {
      const refused = await post(deliveries, `http://127.0.0.1:${port}`);
      expect(refused.answer).toMatchObject({
        outcome: 'unreachable',
        detail: expect.stringContaining('ECONNREFUSED') as string,
      });
      expect(refused.times).toEqual({ connectMs: null, firstByteMs: null, totalMs: null, lagMs: 0 });
      const waiting = post(deliveries, plain.origin.replace('http:', 'https:'));
      while (plain.open.size === 0) await new Promise((wake) => setImmediate(wake));
      for (const socket of plain.open) socket.write('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      expect((await waiting).answer).toMatchObject({ outcome: 'unreachable' });
    });
    expect(plain.requests).toEqual([]);
  });
});

describe('connections', () => {
  it('are kept and used again; a fresh one is its own and says that it closes', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('200 OK')));
    await withDeliveries(async (deliveries) => {
      const first = await post(deliveries, server.origin);
      await nextTurn();
      const second = await post(deliveries, server.origin);
      const fresh = await post(deliveries, server.origin, { fresh: true });
      expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
      expect(first.times.connectMs).not.toBeNull();
      expect(second.times.connectMs).toBeNull();
      expect(fresh.times.connectMs).not.toBeNull();
      expect(server.requests[2]?.head).toMatch(/^connection: close$/im);
      expect(server.requests[1]?.head).not.toMatch(/^connection: close$/im);
    });
  });

  it('that were kept are given up on release', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('200 OK')));
    await withDeliveries(async (deliveries) => {
      await post(deliveries, server.origin);
      await nextTurn();
      await deliveries.release();
      await post(deliveries, server.origin);
    });
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  it('that close just as we write to them send the request once more, on a new one', async () => {
    await using server = await rawServer((socket, _, count) => {
      if (count === 2) socket.destroy();
      else socket.write(answerText('200 OK', {}, String(count)));
    });
    await withDeliveries(async (deliveries) => {
      await post(deliveries, server.origin);
      await nextTurn();
      const second = await post(deliveries, server.origin);
      expect(text(second.answer)).toBe('3');
      expect(second.times.connectMs).not.toBeNull();
    });
    expect(server.requests.map(({ connection }) => connection)).toEqual([1, 1, 2]);
  });

  it.each([
    ['nothing listens any more', 'closed', true],
    ['no handshake succeeds any more, though something listens', 'unreachable', undefined],
  ] as const)('that close when %s: %s', async (_, outcome, unreachable) => {
    let accepts = true;
    const server = createTlsServer(localCertificate);
    const plain = createServer((socket) => {
      socket.on('error', () => undefined);
      if (accepts) server.emit('connection', socket);
      else socket.destroy();
    });
    let requests = 0;
    server.on('secureConnection', (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        if (++requests === 1) return void socket.write(answerText('200 OK'));
        accepts = false;
        if (unreachable) plain.close();
        socket.destroy();
      });
    });
    await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
    const { port } = plain.address() as AddressInfo;
    await withDeliveries(async (deliveries) => {
      await post(deliveries, `https://127.0.0.1:${port}`);
      await nextTurn();
      const { answer } = await post(deliveries, `https://127.0.0.1:${port}`);
      expect(answer).toMatchObject({ outcome, ...(unreachable && { unreachable }) });
      expect(requests).toBe(2);
    });
    plain.close();
  });

  it('that close when new, or after the answer began, repeat nothing', async () => {
    await using always = await rawServer((socket) => socket.destroy());
    await using begun = await rawServer((socket, _, count) => {
      if (count === 1) socket.write(answerText('200 OK'));
      else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n', () => setImmediate(() => socket.destroy()));
    });
    await withDeliveries(async (deliveries) => {
      expect((await post(deliveries, always.origin, { fresh: true })).answer.outcome).toBe('closed');
      expect(always.requests).toHaveLength(1);
      await post(deliveries, begun.origin);
      await nextTurn();
      expect((await post(deliveries, begun.origin)).answer).toMatchObject({ outcome: 'closed', status: 200 });
      expect(begun.requests).toHaveLength(2);
    });
  });
});

describe('over TLS', () => {
  const parallel = 10;

  it('parallel requests are sent at once, each with its times', async () => {
    const waiting: Socket[] = [];
    // Answers only after all requests have arrived.
    await using server = await rawServer((socket) => {
      waiting.push(socket);
      if (waiting.length === parallel) for (const each of waiting) each.write(answerText('200 OK'));
    }, localCertificate);
    await withDeliveries(async (deliveries) => {
      const all = await Promise.all(Array.from({ length: parallel }, () => post(deliveries, server.origin)));
      for (const { answer, times } of all) {
        expect(answered(answer).status).toBe(200);
        expect(times).toEqual({
          connectMs: expect.any(Number) as number,
          firstByteMs: expect.any(Number) as number,
          totalMs: expect.any(Number) as number,
          lagMs: expect.any(Number) as number,
        });
      }
    });
  });

  it('parallel requests without an answer all end', async () => {
    await using server = await rawServer(() => undefined, localCertificate);
    await withDeliveries(async (deliveries) => {
      const options = { timeoutMs: shortTimeoutMs };
      const all = await Promise.all(Array.from({ length: parallel }, () => post(deliveries, server.origin, options)));
      expect(all.map(({ answer }) => answer)).toEqual(
        Array.from({ length: parallel }, () => ({ outcome: 'no-answer', afterMs: shortTimeoutMs })),
      );
    });
  });

  it('HTTP/1.1 is spoken to a server that prefers HTTP/2', async () => {
    const protocols: (string | false | null)[] = [];
    await using server = await rawServer(
      (socket) => {
        protocols.push((socket as TLSSocket).alpnProtocol);
        socket.write(answerText('200 OK'));
      },
      { ...localCertificate, ALPNProtocols: ['h2', 'http/1.1'] },
    );
    await withDeliveries(async (deliveries) => {
      for (const fresh of [true, false]) await post(deliveries, server.origin, { fresh });
    });
    expect(protocols).toEqual(['http/1.1', 'http/1.1']);
  });

  it('a handshake that never ends is not a connection', async () => {
    const holding = createServer((socket) => void socket.on('error', () => undefined));
    await new Promise<void>((resolve) => holding.listen(0, '127.0.0.1', resolve));
    const { port } = holding.address() as AddressInfo;
    const { answer } = await withDeliveries((deliveries) => post(deliveries, `https://127.0.0.1:${port}`));
    expect(answer.outcome).toBe('unreachable');
    holding.close();
  });
});

describe('the request', () => {
  it('is sent byte for byte: names in their case, values beyond ASCII, the body unchanged', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('200 OK')));
    const body = Buffer.from([0x7b, 0x00, 0xff, 0x0d, 0x0a, 0x7d]);
    await withDeliveries((deliveries) =>
      deliveries.deliver(
        {
          method: 'POST',
          url: `${server.origin}/a%2Fb?c=d%20e&f`,
          headers: [
            ['X-Svc-Signature', 'é'],
            ['x-LOWER', '1'],
          ],
          body,
        },
        { label: 'bytes', timeoutMs: longTimeoutMs },
      ),
    );
    const { head = '', body: received } = server.requests[0] ?? {};
    expect(head.split('\r\n')[0]).toBe('POST /a%2Fb?c=d%20e&f HTTP/1.1');
    expect(head).toContain('X-Svc-Signature: \xe9');
    expect(head).toContain('x-LOWER: 1');
    expect(received).toEqual(body);
  });

  it('that cannot be written is reported and not thrown', async () => {
    const observation = await withDeliveries((deliveries) =>
      deliveries.deliver(
        { method: 'POST', url: 'http://127.0.0.1:9', headers: [['X-Bad', 'a\nb']], body: Buffer.alloc(0) },
        { label: 'a header with a line feed', timeoutMs: longTimeoutMs },
      ),
    );
    expect(observation.answer.outcome).toBe('unreachable');
  });
});

describe('times', () => {
  afterEach(() => void vi.useRealTimers());

  it('of a system clock that is set: the start is that of the clock, and durations are real', async () => {
    const hourMs = 3_600_000;
    await using server = await rawServer((socket) => socket.write(answerText('200 OK')));
    vi.useFakeTimers({ toFake: ['Date'], now: hourMs });
    await withDeliveries(async (deliveries) => {
      const from = performance.now();
      const first = await post(deliveries, server.origin, { fresh: true });
      vi.setSystemTime(3 * hourMs);
      const second = await post(deliveries, server.origin, { fresh: true });
      expect([first, second].map(({ startedAt }) => startedAt.getTime())).toEqual([hourMs, 3 * hourMs]);
      expect(first.at).toBeGreaterThanOrEqual(from);
      expect(second.at).toBeGreaterThan(first.at);
      expect(second.at).toBeLessThanOrEqual(performance.now());
    });
  });

  it('are in order: first byte before the whole, both from the first byte sent', async () => {
    const { times, limitMs } = await answerTo(
      (socket) => {
        setTimeout(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n'), 40);
        setTimeout(() => socket.write('{}'), 120);
      },
      { limitMs: 2_000 },
    );
    const { connectMs, firstByteMs, totalMs, lagMs } = times;
    expect(limitMs).toBe(2_000);
    expect(connectMs).toBeGreaterThan(0);
    expect(firstByteMs).toBeGreaterThan(30);
    // The timers of the server set a lower bound for the difference; there is no upper bound on a busy machine.
    expect((totalMs ?? 0) - (firstByteMs ?? 0)).toBeGreaterThan(0);
    expect(totalMs).toBeGreaterThan(110);
    expect(lagMs).toBeGreaterThanOrEqual(0);
    expect(lagMs).toBeLessThanOrEqual(totalMs ?? 0);
  });

  it('do not count the connecting, nor the wait for the connection', async () => {
    await using server = await rawServer((socket) => socket.write(answerText('200 OK')));
    await withDeliveries(async (deliveries) => {
      const from = performance.now();
      const { times } = await post(deliveries, server.origin);
      const all = performance.now() - from;
      expect((times.connectMs ?? 0) + (times.totalMs ?? 0)).toBeLessThanOrEqual(all);
    });
  });
});
