import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { excerpt, transcript } from '../../reports/text/transcript.ts';
import type { TranscriptLine } from '../../reports/text/transcript.ts';
import { formatExchange } from '../../reports/text/wording.ts';
import type { CallRecord } from '../../specs/generated/types.ts';
import { callRun, frames, interruptedCall } from './sample-report.ts';

type Sent = Parameters<typeof frames>[0];

const call = (sent: Sent, rest: Partial<CallRecord> = {}): CallRecord => ({
  callId: 'call-1',
  frames: frames(sent),
  framesOmitted: 0,
  ...rest,
});

const read = (lines: readonly TranscriptLine[]) =>
  lines.map(({ atMs, who, what, broke }) => `${atMs} ${who ?? '…'}: ${what}${broke ? ` ✗ ${broke.join('; ')}` : ''}`);

const said = (from: 'service' | 'ai', frame: Sent[number][1]) => {
  const [line] = transcript(call([[from, frame]]));
  return `${line?.who}: ${line?.what}`;
};

test('reads as its golden file', async () => {
  const lines = transcript(interruptedCall, [{ frame: 13, failure: 'expected silence, received “we rest, ”' }]);
  await expect(`${read(lines).join('\n')}\n`).toMatchFileSnapshot('golden/transcript.txt');
});

describe('one line describes the call', () => {
  const started = { type: 'session.started', from: '+491', to: '+492', language: 'en-US', skills: [] };

  test.each<readonly ['service' | 'ai', Sent[number][1], string]>([
    ['service', { type: 'prompt', text: 'Hello?' }, 'caller: says “Hello?”'],
    ['service', { type: 'prompt', text: 'Hi', x: 1 }, 'caller: says “Hi”, with further fields x'],
    ['service', { type: 'dtmf', digit: '#' }, 'caller: presses #'],
    ['service', { type: 'interrupt', spokenUntilInterrupt: 'We are' }, 'caller: interrupts after “We are”'],
    ['service', { type: 'interrupt', spokenUntilInterrupt: '' }, 'caller: interrupts before any speech'],
    ['service', { type: 'skill.result', key: 'a', ok: true }, 'service: reports the outcome of skill a: done'],
    [
      'service',
      { type: 'skill.result', key: 'a', ok: false, reason: 'no-target' },
      'service: reports the outcome of skill a: refused (no-target)',
    ],
    ['service', { type: 'session.ended' }, 'service: ends the session'],
    [
      'service',
      { type: 'later.frame' },
      'service: sends a frame of the unknown type “later.frame”: {"type":"later.frame"}',
    ],
    [
      'service',
      {
        ...started,
        contact: { id: 7 },
        resumed: 'handover_failed',
        resumedAfter: { key: 'a', ok: false, reason: 'failed' },
      },
      'service: starts the session, from +491 to +492, in en-US, with contact without a name (7), offering no skills, resumed: handover_failed, after skill a: refused (failed)',
    ],
    ['ai', { type: 'text', text: 'Yes.', last: true }, 'AI: says “Yes.”'],
    ['ai', { type: 'text', token: 'Yes.', last: true }, 'AI: says “Yes.”'],
    ['ai', { type: 'text', text: 'Yes.' }, 'AI: says “Yes.” (not closed)'],
    ['ai', { type: 'text', text: '', last: true }, 'AI: closes the answer with an empty piece'],
    ['ai', { type: 'text', text: 5 }, 'AI: sends a text frame without speech: {"type":"text","text":5}'],
    ['ai', { type: 'action', action: 'end', text: 'Bye.' }, 'AI: says “Bye.” and ends the call'],
    ['ai', { type: 'action', action: 'handover', note: 'Urgent' }, 'AI: hands over to the team, note “Urgent”'],
    ['ai', { type: 'action', action: 'dance' }, 'AI: requests the unknown action “dance”'],
    ['ai', { type: 'skill', executeSkills: ['a', 2] }, 'AI: requests skills a, 2'],
    ['ai', { type: 'skill', key: 'a', announcement: '' }, 'AI: requests skill a, announcement “”'],
    ['ai', { last: true }, 'AI: sends a text frame without speech: {"last":true}'],
    ['ai', { text: 'Yes.', last: true }, 'AI: says “Yes.”'],
    ['ai', { event: 'response.created' }, 'AI: sends a frame without a type: {"event":"response.created"}'],
    ['ai', 'hello', 'AI: sends text that is not JSON: “hello”'],
    ['ai', '[1]', 'AI: sends JSON that is not an object: [1]'],
    ['ai', '', 'AI: sends an empty frame'],
  ])('%s %j', (from, frame, line) => {
    expect(said(from, frame)).toBe(line);
  });

  test('with the size and peculiarity of a frame, and without a note about cut JSON', () => {
    const [frame] = frames([['ai', 'abc']]);
    if (!frame) throw new Error('expected a frame, received none');
    const [line] = transcript(call([], { frames: [{ ...frame, bytes: 70_000, binary: true }] }));
    expect(line?.what).toBe('sends a frame of 70000 bytes, which starts with “abc” (in a binary frame, 70000 bytes)');
  });

  test('with a long text cut in the middle', () => {
    const line = said('ai', { type: 'text', text: `begin${'x'.repeat(4000)}end`, last: true });
    expect(line).toMatch(/^AI: says “beginx+ … x+end”$/);
    expect(line.length).toBeLessThan(300);
  });
});

describe('pieces', () => {
  const piece = (text: string, last = false) => ['ai', { type: 'text', text, last }] as const;

  test('of one answer are joined, those of the next are not', () => {
    const lines = transcript(call([piece('We '), piece('are '), piece('open.', true), piece('Until six.', true)]));
    expect(read(lines)).toEqual(['10 AI: says “We are open.” (3 pieces, 10–50 ms)', '70 AI: says “Until six.”']);
  });

  test('stay in order with the frames between them', () => {
    const lines = transcript(call([piece('We '), ['service', { type: 'dtmf', digit: '1' }], piece('are.', true)]));
    expect(read(lines)).toEqual(['10 AI: says “We ” (not closed)', '30 caller: presses 1', '50 AI: says “are.”']);
  });

  test('at which a rule broke appear separately, with every rule', () => {
    const breaks = [
      { frame: 1, failure: 'one' },
      { frame: 1, failure: 'two' },
    ];
    const lines = transcript(call([piece('We '), piece('are '), piece('open.', true)]), breaks);
    expect(read(lines)).toEqual(['10 AI: says “We ”', '30 AI: says “are ” ✗ one; two', '50 AI: says “open.”']);
  });

  test('of a secret have one mark when they are joined', () => {
    const lines = transcript(call([piece('It is [redacted: key]'), piece('[redacted: key]'), piece('.', true)]));
    expect(lines[0]?.what).toBe('says “It is [redacted: key].” (3 pieces, 10–50 ms)');
  });
});

test('frames that are omitted are noted where they are missing', () => {
  const sent: Sent = Array.from({ length: 6 }, (_, at) => ['ai', { type: 'text', text: `${at}` }]);
  const record = call(sent, { framesOmitted: 3 + 5 });
  const lines = transcript({ ...record, frames: record.frames.filter(({ n }) => n < 2 || n > 4) });
  expect(read(lines)).toEqual([
    '10 AI: says “01” (2 pieces, 10–30 ms)',
    '110 …: 3 frames omitted',
    '110 AI: says “5” (not closed)',
    '110 …: 5 frames omitted',
  ]);
});

test.each([
  [{ by: 'ai', code: 1000, clean: true, reason: 'bye' }, 'AI: closes the connection with 1000, reason “bye”'],
  [{ by: 'service', code: 1005, clean: true, reason: '' }, 'service: closes the connection without a code (1005)'],
  [
    { by: 'service', code: 1000, clean: false, reason: '' },
    'service: closes the connection with 1000, the other side does not answer the close',
  ],
  [
    { by: 'ai', code: 1006, clean: false, reason: '', detail: 'ECONNRESET' },
    'AI: drops the connection without closing it (1006), “ECONNRESET”',
  ],
] as const)('an ending %j', (end, words) => {
  const [line] = transcript(call([], { end: { atMs: 7, ...end } }));
  expect(`${line?.who}: ${line?.what}`).toBe(words);
});

test('whatever is in the frames, every one of them is shown, and each break once', () => {
  const texts = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constant('{"type":"text","text":"a"}'));
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('service', 'ai'), texts), { minLength: 1 }), fc.nat(), (sent, at) => {
      const frame = at % sent.length;
      const lines = transcript(call(sent), [{ frame, failure: 'here' }]);
      expect(lines.filter(({ broke }) => broke).map(({ atMs }) => atMs)).toEqual([10 + frame * 20]);
      const counts = lines.map(({ what }) => Number(/\((\d+) pieces,/.exec(what)?.[1] ?? 1));
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(sent.length);
    }),
  );
});

describe('an excerpt', () => {
  const line = (atMs: number, broke?: string[]): TranscriptLine => ({
    atMs,
    who: 'AI',
    what: '',
    ...(broke && { broke }),
  });
  const lines = (count: number, broken?: number) =>
    Array.from({ length: count }, (_, at) => line(at, at === broken ? ['x'] : undefined));
  const shape = (count: number, broken?: number) => {
    const { before, lines: shown, after } = excerpt(lines(count, broken), 14);
    return [before, shown.length, after];
  };

  test('shows the break, or the end if no frame broke a rule', () => {
    expect(shape(50, 20)).toEqual([11, 14, 25]);
    expect(shape(50, 2)).toEqual([0, 14, 36]);
    expect(shape(50, 49)).toEqual([36, 14, 0]);
    expect(shape(50)).toEqual([36, 14, 0]);
    expect(shape(3, 1)).toEqual([0, 3, 0]);
  });

  test('always contains the break', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 80 }), fc.nat(), fc.integer({ min: 3, max: 20 }), (count, at, most) => {
        const shown = excerpt(lines(count, at % count), most).lines;
        expect(shown.some(({ broke }) => broke)).toBe(true);
        expect(shown.length).toBe(Math.min(count, most));
      }),
    );
  });
});

test('a call in one line', () => {
  const [first, refused] = callRun.exchanges;
  if (!first || !refused) throw new Error('expected two exchanges');
  expect(formatExchange(first)).toBe('call 3f2a9c1b… 19 frames, 1.2 s, closed by the AI with 1006');
  expect(formatExchange(refused)).toBe('call GET ws://127.0.0.1:8080/voice → 401 in 3.1 ms');
  const { end: _, ...open } = interruptedCall;
  expect(formatExchange({ ...first, call: { ...open, framesOmitted: 981 } })).toBe(
    'call 3f2a9c1b… 1000 frames, 370 ms, not closed',
  );
});
