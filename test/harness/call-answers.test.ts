import { describe, expect, it } from 'vitest';
import type { Call } from '../../harness/call.ts';
import type { CallAnswer } from '../../harness/observation.ts';
import {
  ai,
  answering,
  dial,
  frameBytes,
  longPatienceMs,
  rawAi,
  callUrl,
  shortPatienceMs,
  takenText,
  until,
} from './call-server.ts';
import { rawServer } from './raw-server.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const closing = piece('', true);

/** The answer of an AI that says these frames to the first sentence, and the call after it. */
async function answerOf(
  frames: (object | string)[],
  patience: Parameters<typeof dial>[1] = {},
): Promise<CallAnswer & { call: Call }> {
  await using endpoint = await answering(...frames);
  const call = await dial(endpoint.url, patience);
  const answer = await call.ask('Hello?');
  await call.end();
  return { ...answer, call };
}

describe('frames of a call', () => {
  it('are kept both ways, in their order, with times that never go back', async () => {
    await using endpoint = await ai(({ type, text }, say) => {
      if (type === 'prompt') say(piece(`You said ${String(text)}.`, true));
    });
    const call = await dial(endpoint.url);
    await call.ask('one');
    call.press('#');
    await call.ask('two');
    call.interrupt('You sa');
    call.tellSkillResult({ key: 'sales', ok: false, reason: 'no-answer' });
    await call.end();
    const { frames, times } = call.observation;
    expect(frames.map(({ from, value }) => [from, value])).toEqual([
      ['service', expect.objectContaining({ type: 'session.started' })],
      ['service', { type: 'prompt', text: 'one' }],
      ['ai', piece('You said one.', true)],
      ['service', { type: 'dtmf', digit: '#' }],
      ['service', { type: 'prompt', text: 'two' }],
      ['ai', piece('You said two.', true)],
      ['service', { type: 'interrupt', spokenUntilInterrupt: 'You sa' }],
      ['service', { type: 'skill.result', key: 'sales', ok: false, reason: 'no-answer' }],
      ['service', { type: 'session.ended' }],
    ]);
    expect(endpoint.heard).toEqual(frames.filter(({ from }) => from === 'service').map(({ value }) => value));
    const at = frames.map(({ atMs }) => atMs);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
    expect(at[0]).toBeGreaterThanOrEqual(times.totalMs ?? Infinity);
    expect(call.observation.end?.atMs).toBeGreaterThanOrEqual(at.at(-1) ?? Infinity);
  });

  it('keep their text, bytes and kind: JSON or not, binary, empty, longer than is shown', async () => {
    const long = 'ä'.repeat(20_000);
    await using endpoint = await ai(({ type }, say, socket) => {
      if (type !== 'prompt') return;
      say('not JSON');
      say('');
      say('"a string"');
      socket.send(Buffer.from(JSON.stringify(piece('binary '))));
      say(piece(long, true));
    });
    const call = await dial(endpoint.url);
    const answer = await call.ask('Hello?');
    const frames = call.observation.frames.slice(2);
    expect(frames.map(({ text }) => text.slice(0, 8))).toEqual(['not JSON', '', '"a strin', '{"type":', '{"type":']);
    expect(frames.map(({ bytes }) => bytes)).toEqual([8, 0, 10, 44, 2 * 20_000 + 36]);
    expect(frames.map(({ value }) => typeof value)).toEqual(['undefined', 'undefined', 'string', 'object', 'object']);
    expect(frames.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined, true, undefined]);
    expect(frames.at(-1)?.text.length).toBeLessThan(10_000);
    expect(frames.at(-1)?.value).toEqual(piece(long, true));
    expect(answer).toMatchObject({ outcome: 'closed', text: `binary ${long}`, pieces: 2 });
    await call.end();
  });

  it('that come in fragments are one', async () => {
    await using server = await rawAi((socket) => {
      const bytes = Buffer.from(JSON.stringify(piece('hällo', true)));
      socket.write(frameBytes(bytes.subarray(0, 25), { fin: false }));
      socket.write(frameBytes('', { kind: 'ping' }));
      for (const byte of bytes.subarray(25))
        socket.write(frameBytes(Buffer.of(byte), { kind: 'continuation', fin: false }));
      socket.write(frameBytes('', { kind: 'continuation' }));
    });
    const call = await dial(callUrl(server));
    expect(await call.answer(0)).toMatchObject({ outcome: 'closed', text: 'hällo', pieces: 1 });
    expect(call.observation.frames).toHaveLength(2);
    await call.vanish('end');
  });

  it('that come in one breath with the 101 are heard and acted upon', async () => {
    const started = Promise.withResolvers<void>();
    await using server = await rawServer((socket, request) => {
      const skill = JSON.stringify({ type: 'skill', key: 'urgent' });
      socket.write(
        Buffer.concat([Buffer.from(takenText(request)), frameBytes(JSON.stringify(piece('Hi!'))), frameBytes(skill)]),
      );
      socket.on('data', () => started.resolve());
    });
    const call = await dial(callUrl(server));
    await until(() => call.length >= 4);
    const values = call.observation.frames.map(({ value }) => value);
    expect(values).toContainEqual(piece('Hi!'));
    expect(values).toContainEqual({ type: 'skill.result', key: 'urgent', ok: true });
    await started.promise;
    await call.vanish('end');
  });

  it('go nowhere once the connection is down, and nothing throws', async () => {
    await using endpoint = await answering(closing);
    const call = await dial(endpoint.url);
    await call.vanish('close');
    const before = endpoint.heard.length;
    const index = call.speak('Is anybody there?');
    expect(call.observation.frames[index]).toMatchObject({ from: 'service', value: { type: 'prompt' } });
    expect(await call.answer(index)).toMatchObject({ outcome: 'call-ended', firstPieceMs: null, wholeMs: null });
    expect(endpoint.heard).toHaveLength(before);
  });
});

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
    // The timers of the AI give the least; nothing here has a most.
    expect(firstPieceMs).toBeGreaterThan(35);
    expect(wholeMs).toBeGreaterThan(110);
    expect(wholeMs).toBeGreaterThan(firstPieceMs ?? Infinity);
    expect(waitedMs).toBeGreaterThanOrEqual(wholeMs ?? Infinity);
    expect(lagMs).toBeLessThanOrEqual(firstPieceMs ?? 0);
    const { frames } = call.observation;
    expect(firstPieceMs).toBe((frames[3]?.atMs ?? 0) - (frames[1]?.atMs ?? 0));
    await call.end();
  });

  it('takes token for text, text before token, and nothing for another type', async () => {
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

  it('is closed by last: true alone, not by something like it', async () => {
    const like = ['true', 1, 'yes', {}, null].map((last) => ({ type: 'text', text: '.', last }));
    expect(await answerOf([...like, closing])).toMatchObject({
      outcome: 'closed',
      text: '.....',
      pieces: 5,
      byFrame: 7,
    });
  });

  it('counts empty pieces for nothing, and may be closed by one', async () => {
    const { call, ...answer } = await answerOf([piece(''), piece('Hi'), piece(''), closing]);
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Hi', pieces: 1 });
    const { frames } = call.observation;
    expect(answer.firstPieceMs).toBe((frames[3]?.atMs ?? 0) - (frames[1]?.atMs ?? 0));
  });

  it('that is one empty closing piece is closed after a moment in which speech may follow', async () => {
    const { call, ...answer } = await answerOf([closing]);
    expect(answer).toMatchObject({ outcome: 'closed', text: '', pieces: 0, byFrame: 2 });
    expect(answer.firstPieceMs).not.toBeNull();
    expect(answer.waitedMs).toBeGreaterThan(shortPatienceMs - 10);
    expect(await answerOf([closing, piece('But: '), piece('yes.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'But: yes.',
      byFrame: 4,
    });
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

  it('is not an unknown action, type or text that is no JSON', async () => {
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
    expect(await answerOf([skill, piece('I told them.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'I told them.',
    });
    expect(await answerOf([piece('One '), skill, piece('moment.', true)])).toMatchObject({
      outcome: 'closed',
      text: 'One moment.',
    });
  });

  it('that does not come is nothing, after the patience', async () => {
    const answer = await answerOf(['not JSON'], { patience: { firstPieceMs: shortPatienceMs } });
    expect(answer).toMatchObject({ outcome: 'nothing', text: '', pieces: 0, firstPieceMs: null, wholeMs: null });
    expect(answer).not.toHaveProperty('byFrame');
    expect(answer.waitedMs).toBeGreaterThan(shortPatienceMs - 10);
  });

  it('without last is not closed, after the patience for the next piece', async () => {
    const answer = await answerOf([piece('And so on')], { patience: { nextPieceMs: shortPatienceMs } });
    expect(answer).toMatchObject({ outcome: 'not-closed', text: 'And so on', pieces: 1, wholeMs: null });
    expect(answer.waitedMs).toBeGreaterThan(shortPatienceMs - 10);
  });

  it('that stops because the connection is down ends then, not after the patience', async () => {
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
    const call = await dial(endpoint.url, { patience: { quietMs: longPatienceMs } });
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

  it('that is late wakes whoever waits only for its beginning', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') [piece(''), piece('One'), closing].forEach(say);
    });
    const call = await dial(endpoint.url);
    expect(await call.beginsToAnswer(call.speak('Hello?'))).toMatchObject({
      outcome: 'begun',
      text: 'One',
      pieces: 1,
      byFrame: 3,
    });
    const index = call.speak('Hello?');
    expect(await call.firstPiece(index)).toBe(true);
    await call.finishesToAnswer(index);
    expect(call.observation.answers).toHaveLength(1);
    expect(await call.firstPiece(call.press('1'), shortPatienceMs)).toBe(false);
    await call.end();
    expect(await call.firstPiece(call.press('2'))).toBe(false);
  });
});

describe('what was heard', () => {
  it('is told by an interrupt: everything since the sentence, or what the caller says', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') [piece('Our '), piece(''), 'noise', { type: 'text', token: 'hours' }].forEach(say);
    });
    const call = await dial(endpoint.url);
    call.interrupt();
    const index = call.speak('When?');
    while (call.heardSince(index) !== 'Our hours') await call.firstPiece(call.length - 1, shortPatienceMs);
    call.interrupt();
    call.interrupt('Our');
    await call.end();
    const spoken = endpoint.heard.filter(({ type }) => type === 'interrupt').map((frame) => frame.spokenUntilInterrupt);
    expect(spoken).toEqual(['', 'Our hours', 'Our']);
  });
});

describe('waiting in a call', () => {
  it('settles once the AI has been quiet, and gives up one that never is', async () => {
    let left = 5;
    await using brief = await ai(({ type }, say) => {
      const more = () => {
        if (left-- > 0) say(piece('word '));
        if (left > 0) setTimeout(more, 5);
      };
      if (type === 'session.started') more();
    });
    const call = await dial(brief.url);
    await call.firstPiece(0);
    await call.settle(shortPatienceMs);
    expect(call.heardSince(0)).toBe('word '.repeat(5));
    await call.end();
    await using endless = await ai(({ type }, say, socket) => {
      const more = () => {
        if (socket.readyState === socket.OPEN) say(piece('word '));
        if (socket.readyState === socket.OPEN) setImmediate(more);
      };
      if (type === 'session.started') more();
    });
    const other = await dial(endless.url);
    await other.settle(5);
    await other.pass(5);
    expect(other.isUp).toBe(true);
    await other.end();
  });

  it('passes its time, and no more when the call is over', async () => {
    await using endpoint = await answering();
    const call = await dial(endpoint.url);
    const from = performance.now();
    await call.pass(50);
    expect(performance.now() - from).toBeGreaterThan(45);
    endpoint.calls[0]?.close(4000);
    await call.pass(longPatienceMs);
    expect(call.observation.end).toMatchObject({ by: 'ai', code: 4000 });
  });
});
