import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRecords } from '../../harness/checks/evidence.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import { redactor } from '../../service/redact.ts';
import { informativeCharacters } from '../../service/secret-strength.ts';
import type { CallRecord } from '../../specs/generated/types.ts';

const secret = 'whsec_Qm7vXz2Lk9Rt4Wp8';
const name = 'agent secret';
const mark = `[redacted: ${name}]`;
const redact = redactor([
  { name, value: secret },
  { name: 'pin', value: 'k7q2' },
]);

type Sent = readonly ['service' | 'ai', unknown];
const ai = (value: unknown): Sent => ['ai', value];
const say = (text: string, last = false) => ai({ type: 'text', text, last });

function frame([from, said]: Sent, at: number): CallFrame {
  // A string is a frame that is not JSON, as the driver records it.
  const text = typeof said === 'string' ? said : JSON.stringify(said);
  const value = typeof said === 'string' ? undefined : said;
  return { from, atMs: at * 10.0049, text: text.slice(0, 8_000), bytes: Buffer.byteLength(text), value };
}

function call(sent: readonly Sent[], rest: Partial<CallObservation> = {}): CallObservation {
  return {
    kind: 'call',
    label: 'a call',
    startedAt: new Date(0),
    at: 0,
    request: { method: 'GET', url: 'ws://127.0.0.1/voice', headers: [], body: new Uint8Array() },
    answer: { outcome: 'answered', status: 101, headers: [], body: new Uint8Array(), bodyBytes: 0, truncated: false },
    times: { connectMs: null, firstByteMs: null, totalMs: 3.14159, lagMs: 0 },
    limitMs: 5000,
    callId: 'call-1',
    frames: sent.map(frame),
    framesOmitted: 0,
    answers: [],
    ...rest,
  };
}

function recordOf(one: CallObservation, brokeAt?: number): CallRecord {
  const [record] = toRecords([one], redact, brokeAt);
  if (!record?.call) throw new Error('expected a record of a call, received none');
  return record.call;
}

const textsOf = (sent: readonly Sent[]) => recordOf(call(sent)).frames.map(({ text }) => text);

/** The speech of the call, joined from its pieces. */
const heard = (texts: readonly string[]) => texts.map((text) => (JSON.parse(text) as { text: string }).text).join('');

describe('a record of a call', () => {
  it('has the upgrade, the frames with their places, and the end', () => {
    const end = { by: 'ai', atMs: 99.999, code: 4000, reason: `bye ${secret}`, clean: true, detail: secret } as const;
    const [record] = toRecords(
      [call([['service', { type: 'prompt', text: 'Hi' }], say('Yes.', true)], { end })],
      redact,
    );
    expect(record).toEqual({
      kind: 'call',
      label: 'a call',
      startedAt: '1970-01-01T00:00:00.000Z',
      request: { method: 'GET', url: 'ws://127.0.0.1/voice', headers: [], body: '', bodyBytes: 0 },
      response: { status: 101, headers: [], body: '', bodyBytes: 0 },
      outcome: 'answered',
      timing: { connectMs: null, firstByteMs: null, totalMs: 3.14, limitMs: 5000 },
      call: {
        callId: 'call-1',
        frames: [
          { n: 0, from: 'service', atMs: 0, text: '{"type":"prompt","text":"Hi"}', bytes: 29 },
          { n: 1, from: 'ai', atMs: 10, text: '{"type":"text","text":"Yes.","last":true}', bytes: 41 },
        ],
        framesOmitted: 0,
        end: { by: 'ai', atMs: 100, code: 4000, reason: `bye ${mark}`, clean: true, detail: mark },
      },
    });
  });

  it('has no end while the call is in progress, and marks what is binary', () => {
    const one = call([say('a')]);
    const [first] = one.frames;
    if (!first) throw new Error('expected a frame, received none');
    const record = recordOf({ ...one, frames: [{ ...first, binary: true }] });
    expect(record.frames[0]).toMatchObject({ binary: true });
    expect(record).not.toHaveProperty('end');
  });

  it('is rebuilt when the call has continued, or another frame broke a rule', () => {
    const one = call(Array.from({ length: 300 }, () => say('a')));
    expect(recordOf(one).frames).toHaveLength(100);
    expect(recordOf(one, 150).frames).toHaveLength(141);
    one.frames.push(frame(say('b', true), 300));
    expect(recordOf(one).frames.at(-1)?.n).toBe(300);
    one.end = { by: 'ai', atMs: 1, code: 1000, reason: '', clean: true };
    expect(recordOf(one).end?.code).toBe(1000);
  });

  it('shows a frame as it was sent, spaces and number forms and all', () => {
    const text = '{ "type":"text",  "text":"a\\u00e9", "x":1.0 }';
    const value = JSON.parse(text) as unknown;
    const record = recordOf(call([], { frames: [{ from: 'ai', atMs: 0, text, bytes: text.length, value }] }));
    expect(record.frames[0]?.text).toBe(text);
  });
});

describe('a secret does not survive', () => {
  it('in one frame, in whatever form it is written', () => {
    const escaped = Array.from(secret, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
    for (const text of [
      `{"type":"text","text":"${escaped}"}`,
      `{"text":"${escaped}","text":"x"}`,
      `{"${escaped}":1}`,
    ]) {
      const value = JSON.parse(text) as unknown;
      const record = recordOf(call([], { frames: [{ from: 'ai', atMs: 0, text, bytes: text.length, value }] }));
      expect(record.frames[0]?.text.toLowerCase()).not.toContain('\\u0077');
      expect(record.frames[0]?.text).not.toContain(secret.slice(0, 6));
    }
  });

  it('as text, token or text that is not JSON, character by character', () => {
    const chars = Array.from(`It is ${secret}, you know.`);
    const dressed: readonly ((char: string) => Sent)[] = [
      (char) => say(char),
      (char) => ai({ type: 'text', token: char }),
      (char) => ai(char),
      (char) => say(char, true),
      (char) => ai({ type: 'skill', executeSkills: [char] }),
      (char) => ai({ type: 'action', action: 'none', note: char }),
    ];
    for (const dress of dressed) {
      const texts = textsOf(chars.map(dress));
      expect(texts.filter((text) => text.includes(mark))).toHaveLength(secret.length);
      expect(texts.filter((text) => text.includes('redacted'))).toHaveLength(secret.length);
    }
  });

  it('in pieces that alternate between text and token, with the caller in between', () => {
    const pieces = [say('whsec_'), ai({ type: 'text', token: 'Qm7vXz' }), say('2Lk9'), say('Rt4Wp8', true)];
    const sent = pieces.flatMap((piece) => [piece, ['service', { type: 'dtmf', digit: '1' }] as const]);
    expect(textsOf(sent).filter((text) => text.includes(mark))).toHaveLength(4);
  });

  it('that is short and alone in one frame, although its neighbours make a word of it', () => {
    for (const dress of [say, ai])
      expect(textsOf([dress('x'), dress('k7q2'), dress('y')])[1]).toContain('redacted: pin');
  });

  it('in a list of characters', () => {
    expect(textsOf([ai({ type: 'skill', executeSkills: Array.from(secret) })]).join('')).not.toContain('"w"');
  });

  it('that is short and comes in pieces of one answer', () => {
    expect(textsOf([say('pin k7'), say('q2', true), say('Fine.', true)]).map((text) => text.includes('pin]'))).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('at the border of omitted frames', () => {
    const before = Array.from({ length: 40 - 5 }, () => say('a '));
    const rest = Array.from({ length: 100 }, () => say('b '));
    const shown = textsOf([...before, ...Array.from(secret, (char) => say(char)), ...rest]);
    expect(shown).toHaveLength(100);
    expect(shown.slice(35, 40).every((text) => text.includes(mark))).toBe(true);
  });

  it('at the cut of a long string', () => {
    for (let before = 1_380; before <= 1_420; before++) {
      const shown = textsOf([say(`${'x'.repeat(before)}${secret}${'y'.repeat(3_000)}`)]).join('');
      expect(shown, `after ${before} characters`).not.toContain(secret.slice(0, 4));
    }
    for (let before = 7_970; before <= 8_000; before++) {
      const shown = textsOf([ai('x'.repeat(before) + secret + 'y'.repeat(3_000))]).join('');
      expect(shown, `after ${before} characters`).not.toContain(secret.slice(0, 4));
    }
  });

  it('of any kind, cut anywhere, in any case, among other speech', () => {
    const secrets = fc.string({ unit: 'grapheme-ascii', minLength: 8, maxLength: 40 });
    const cuts = fc.array(fc.nat({ max: 39 }), { maxLength: 40 });
    const around = fc.string({ unit: 'grapheme-ascii', maxLength: 20 });
    fc.assert(
      fc.property(secrets, cuts, around, around, fc.boolean(), (value, at, before, after, upper) => {
        const text = before + (upper ? value.toUpperCase() : value) + after;
        const places = [0, ...at.map((place) => place % text.length).toSorted((a, b) => a - b), text.length];
        const pieces = places.slice(1).map((to, index) => say(text.slice(places[index], to)));
        const [record] = toRecords([call(pieces)], redactor([{ name: '', value }]));
        const shown = heard(record?.call?.frames.map((one) => one.text) ?? []).replaceAll('[redacted: ]', '\0');
        const informative = informativeCharacters(value);
        for (let from = 0; from + 8 <= value.length; from++) {
          // The text around it may contain a part such as eight spaces as well.
          if (informative.slice(from, from + 8).filter(Boolean).length < 4) continue;
          expect(shown.toLowerCase()).not.toContain(value.slice(from, from + 8).toLowerCase());
        }
      }),
      { numRuns: 300, examples: [[`x${' '.repeat(8)}`, [], '', ' '.repeat(8), false]] },
    );
  });

  it('and nothing else is redacted with it', () => {
    const texts = textsOf([say('Hello wh'), say(secret.slice(2)), say(' and bye.', true), say('Next.', true)]);
    expect(texts.map((text) => (JSON.parse(text) as { text: string }).text)).toEqual([
      `Hello ${mark}`,
      mark,
      ' and bye.',
      'Next.',
    ]);
  });
});

describe('a record of a call is bounded', () => {
  const many = (count: number, text = 'a') => Array.from({ length: count }, (_, at) => say(`${at} ${text}`));
  const bytes = (record: CallRecord) => Buffer.byteLength(JSON.stringify(record));

  it('in frames: the first, the last, and those around the break, under their places in the call', () => {
    const record = recordOf(call(many(1_000), { framesOmitted: 7 }), 500);
    const places = record.frames.map(({ n }) => n);
    const from = (start: number, count: number) => Array.from({ length: count }, (_, at) => start + at);
    expect(places).toEqual([...from(0, 40), ...from(480, 41), ...from(940, 60)]);
    expect(record.frames.every(({ n, text }) => text.includes(`"${n} a"`))).toBe(true);
    expect(record.framesOmitted).toBe(1_000 - 141 + 7);
  });

  it('and keeps the frames around the break only for the deciding call', () => {
    const [one, two] = toRecords([call(many(1_000)), call(many(1_000))], redact, 500);
    expect(one?.call?.frames).toHaveLength(100);
    expect(two?.call?.frames.some(({ n }) => n === 500)).toBe(true);
  });

  it('in strings, whatever they are, and JSON stays JSON', () => {
    const large = '\u0001"\\ä'.repeat(16_000);
    const kinds: Sent[] = [
      ai({ type: 'text', text: large, note: large, more: [large] }),
      ai({ type: 'skill', executeSkills: Array.from({ length: 5_000 }, (_, at) => `skill ${at}`) }),
      ai(Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`field ${at}`, at]))),
      ai(large),
    ];
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`;
    const one = call(Array.from({ length: 200 }, (_, at) => kinds[at % kinds.length] ?? ai('')));
    one.frames[3] = { from: 'ai', atMs: 0, text: deep.slice(0, 8_000), bytes: deep.length, value: JSON.parse(deep) };
    const record = recordOf(one, 100);
    expect(bytes(record)).toBeLessThan(60_000);
    const [text] = textsOf([ai({ type: 'text', text: 'x'.repeat(60_000), last: true })]);
    expect(JSON.parse(text ?? '')).toMatchObject({ type: 'text', last: true });
    expect((text ?? '').length).toBeLessThanOrEqual(2_000);
  });

  it('and keeps most of the frame that broke the rule', () => {
    const long = many(100, 'x'.repeat(5_000));
    const lengths = recordOf(call(long), 50).frames.map(({ text }) => text.length);
    expect(lengths[50]).toBeGreaterThan(1.5 * (lengths[49] ?? 0));
    expect(recordOf(call(long), 50).frames[50]?.bytes).toBeGreaterThan(5_000);
  });
});
