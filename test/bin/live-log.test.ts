import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { LiveLog, logLines } from '../../simulate/serve/live-log.ts';
import type { Stream } from '../../run/output/terminal.ts';
import { createPaint } from '../../reports/write/terminal/terminal-paint.ts';
import { columns } from '../../reports/write/terminal/terminal-text.ts';
import type { ServiceEvent } from '../../service/service-events.ts';
import type { Exchange } from '../../specs/generated/types.ts';

const plain = createPaint(false);
const event = (over: Partial<ServiceEvent>): ServiceEvent => ({
  seq: 1,
  at: '2026-10-11T09:30:05',
  type: 'delivery',
  workspaceId: 1,
  text: 'message.received to http://127.0.0.1:8080/chat: 200, text “Hello”',
  data: { status: 200, ms: 12.3 },
  ...over,
});
const line = (over: Partial<ServiceEvent>) => logLines(event(over), { width: undefined, paint: plain }).join('\n');

describe('a line of the log', () => {
  it.each<[string, Partial<ServiceEvent>]>([
    ['09:30:05  → endpoint     message.received to http://127.0.0.1:8080/chat: 200, text “Hello”  (12 ms)', {}],
    ['09:30:05  → endpoint     a ping  (204, 3 ms)', { text: 'a ping', data: { status: 204, ms: 3 } }],
    ['09:30:05  ← client       GET /v1/me 200', { type: 'api-request', text: 'GET /v1/me 200', data: { status: 200 } }],
    ['09:30:05  ← endpoint     callback to Manual: applied to contact', { type: 'callback', text: 'callback to Manual: applied to contact', data: {} }],
    ['09:30:05  ← customer     writes on sms: Hi', { type: 'customer', text: 'writes on sms: Hi', data: {} }],
    ['09:30:05  → customer     Hi (sms)', { type: 'to-customer', text: 'Hi (sms)', data: {} }],
    ['09:30:05  → team         note: Hm', { type: 'to-team', text: 'note: Hm', data: {} }],
    ['09:30:05  · auto-reply   off: the team replied', { type: 'auto-reply', text: 'off: the team replied', data: {} }],
    ['09:30:05  · clock        1 hour passed', { type: 'clock', text: '1 hour passed', data: { ms: 3_600_000 } }],
    ['09:30:05  → call         caller says “Hello”', { type: 'call', text: 'call: service: {…}', data: { from: 'service', frame: '{"type":"prompt","text":"Hello"}' } }],
    ['09:30:05  ← call         AI says “Hi”', { type: 'call', text: 'call: AI: {…}', data: { from: 'ai', frame: '{"type":"text","text":"Hi","last":true}' } }],
    ['09:30:05  · call         over: the AI ended it', { type: 'call', text: 'call: over: the AI ended it', data: { state: 'over', ms: 100 } }],
  ])('%s', (expected, over) => {
    expect(line(over)).toBe(expected);
  }); // prettier-ignore

  it('shows control characters and never sends them', () => {
    expect(line({ type: 'customer', text: 'writes: a\u001b[2J\nb\u202ec', data: {} })).toBe(
      '09:30:05  ← customer     writes: a⟨U+001B⟩[2J⟨U+000A⟩b⟨U+202E⟩c',
    );
    const frame = '{"type":"prompt","text":"\\u001b[2J"}';
    expect(line({ type: 'call', text: 'x', data: { from: 'service', frame } })).toContain('⟨U+001B⟩');
  });

  it('is red when the other side has failed, and only then', () => {
    const paint = createPaint(true);
    const red = (over: Partial<ServiceEvent>) =>
      logLines(event(over), { width: 200, paint })[0]?.includes('\u001b[31m');
    expect(red({})).toBe(false);
    expect(red({ data: { status: 500 } })).toBe(true);
    expect(red({ data: { outcome: 'no-answer' } })).toBe(true);
    expect(red({ type: 'customer', data: {} })).toBe(false);
  });

  it.each([30, 50, 64, 80, 120, 200])('fits into %i columns, with as much as fits into four rows', (width) => {
    const words =
      'A long message with 日本語 in it and https://example.com/an/address/that/is/longer/than/any/narrow/terminal. ';
    for (const repeat of [1, 4]) {
      const lines = logLines(event({ text: words.repeat(repeat).trim(), data: {} }), { width, paint: plain });
      for (const one of lines) expect(columns(one), one).toBeLessThanOrEqual(width);
      expect(lines[0]).toMatch(/^09:30:05 {2}→ endpoint/);
      const said = lines.join(' ').replaceAll(/\s+/g, '');
      if (lines.length < (width < 64 ? 5 : 4)) expect(said).toContain(words.repeat(repeat).replaceAll(/\s+/g, ''));
      else expect(lines.length).toBe(width < 64 ? 5 : 4);
    }
  });
});

describe('the log', () => {
  const stream = (over: object = {}) =>
    Object.assign(new PassThrough({ encoding: 'utf8' }), over) as unknown as Stream & PassThrough;

  it('prints the date once, and again when it changes', () => {
    const out = stream();
    const log = new LiveLog(out);
    for (const at of ['2026-10-11T09:30:05', '2026-10-11T23:59:59', '2026-10-12T00:00:00'])
      log.event(event({ at, text: 'x', data: {} }));
    expect(out.read()).toBe(
      '2026-10-11 UTC\n09:30:05  → endpoint     x\n23:59:59  → endpoint     x\n2026-10-12 UTC\n00:00:00  → endpoint     x\n',
    );
  });

  const frameOf = (from: 'ai' | 'service', value: object, callId = 'c1') =>
    event({ type: 'call', text: 'x', data: { callId, from, frame: JSON.stringify(value) } });
  const piece = (text: string, last = false, callId = 'c1') => frameOf('ai', { type: 'text', text, last }, callId);

  it('shows a streamed answer on one line, and each sentence of the caller once', () => {
    const out = stream();
    const log = new LiveLog(out);
    log.event(event({ type: 'customer', text: 'says: Hello', data: {} }));
    log.event(frameOf('service', { type: 'prompt', text: 'Hello' }));
    log.event(piece('Good '));
    log.event(piece('Another call', true, 'c2'));
    log.event(piece('day', true));
    log.event(piece('Not '));
    log.event(piece('closed'));
    log.event(event({ type: 'call', text: 'call: over: the caller hung up', data: { callId: 'c1' } }));
    expect((out.read() as string).split('\n').slice(1, -1)).toEqual([
      '09:30:05  ← customer     says: Hello',
      '09:30:05  ← call         AI says “Another call”',
      '09:30:05  ← call         AI says “Good day” (2 pieces)',
      '09:30:05  ← call         AI says “Not closed” (2 pieces)',
      '09:30:05  · call         over: the caller hung up',
    ]);
  });

  it('shows what was said of an answer that nothing closes: after a pause, and at the end', () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const out = stream();
    const log = new LiveLog(out);
    log.event(piece('Not '));
    log.event(piece('closed'));
    log.event(event({ type: 'clock', text: '1 hour passed', data: {} }));
    vi.advanceTimersByTime(1_999);
    expect(out.read()).not.toContain('closed');
    vi.advanceTimersByTime(1);
    expect(out.read()).toBe('09:30:05  ← call         AI says “Not closed” (2 pieces)\n');
    log.event(piece('The end'));
    log[Symbol.dispose]();
    expect(out.read()).toBe('09:30:05  ← call         AI says “The end”\n');
  });

  it('shows the bodies of an exchange, with control characters made visible', () => {
    const exchange: Exchange = {
      id: 'ex-1',
      kind: 'http',
      label: 'ping',
      startedAt: '2026-10-11T09:30:05.000Z',
      request: { method: 'POST', url: 'http://127.0.0.1:1/', headers: [], body: '{"a":1}', bodyBytes: 7 },
      response: { status: 200, headers: [], body: 'b\u001b[2J', bodyBytes: 6 },
      outcome: 'answered',
      timing: { connectMs: null, firstByteMs: null, totalMs: 3 },
    };
    const [people, machines] = [stream(), stream()];
    new LiveLog(people).exchange(exchange);
    new LiveLog(machines, { json: true }).exchange(exchange);
    expect((people.read() as string).split('\n').map((line) => line.trim())).toEqual([
      '→ POST http://127.0.0.1:1/', '{', '"a": 1', '}', '← 200 in 3 ms', 'b⟨U+001B⟩[2J', '',
    ]); // prettier-ignore
    expect(JSON.parse(machines.read() as string)).toEqual({ type: 'exchange', exchange });
  });

  it('for machines is one JSON object per line, whatever is in it', () => {
    const out = stream({ isTTY: true, columns: 20 });
    const log = new LiveLog(out, { json: true });
    const hostile = event({ text: 'a\nb\u001b', data: { deep: { list: [1, '\u2028'] } } });
    log.event(hostile);
    log.event(event({ seq: 2 }));
    const lines = (out.read() as string).split('\n');
    expect(lines).toHaveLength(3);
    expect(JSON.parse(lines[0] ?? '')).toEqual(hostile);
    expect(JSON.parse(lines[1] ?? '').seq).toBe(2);
    for (const one of [piece('Good '), piece('day', true)]) log.event(one);
    expect((out.read() as string).trim().split('\n')).toHaveLength(2);
  });
});
