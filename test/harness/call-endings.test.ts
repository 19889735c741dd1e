import type { Socket } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';
import { toStayUp } from '../../suites/matchers/call-matchers.ts';
import {
  ai,
  answering,
  callUrl,
  dial,
  frameBytes,
  rawAi,
  rawAiOnceBegun,
  shortTimeoutMs,
  until,
} from './call-server.ts';
import { localCertificate, trustTestAuthority } from '../tls/test-authority.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const closeFrame = (code: number, reason = '') => {
  const head = Buffer.alloc(2);
  head.writeUInt16BE(code);
  return frameBytes(Buffer.concat([head, Buffer.from(reason)]), { kind: 'close' });
};

describe('the end of a call', () => {
  it('is session.ended and then the closing, and the other side takes part', async () => {
    await using endpoint = await answering();
    const call = await dial(endpoint.url);
    const order: unknown[] = [];
    endpoint.calls[0]?.on('message', (data: Buffer) => order.push(JSON.parse(data.toString()).type));
    endpoint.calls[0]?.on('close', (code) => order.push(code));
    expect(await call.end()).toMatchObject({ by: 'service', code: 1000, reason: '', clean: true });
    await until(() => order.length === 3);
    expect(order).toEqual(['session.started', 'session.ended', 1000]);
    expect(call.observation.end).not.toHaveProperty('detail');
  });

  it('comes once, however often it is asked for', async () => {
    await using endpoint = await answering();
    const call = await dial(endpoint.url);
    const [one, two] = await Promise.all([call.end(), call.end(), call.vanish('reset')]);
    expect(two).toBe(one);
    expect(await call.end()).toBe(one);
    expect(endpoint.heard.map(({ type }) => type)).toEqual(['session.started', 'session.ended']);
  });

  it('can continue to listen between session.ended and the closing', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'session.ended') say(piece('Wait!', true));
    });
    const call = await dial(endpoint.url);
    const ending = call.end({ listenMs: shortTimeoutMs });
    expect(call.isUp).toBe(false);
    await ending;
    expect(call.observation.frames.map(({ value }) => value)).toContainEqual(piece('Wait!', true));
    expect(call.observation.end).toMatchObject({ by: 'service', clean: true });
  });

  it('may be the AI closing at session.ended', async () => {
    await using endpoint = await ai(({ type }, _, socket) => {
      if (type === 'session.ended') socket.close(1000, 'bye');
    });
    const call = await dial(endpoint.url);
    expect(await call.end({ listenMs: 60_000 })).toMatchObject({ by: 'ai', code: 1000, reason: 'bye' });
    expect(toStayUp(call.observation)).toBeUndefined();
  });

  it.each([
    [1000, 'done'],
    [1001, ''],
    [1008, 'policy'],
    [1011, 'boom'],
    [4321, 'own code'],
  ])('by the AI in mid-call has its code %i and reason', async (code, reason) => {
    await using endpoint = await ai(({ type }, _, socket) => {
      if (type === 'prompt') socket.close(code, reason);
    });
    const call = await dial(endpoint.url);
    expect(await call.ask('Hello?')).toMatchObject({ outcome: 'call-ended' });
    expect(call.observation.end).toMatchObject({ by: 'ai', code, reason, clean: true });
    expect(call.isUp).toBe(false);
    expect(toStayUp(call.observation)?.received).toContain(`code ${code}`);
    expect(await call.end()).toBe(call.observation.end);
  });

  it('by the AI without a code is 1005, without a close frame 1006', async () => {
    const endOf = async (how: (socket: Socket) => void) => {
      await using server = await rawAiOnceBegun(how);
      const call = await dial(callUrl(server));
      await call.answer(0);
      return call.observation.end;
    };
    expect(await endOf((socket) => socket.end(frameBytes('', { kind: 'close' })))).toMatchObject({
      by: 'ai',
      code: 1005,
    });
    expect(await endOf((socket) => socket.end())).toMatchObject({ by: 'ai', code: 1006 });
    expect(await endOf((socket) => void setImmediate(() => socket.resetAndDestroy()))).toMatchObject({
      by: 'ai',
      code: 1006,
    });
  });
});

describe.concurrent('a closing that', () => {
  it('the other side leaves unanswered is cut, and not clean', async () => {
    // Half-open: nothing arrives any more, neither FIN nor a close frame.
    await using server = await rawAi(() => undefined);
    const call = await dial(callUrl(server));
    expect(await call.end()).toMatchObject({ by: 'service', code: 1006, clean: false });
    await until(() => server.open.size === 0);
  });

  it('the other side refuses by continuing the call is cut, and not clean', async () => {
    await using server = await rawAi((socket) => {
      const more = setInterval(() => socket.write(frameBytes(JSON.stringify(piece('and ')))), 10);
      socket.on('close', () => clearInterval(more));
    });
    const call = await dial(callUrl(server));
    expect(await call.end()).toMatchObject({ by: 'service', clean: false });
    await until(() => server.open.size === 0);
  });

  it('the other side answers, leaving the connection open, is cut', async () => {
    await using server = await rawAi((socket) => {
      socket.allowHalfOpen = true;
      socket.on('data', (bytes) => {
        // FIN and opcode of a close frame.
        if (bytes.includes(0x88)) socket.write(closeFrame(1000));
      });
    });
    const call = await dial(callUrl(server));
    expect(await call.end()).toMatchObject({ by: 'service', code: 1000, clean: false });
  });

  it('the AI begins, leaving the connection open, ends the call in time and by the AI', async () => {
    await using server = await rawAiOnceBegun((socket) => {
      socket.allowHalfOpen = true;
      socket.write(closeFrame(1011, 'boom'));
    });
    const call = await dial(callUrl(server));
    expect(await call.answer(0)).toMatchObject({ outcome: 'call-ended' });
    expect(call.observation.end).toMatchObject({ by: 'ai', code: 1011, reason: 'boom' });
    expect(toStayUp(call.observation)?.received).toContain('code 1011');
  });

  it('the AI has begun before we do is by the AI', async () => {
    await using server = await rawAiOnceBegun((socket) => {
      socket.allowHalfOpen = true;
      socket.write(closeFrame(1011));
    });
    const call = await dial(callUrl(server));
    await until(() => !call.isUp);
    expect(await call.end()).toMatchObject({ by: 'ai', code: 1011 });
    const types = call.observation.frames.map(({ value }) => (value as { type: string }).type);
    expect(types).toEqual(['session.started']);
  });

  it('follows a broken frame of an AI that then does nothing, ends the call in time and by the AI', async () => {
    await using server = await rawAiOnceBegun((socket) => {
      socket.allowHalfOpen = true;
      socket.write(frameBytes('{}', { masked: true }));
    });
    const call = await dial(callUrl(server));
    expect(await call.answer(0)).toMatchObject({ outcome: 'call-ended' });
    expect(await call.end()).toMatchObject({ by: 'ai', detail: expect.stringContaining('MASK') as string });
  });

  it('never arrives because we stop reading is cut', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') for (let at = 0; at < 200; at++) say(piece('x'.repeat(30_000)));
    });
    const call = await dial(endpoint.url);
    call.stall();
    call.speak('Tell me everything.');
    await until(() => (endpoint.calls[0]?.bufferedAmount ?? 0) > 0);
    expect(call.observation.frames.filter(({ from }) => from === 'ai')).toEqual([]);
    expect(await call.end()).toMatchObject({ by: 'service' });
    await until(() => endpoint.calls[0]?.readyState === 3);
  });
});

describe('a caller who disconnects', () => {
  beforeAll(trustTestAuthority);

  it.each([
    ['reset', 'plain connections', 'ECONNRESET', undefined],
    ['end', 'plain connections', undefined, undefined],
    ['reset', 'TLS', 'ECONNRESET', localCertificate],
  ] as const)('by %s over %s leaves without a word', async (how, _, error, tls) => {
    const seen = Promise.withResolvers<{ error: string | undefined; ended: boolean }>();
    await using server = await rawAi((socket) => {
      let [code, ended]: [string | undefined, boolean] = [undefined, false];
      socket.on('error', (failure: NodeJS.ErrnoException) => (code = failure.code));
      socket.on('end', () => (ended = true));
      socket.on('close', () => seen.resolve({ error: code, ended }));
    }, tls);
    const call = await dial(callUrl(server));
    const length = call.length;
    await call.vanish(how);
    expect(await seen.promise).toEqual({ error, ended: error === undefined });
    expect(call.observation.end).toMatchObject({ by: 'service', code: 1006 });
    expect(call.length).toBe(length);
  });

  it('by close sends the close frame alone', async () => {
    await using endpoint = await answering();
    const call = await dial(endpoint.url);
    await call.vanish('close');
    expect(call.observation.end).toMatchObject({ by: 'service', code: 1000, clean: true });
    expect(endpoint.heard.map(({ type }) => type)).toEqual(['session.started']);
  });

  it('in mid-answer hears nothing more, and waiting code is notified', async () => {
    await using endpoint = await ai(({ type }, say, socket) => {
      const more = () => {
        if (socket.readyState !== socket.OPEN) return;
        say(piece('and '));
        setImmediate(more);
      };
      if (type === 'prompt') more();
    });
    const call = await dial(endpoint.url);
    const index = call.speak('Tell me.');
    await call.firstPiece(index);
    const answer = call.answer(index);
    await call.vanish('reset');
    expect((await answer).outcome).toBe('call-ended');
    expect(await answer).not.toHaveProperty('byFrame');
    const { length } = call;
    await until(() => endpoint.calls[0]?.readyState === 3);
    expect(call.length).toBe(length);
  });
});
