import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { sortRecording } from '../../harness/capture/sort-recording.ts';
import { ownAiChatRules } from '../../suites/capture/own-ai-chat.ts';
import { message } from './chat-cases.ts';
import { config, entryOf, harOf, sample, type HarEntry, type RecordedMessage } from './recorded.ts';
import { call } from './signed-cases.ts';

const directory = mkdtempSync(join(tmpdir(), 'svc-conform-hostile-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Maximum milliseconds for reading and judging on a busy machine. */
const soonMs = 10_000;

function read(text: string) {
  const file = join(directory, 'recording.har');
  writeFileSync(file, text);
  return readRecording(file);
}

const good = message({}, { status: 200, answer: { text: 'Hello' } });
const dialogue = call([
  { from: 'service', at: 0, value: sample.sessionStarted() },
  { from: 'ai', at: 1, value: { type: 'text', text: 'Hello', last: true } },
]);
const deep = (levels: number) => `{"data":${'['.repeat(levels)}${']'.repeat(levels)}}`;
const changed = (traffic: RecordedMessage, over: (entry: HarEntry) => void) =>
  JSON.stringify(entryOf({ ...traffic, over }));
/** A number that JSON allows and JavaScript cannot represent. */
const endless = (text: string, field: string) => text.replace(new RegExp(`"${field}":[\\d.]+`), `"${field}":1e400`);

describe('an impossible entry is skipped with its reason, and the others are judged', () => {
  it.each<[string, string, RegExp]>([
    ['a fractional status', changed(good, ({ response }) => (response.status = 200.7)), /status/],
    ['an impossible status', changed(good, ({ response }) => (response.status = 1e9)), /status/],
    ['a status that is text', changed(good, ({ response }) => Object.assign(response, { status: '200' })), /status/],
    [
      'an infinite time',
      endless(
        changed(good, () => undefined),
        'wait',
      ),
      /timings/,
    ],
    [
      'an infinite total time',
      endless(
        changed(good, () => undefined),
        'time',
      ),
      /timings/,
    ],
    [
      'an infinite size',
      endless(
        changed(good, () => undefined),
        'size',
      ),
      /size/,
    ],
    ['half a byte', changed(good, ({ request }) => (request.bodySize = 1.5)), /size/],
    [
      'a year of five digits',
      changed(good, (entry) => (entry.startedDateTime = '+012345-01-01T00:00:00Z')),
      /startedDateTime/,
    ],
    ['an event nested too deep', changed(message({}, { body: deep(100_000) }), () => undefined), /nested/],
    ['an answer nested too deep', changed(message({}, { answer: deep(5_000) }), () => undefined), /nested/],
    [
      'a frame nested too deep',
      changed(call([{ from: 'ai', at: 1, value: deep(100_000) }]), () => undefined),
      /nested/,
    ],
    [
      'a frame at an infinite time',
      changed(dialogue, () => undefined).replace(/"time":\d{10}(\.\d+)?/, '"time":1e400'),
      /frame/,
    ],
    [
      'a call that ended in an unknown way',
      changed(dialogue, (entry) => (entry['_closed'] = { by: { a: 1 }, atMs: 'x', code: 'abc', reason: 5 })),
      /_closed/,
    ],
    ['half a frame', changed(dialogue, (entry) => (entry['_framesOmitted'] = 0.5)), /_framesOmitted/],
  ])('%s', (_, line, reason) => {
    const { exchanges, unreadable } = read(`${JSON.stringify(entryOf(good))}\n${line}`);
    expect(exchanges.map(({ entry }) => entry)).toEqual([1]);
    expect([...unreadable.values()]).toEqual([[2]]);
    expect([...unreadable.keys()][0]).toMatch(reason);
  });

  it.each<[string, Record<string, unknown>]>([
    ['a status', { status: 200.7 }],
    ['a time', { status: 200, ms: -3 }],
  ])('in the log of the simulated service, too: %s', (_, odd) => {
    const line = (data: Record<string, unknown>) =>
      JSON.stringify({ seq: 1, at: '2026-10-20T09:00:00', type: 'delivery', data: { kind: 'own-ai-chat', ...data } });
    const { exchanges, unreadable } = read(`${line({ status: 200, ms: 5 })}\n${line(odd)}`);
    expect(exchanges.map(({ entry }) => entry)).toEqual([1]);
    expect([...unreadable.values()]).toEqual([[2]]);
  });

  it('keeps values as deep as any of the interface, and brackets within strings', () => {
    const odd = message({}, { answer: { text: '['.repeat(5_000), note: JSON.parse(deep(20)) as unknown } });
    expect(read(harOf([odd, { ...odd, answer: '[['.repeat(500) }])).exchanges).toHaveLength(2);
  });
});

describe('frames of a WebSocket', () => {
  it('are those that were sent and received; additions of a browser are not treated as frames', () => {
    const line = changed(dialogue, (entry) => {
      const messages = entry['_webSocketMessages'] as Record<string, unknown>[];
      const { time } = messages[1] ?? {};
      messages.push(
        { type: 'error', time, opcode: -1, data: 'Connection closed' },
        { type: 'receive', time, opcode: 9, data: '' },
      );
    });
    const [exchange] = read(line).exchanges;
    expect(exchange?.call?.frames.map(({ from }) => from)).toEqual(['service', 'ai']);
    expect(exchange?.call?.framesOmitted).toBe(0);
  });

  it('that cannot be read are counted', () => {
    const line = changed(dialogue, (entry) => {
      const messages = entry['_webSocketMessages'] as Record<string, unknown>[];
      messages.push({ type: 'receive', opcode: 1 }, { type: 'receive', opcode: 0, data: 'the rest of it' });
    });
    expect(read(line).exchanges[0]?.call).toMatchObject({ framesOmitted: 2, frames: [{}, {}] });
  });
});

describe('a request without an answer', () => {
  const failed = (change: (entry: HarEntry) => void) =>
    read(
      changed(good, (entry) => {
        entry.response = { status: 0, headers: [], content: { size: 0 }, bodySize: 0 };
        entry.timings = { blocked: 1, dns: 4_000, connect: -1, send: 0, wait: 5_000, receive: 0 };
        change(entry);
      }),
    ).exchanges[0]?.answer;

  it('is not late if the recorder reports an error', () => {
    const error = 'net::ERR_NAME_NOT_RESOLVED';
    expect(failed((entry) => (entry['_error'] = error))).toEqual({ outcome: 'closed', detail: error });
    expect(failed(({ response }) => Object.assign(response, { _error: error }))).toMatchObject({ outcome: 'closed' });
    expect(failed(() => undefined)).toEqual({ outcome: 'no-answer', afterMs: 5_000 });
  });

  it('is counted as missing if the sender gave up at the limit', () => {
    const rule = ownAiChatRules.find(({ requirement }) => requirement === 'own-ai-chat/answers-in-time');
    const receivedAfter = (wait: number) => {
      const recording = read(
        changed(message(), (entry) => {
          entry.response = { status: 0, headers: [], content: { size: 0 }, bodySize: 0 };
          entry.timings = { send: 0, wait, receive: 0 };
        }),
      );
      return rule?.judge(sortRecording(recording, config), config).map(({ finding }) => finding?.received);
    };
    expect(receivedAfter(10_001)).toEqual(['no complete answer within 10001 ms']);
    expect(receivedAfter(9_990)).toEqual([]);
  });
});

describe('the size of an answer that the recording does not have', () => {
  const sizes = (content: Record<string, unknown>) => {
    const line = changed(good, ({ response }) => {
      response.headers.push({ name: 'content-encoding', value: 'gzip' });
      response.content = { mimeType: 'application/json', ...content };
      response.bodySize = 10_000;
    });
    const capture = sortRecording(read(line), config);
    const ofSize = ownAiChatRules.filter(({ requirement }) => requirement.startsWith('own-ai-chat/answer-within-'));
    return ofSize.map((rule) => rule.judge(capture, config).map(({ finding }) => finding?.received));
  };

  it('is not the sum of the two meanings that recorders give it', () => {
    expect(sizes({ size: 50_000, compression: 40_000 })).toEqual([[], []]);
    expect(sizes({ size: 20, compression: 50_000 })).toEqual([[], []]);
  });

  it('is known if it is recorded, and beyond the limit if all are', () => {
    expect(sizes({ size: 50_000 })).toEqual([[undefined], [undefined]]);
    expect(sizes({ size: 70_000, compression: 60_000 })).toEqual([['70000 bytes'], []]);
  });
});

describe('judging takes no longer for', () => {
  const within = (work: () => void) => {
    const from = performance.now();
    work();
    expect(performance.now() - from).toBeLessThan(soonMs);
  };

  it('base64 that is none', () => {
    const odd = changed(good, ({ response }) =>
      Object.assign(response.content, { size: 5, encoding: 'base64', text: `${' '.repeat(150_000)}!` }),
    );
    within(() => expect(read(odd).exchanges[0]?.answerBody.state).toBe('altered'));
  });

  it('lines that are none', () => {
    within(() => {
      const { unreadable } = read(`${JSON.stringify(entryOf(good))}\n${'x\n'.repeat(120_000)}`);
      expect(unreadable.get('invalid JSON')).toHaveLength(120_000);
    });
  });

  it('exchanges of others', () => {
    const others = Array.from({ length: 30_000 }, (_, n) => ({ method: 'GET', url: `https://o.example/${n}`, at: n }));
    const recording = read(harOf(others));
    within(() => expect(sortRecording(recording, config).aside[0]?.entries).toHaveLength(30_000));
  });

  it('thousands of answers that name skills', () => {
    const many = Array.from({ length: 3_000 }, (_, n) =>
      message({ projectId: n + 1 }, { at: n, status: 200, answer: { text: `Hello ${n}`, executeSkills: ['urgent'] } }),
    );
    const recording = read(harOf(many));
    within(() => {
      const capture = sortRecording(recording, config);
      const judged = ownAiChatRules.flatMap((rule) => rule.judge(capture, config));
      expect(judged.length).toBeGreaterThan(3_000);
    });
  });
});
