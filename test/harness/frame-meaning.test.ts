import { describe, expect, it } from 'vitest';
import {
  ai,
  answering,
  callUrl,
  dial,
  frameBytes,
  longTimeoutMs,
  rawAiOnceBegun,
  shortTimeoutMs,
  switchingProtocolsHead,
  until,
} from './call-server.ts';
import { rawServer } from './raw-server.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const closing = piece('', true);

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
    call.sendSkillResult({ key: 'sales', ok: false, reason: 'no-answer' });
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

  it('keep content, bytes and kind: JSON or not, binary, empty, longer than is shown', async () => {
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
    expect(frames.map(({ bytes }) => bytes)).toEqual([8, 0, 10, 45, 2 * 20_000 + 37]);
    expect(frames.map(({ value }) => typeof value)).toEqual(['undefined', 'undefined', 'string', 'object', 'object']);
    expect(frames.map(({ binary }) => binary)).toEqual([undefined, undefined, undefined, true, undefined]);
    expect(frames.at(-1)?.text.length).toBeLessThan(10_000);
    expect(frames.at(-1)?.value).toEqual(piece(long, true));
    expect(answer).toMatchObject({ outcome: 'closed', text: `binary ${long}`, pieces: 2 });
    await call.end();
  });

  it('that come in fragments are one', async () => {
    await using server = await rawAiOnceBegun((socket) => {
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

  it('that arrive together with the 101 are handled', async () => {
    const started = Promise.withResolvers<void>();
    await using server = await rawServer((socket, request) => {
      const skill = JSON.stringify({ type: 'skill', key: 'urgent' });
      socket.write(
        Buffer.concat([
          Buffer.from(switchingProtocolsHead(request)),
          frameBytes(JSON.stringify(piece('Hi!'))),
          frameBytes(skill),
        ]),
      );
      socket.on('data', () => started.resolve());
    });
    const call = await dial(callUrl(server));
    await until(() => call.length >= 4);
    // The call has not offered a skill yet.
    const values = call.observation.frames.map(({ value }) => value);
    expect(values).toContainEqual(piece('Hi!'));
    expect(values).toContainEqual({ type: 'skill.result', key: 'urgent', ok: false, reason: 'unknown-skill' });
    await started.promise;
    await call.vanish('end');
  });

  it('are dropped without an error once the connection is closed', async () => {
    await using endpoint = await answering(closing);
    const call = await dial(endpoint.url);
    await call.vanish('close');
    const before = endpoint.heard.length;
    const recorded = call.observation.frames.length;
    const index = call.speak('Is anyone there?');
    expect(call.observation.frames).toHaveLength(recorded);
    expect(index).toBe(recorded - 1);
    expect(await call.answer(index)).toMatchObject({ outcome: 'call-ended', firstPieceMs: null, wholeMs: null });
    expect(endpoint.heard).toHaveLength(before);
  });
});

describe('the heard speech', () => {
  it('is reported for an interrupt: everything since the sentence, or what the caller says', async () => {
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') [piece('Our '), piece(''), 'noise', { type: 'text', token: 'hours' }].forEach(say);
    });
    const call = await dial(endpoint.url);
    call.interrupt();
    const index = call.speak('When?');
    while (call.heardSince(index) !== 'Our hours') await call.firstPiece(call.length - 1, shortTimeoutMs);
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
    await call.settle(shortTimeoutMs);
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
    await call.pass(longTimeoutMs);
    expect(call.observation.end).toMatchObject({ by: 'ai', code: 4000 });
  });
});
