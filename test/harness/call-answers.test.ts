import { describe, expect, it } from 'vitest';
import type { Call } from '../../harness/wire/call.ts';
import type { CallAnswer } from '../../harness/wire/observation.ts';
import { ai, answering, dial, longTimeoutMs, shortTimeoutMs } from './call-server.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const closing = piece('', true);

/** The answer of an AI that sends these frames after the first sentence, and the call afterwards. */
async function answerOf(
  frames: (object | string)[],
  timeouts: Parameters<typeof dial>[1] = {},
): Promise<CallAnswer & { call: Call }> {
  await using endpoint = await answering(...frames);
  const call = await dial(endpoint.url, timeouts);
  const answer = await call.ask('Hello?');
  await call.end();
  return { ...answer, call };
}

describe('an answer', () => {
  it('is all pieces until last', async () => {
    const { call, ...answer } = await answerOf([
      piece('Good '),
      piece('morning'),
      piece('.', true),
      piece('More', true),
    ]);
    expect(answer).toMatchObject({ outcome: 'closed', toFrame: 1, byFrame: 4, text: 'Good morning.', pieces: 3 });
    expect(call.observation.answers).toMatchObject([{ outcome: 'closed' }]);
  });

  it('that continues without end is not awaited to its end, and reports this', async () => {
    await using endpoint = await ai(({ type }, say, socket) => {
      if (type !== 'prompt') return;
      const babble = setInterval(() => say(piece('and ')), 5);
      socket.once('close', () => clearInterval(babble));
    });
    const call = await dial(endpoint.url, { timeouts: { wholeMs: 60 } });
    const answer = await call.ask('Hello?');
    await call.end();
    expect(answer).toMatchObject({ outcome: 'not-closed', shortened: true });
    expect(answer.pieces).toBeGreaterThan(1);
  });

  it('has its times from the prompt on: first piece, whole, waited', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type !== 'prompt') return;
      say(piece(''));
      setTimeout(() => say(piece('Good ')), 40);
      setTimeout(() => say(piece('morning.', true)), 120);
    });
    const call = await dial(endpoint.url);
    await call.pass(30);
    const { firstPieceMs, wholeMs, waitedMs, lagMs } = await call.ask('Hello?');
    // The timers of the AI set a lower bound; there is no upper bound on a busy machine.
    expect(firstPieceMs).toBeGreaterThan(35);
    expect(wholeMs).toBeGreaterThan(110);
    expect(wholeMs).toBeGreaterThan(firstPieceMs ?? Infinity);
    expect(waitedMs).toBeGreaterThanOrEqual(wholeMs ?? Infinity);
    expect(lagMs).toBeLessThanOrEqual(firstPieceMs ?? 0);
    const { frames } = call.observation;
    expect(firstPieceMs).toBe((frames[3]?.atMs ?? 0) - (frames[1]?.atMs ?? 0));
    await call.end();
  });

  it('accepts token for text, prefers text to token, and ignores other types', async () => {
    const pieces = [
      { type: 'text', token: 'a' },
      { type: 'text', text: 'b', token: 'x' },
      { type: 'text', text: null, token: 'c' },
      { type: 'text', text: 7 },
      { type: 'text' },
      { type: 'text', token: 'd', last: true },
    ];
    expect(await answerOf(pieces)).toMatchObject({ outcome: 'closed', text: 'abcd', pieces: 4 });
  });

  it('is closed only by last: true, not by a similar value', async () => {
    const like = ['true', 1, 'yes', {}, null].map((last) => ({ type: 'text', text: '.', last }));
    expect(await answerOf([...like, closing])).toMatchObject({
      outcome: 'closed',
      text: '.....',
      pieces: 5,
      byFrame: 7,
    });
  });

  it('ignores empty pieces, and may be closed by one', async () => {
    const { call, ...answer } = await answerOf([piece(''), piece('Hi'), piece(''), closing]);
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Hi', pieces: 1 });
    const { frames } = call.observation;
    expect(answer.firstPieceMs).toBe((frames[3]?.atMs ?? 0) - (frames[1]?.atMs ?? 0));
  });

  it('that is one empty closing piece is closed after a moment in which speech may follow', async () => {
    const answer = await answerOf([closing]);
    expect(answer).toMatchObject({ outcome: 'closed', text: '', pieces: 0, byFrame: 2 });
    expect(answer.firstPieceMs).not.toBeNull();
    expect(answer.waitedMs).toBeGreaterThan(shortTimeoutMs - 10);
    expect(await answerOf([closing, piece('But: '), piece('yes.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'But: yes.',
      byFrame: 4,
    });
  });

  it('is awaited as long as usual after an empty closing piece, and is a skill if one comes', async () => {
    const late = await ai(({ type }, say) => {
      if (type !== 'prompt') return;
      say(closing);
      setTimeout(() => say(piece('Good morning.', true)), 2 * shortTimeoutMs);
    });
    await using endpoint = late;
    const call = await dial(endpoint.url, { timeouts: { usualMs: longTimeoutMs } });
    expect(await call.ask('Hello?')).toMatchObject({ outcome: 'closed', text: 'Good morning.', pieces: 1 });
    await call.end();
    const skill = { type: 'skill', executeSkills: ['urgent'] };
    expect(await answerOf([closing, skill])).toMatchObject({ outcome: 'skill', byFrame: 3 });
  });

  it('may be an action, with the speech before it and its own', async () => {
    for (const action of ['end', 'handover'] as const) {
      const frames = [piece('One moment. '), { type: 'action', action, text: 'Goodbye.' }];
      expect(await answerOf(frames)).toMatchObject({ outcome: 'action', text: 'One moment. Goodbye.', byFrame: 3 });
    }
    const bare = await answerOf([{ type: 'action', action: 'end' }]);
    expect(bare).toMatchObject({ outcome: 'action', text: '', pieces: 0 });
    expect(bare.firstPieceMs).toBe(bare.wholeMs);
  });

  it('is not an unknown action, type or text that is not JSON', async () => {
    const ignored = [
      { type: 'action', action: 'hangup' },
      { type: 'action' },
      { type: 'smile' },
      { type: 'skill' },
      'oops',
      '[]',
      'null',
      '7',
    ];
    const { call, ...answer } = await answerOf([...ignored, piece('Yes.', true)]);
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Yes.', byFrame: 2 + ignored.length });
    expect(call.observation.frames.filter(({ from }) => from === 'service')).toHaveLength(3);
  });

  it('may be a skill alone, once no speech has followed', async () => {
    const skill = { type: 'skill', executeSkills: ['urgent'] };
    expect(await answerOf([skill])).toMatchObject({ outcome: 'skill', text: '', byFrame: 2 });
    expect(await answerOf([skill, piece('I informed them.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'I informed them.',
    });
    expect(await answerOf([piece('One '), skill, piece('moment.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'One moment.',
    });
  });

  it('that does not come is nothing, after the timeout', async () => {
    const answer = await answerOf(['not JSON'], { timeouts: { firstPieceMs: shortTimeoutMs } });
    expect(answer).toMatchObject({ outcome: 'nothing', text: '', pieces: 0, firstPieceMs: null, wholeMs: null });
    expect(answer).not.toHaveProperty('byFrame');
    expect(answer.waitedMs).toBeGreaterThan(shortTimeoutMs - 10);
  });

  it('without last is not closed, after the timeout for the next piece', async () => {
    const answer = await answerOf([piece('And so on')], { timeouts: { nextPieceMs: shortTimeoutMs } });
    expect(answer).toMatchObject({ outcome: 'not-closed', text: 'And so on', pieces: 1, wholeMs: null });
    expect(answer.waitedMs).toBeGreaterThan(shortTimeoutMs - 10);
  });

  it('that stops with the connection ends at that moment, not after the timeout', async () => {
    for (const frames of [[], [piece('And so')]]) {
      await using endpoint = await ai(({ type }, say, socket) => {
        if (type !== 'prompt') return;
        frames.forEach(say);
        setImmediate(() => socket.terminate());
      });
      const call = await dial(endpoint.url);
      expect(await call.ask('Hello?')).toMatchObject({ outcome: 'call-ended', pieces: frames.length, wholeMs: null });
      expect(call.observation.end).toMatchObject({ by: 'ai', code: 1006 });
    }
  });

  it('that is whole before the connection comes down is whole', async () => {
    await using endpoint = await ai(({ type }, say, socket) => {
      if (type !== 'prompt') return;
      say(closing);
      socket.close();
    });
    const call = await dial(endpoint.url, { timeouts: { quietMs: longTimeoutMs } });
    expect(await call.ask('Hello?')).toMatchObject({ outcome: 'closed', pieces: 0 });
  });

  it('to a second sentence begins after that sentence', async () => {
    let count = 0;
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') say(piece(`${++count}`, true));
    });
    const call = await dial(endpoint.url);
    for (let at = 1; at <= 10; at++)
      expect(await call.ask('Next?')).toMatchObject({ outcome: 'closed', text: `${at}` });
    expect(call.observation.answers).toHaveLength(10);
    await call.end();
  });

  it('that is late resolves waits for its beginning', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') [piece(''), piece('One'), closing].forEach(say);
    });
    const call = await dial(endpoint.url);
    expect(await call.answerStart(call.speak('Hello?'))).toMatchObject({
      outcome: 'begun',
      text: 'One',
      pieces: 1,
      byFrame: 3,
    });
    const index = call.speak('Hello?');
    expect(await call.firstPiece(index)).toBe(true);
    await call.waitForAnswerEnd(index);
    expect(call.observation.answers).toHaveLength(1);
    expect(await call.firstPiece(call.press('1'), shortTimeoutMs)).toBe(false);
    await call.end();
    expect(await call.firstPiece(call.press('2'))).toBe(false);
  });
});
