import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { Call } from '../../harness/wire/call.ts';
import type { CallAnswer } from '../../harness/wire/observation.ts';
import {
  answerFinding,
  toBeClosed,
  toHaveAnswered,
  toHaveClosedItsAnswers,
  toStayUp,
} from '../../suites/matchers/call-matchers.ts';
import { callUrl, dial, frameBytes, rawAi, rawAiOnceBegun, until, type FrameOptions } from './call-server.ts';

/** Maximum frames of one answer that are read (harness/wire/call-connection.ts). */
const maxFrames = 10_000;

/**
 * Waits until a call is over whose AI attacks in this way and never answers a close frame. No test should reach the
 * timeout of the call, so the received data ends it.
 */
async function callWith(attack: (socket: Socket) => void): Promise<{ call: Call; answer: CallAnswer }> {
  await using server = await rawAiOnceBegun(attack);
  const call = await dial(callUrl(server));
  const answer = await call.answer(0);
  await call.end();
  await until(() => server.open.size === 0);
  return { call, answer };
}

/** Writes these bytes again and again, as fast as the socket accepts them. */
const floodOf = (bytes: Buffer) => (socket: Socket) => {
  const more = () => {
    if (!socket.destroyed) socket.write(bytes, () => setImmediate(more));
  };
  more();
};

const many = (bytes: Buffer, times: number) => Buffer.concat(Array.from({ length: times }, () => bytes));

describe.concurrent('an endless or oversized frame', () => {
  it.each([
    ['announces 1 GB', frameBytes('x', { announced: 2 ** 30 })],
    ['announces an impossible size', frameBytes('x', { announced: Number.MAX_SAFE_INTEGER })],
    ['has 300 kB', frameBytes('x'.repeat(300_000))],
  ])('that %s is too large, without being read', async (_, bytes) => {
    const { call, answer } = await callWith((socket) => socket.write(bytes));
    expect(answer).toMatchObject({ outcome: 'call-ended', byFrame: 1 });
    expect(call.observation.frames[1]).toMatchObject({ from: 'ai', value: undefined });
    expect(call.observation.end).toMatchObject({ by: 'service' });
    // The service ends the connection because of such a frame: the frame is the fault, not the end.
    expect(toStayUp(call.observation)).toBeUndefined();
  });

  const inEndlessFragments = (bytes: Buffer) => {
    const flood = floodOf(many(frameBytes(bytes, { kind: 'continuation', fin: false }), 100));
    return callWith((socket) => {
      socket.write(frameBytes('x', { fin: false }));
      flood(socket);
    });
  };

  it('in endless fragments is too large, in bounded memory', async () => {
    const { answer } = await inEndlessFragments(Buffer.alloc(1_000, 'x'));
    expect(answer).toMatchObject({ outcome: 'call-ended', byFrame: 1 });
  });

  it.each([
    ['one byte', Buffer.from('x')],
    ['nothing', Buffer.alloc(0)],
  ])('in endless fragments of %s is a flood, whatever its size', async (_, bytes) => {
    const { call, answer } = await inEndlessFragments(bytes);
    expect(answer).toMatchObject({ outcome: 'call-ended' });
    expect(call.observation.frames).toHaveLength(1);
    expect(call.observation.end).toMatchObject({ by: 'service', isCutOff: true });
    expect(() => answerFinding(call.observation, answer)).toThrow(/more than 65536 fragments of one frame/);
  });

  it('in fragments of a control frame, or one that is too long, breaks the protocol', async () => {
    for (const bytes of [
      frameBytes('x', { kind: 'ping', fin: false }),
      frameBytes('x'.repeat(126), { kind: 'ping' }),
    ]) {
      const { call } = await callWith((socket) => socket.write(bytes));
      expect(call.observation.end).toMatchObject({ by: 'ai' });
    }
  });
});

describe.concurrent('a broken frame', () => {
  const sentence = JSON.stringify({ type: 'text', text: 'Hello', last: true });
  const cases: [string, Buffer | string, FrameOptions][] = [
    ['compressed, which was not offered', deflateRawSync(Buffer.alloc(100_000_000)), { rsv1: true }],
    ['masked', sentence, { masked: true }],
    ['of invalid UTF-8', Buffer.from([0x22, 0xc3, 0x28, 0x22]), {}],
    ['a continuation of nothing', sentence, { kind: 'continuation' }],
    ['a close frame of one byte', 'x', { kind: 'close' }],
    ['a close frame with a code that is never sent', Buffer.from([0x03, 0xee]), { kind: 'close' }],
  ];

  it.each(cases)('ends the call at once, and by the AI: %s', async (_, payload, options) => {
    const { call, answer } = await callWith((socket) => socket.write(frameBytes(payload, options)));
    expect(answer).toMatchObject({ outcome: 'call-ended', pieces: 0 });
    expect(call.observation.end).toMatchObject({ by: 'ai', detail: expect.stringMatching(/\S/) as string });
    expect(toStayUp(call.observation)?.received).toContain(call.observation.end?.detail ?? 'no detail');
  });

  it('that is not a WebSocket frame ends the call', async () => {
    for (const bytes of [Buffer.from('HTTP/1.1 200 OK\r\n\r\n'), Buffer.alloc(64, 0xff), randomBytes(0)]) {
      const { call } = await callWith((socket) => {
        if (bytes.length > 0) socket.write(bytes);
        else socket.end();
      });
      expect(call.observation.end).toMatchObject({ by: 'ai' });
    }
  });
});

describe.concurrent('a flood', () => {
  const flooded = (bytes: Buffer): Promise<{ call: Call; answer: CallAnswer }> => callWith(floodOf(bytes));

  it('of frames ends the call at the bound, and the record is bounded', async () => {
    for (const text of ['', 'not JSON', '{"type":"smile"}']) {
      const { call, answer } = await flooded(many(frameBytes(text), 500));
      expect(answer.outcome, text).toBe('call-ended');
      expect(call.observation.frames).toHaveLength(1 + maxFrames);
      expect(call.observation.framesOmitted).toBeGreaterThan(0);
      expect(call.observation.end).toMatchObject({ by: 'service', detail: expect.stringContaining('10000') as string });
    }
  });

  it('of speech is an answer without a result, because we cut it off', async () => {
    const { call, answer } = await flooded(many(frameBytes('{"type":"text","text":"and "}'), 500));
    expect(answer.pieces).toBeGreaterThan(0);
    for (const judge of [toBeClosed, toHaveClosedItsAnswers, toStayUp]) {
      expect(() => judge(call.observation)).toThrow(/more than 10000 frames in one answer, so we ended the call/);
    }
    expect(() => toHaveAnswered(call.observation, 2)).toThrow(/so we ended the call/);
  });

  it('is not detected in ten long answers of an AI', async () => {
    const pieces = many(frameBytes('{"type":"text","text":"and then "}'), 4_999);
    const answerBytes = Buffer.concat([pieces, frameBytes('{"type":"text","text":"done","last":true}')]);
    await using server = await rawAi((socket) => socket.on('data', () => socket.write(answerBytes)));
    const call = await dial(callUrl(server));
    for (let turn = 0; turn < 10; turn++) {
      expect(await call.ask('And then?')).toMatchObject({ outcome: 'closed', pieces: 5_000 });
    }
    expect(toHaveClosedItsAnswers(call.observation) ?? toStayUp(call.observation)).toBeUndefined();
    await call.vanish('end');
  });

  it('of large frames ends the call before it fills the memory', async () => {
    const { call } = await flooded(frameBytes('x'.repeat(65_000)));
    const kept = call.observation.frames.reduce((sum, { bytes, from }) => sum + (from === 'ai' ? bytes : 0), 0);
    expect(kept).toBeLessThanOrEqual(1_048_576);
    const texts = call.observation.frames.map(({ text }) => text.length);
    expect(Math.max(...texts)).toBeLessThan(10_000);
    expect(texts.reduce((sum, length) => sum + length, 0)).toBeLessThan(500_000);
  });

  it.each(['ping', 'pong'] as const)('of %ss ends the call, and is not a frame of it', async (kind) => {
    const { call, answer } = await flooded(many(frameBytes('x'.repeat(125), { kind }), 500));
    expect(answer.outcome).toBe('call-ended');
    expect(call.observation.frames).toHaveLength(1);
    expect(call.observation.end?.detail).toMatch(/pings/);
    expect(() => answerFinding(call.observation, answer)).toThrow(
      /Not judged: the AI sent more .*pings.* so we ended the call/,
    );
  });

  it('of skills is answered while the call stands, and no longer', async () => {
    const { call } = await flooded(many(frameBytes('{"type":"skill","executeSkills":["urgent","urgent"]}'), 50));
    expect(call.observation.frames.length).toBeLessThanOrEqual(1 + 3 * maxFrames);
    expect(call.observation.end).toBeDefined();
  });
});

describe('a few pings', () => {
  it('are answered with the same bytes and are not frame of the call', async () => {
    const pongs: Buffer[] = [];
    await using server = await rawAi((socket) => {
      socket.on('data', (bytes) => pongs.push(bytes));
      socket.write(many(frameBytes('still there?', { kind: 'ping' }), 3));
    });
    const call = await dial(callUrl(server));
    // FIN and opcode of a pong, MASK and length; a text frame of the client comes before or after.
    const pong = Buffer.from([0x8a, 0x8c]);
    const count = () => Buffer.concat(pongs).toString('latin1').split(pong.toString('latin1')).length - 1;
    await until(() => count() >= 3);
    expect(call.isUp).toBe(true);
    expect(call.observation.frames).toHaveLength(1);
    await call.vanish('end');
  });
});
