import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { CapturedExchange } from '../../harness/capture/captured-exchange.ts';
import { readRecording } from '../../harness/capture/read-recording.ts';
import { entryOf, harOf, type HarEntry, type RecordedMessage } from './recorded.ts';

const directory = mkdtempSync(join(tmpdir(), 'svc-conform-capture-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

function fileOf(text: string | Uint8Array, name = 'recording.har'): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

const umlauts = { text: 'Schöne Grüße 😀' };
const bytes = Buffer.byteLength(JSON.stringify(umlauts));
const exchange: RecordedMessage = { url: 'https://shop.example/chat', body: umlauts, answer: umlauts, at: 0 };

/** The only exchange of a recording, in the form of another recorder. */
function readAs(change: (entry: HarEntry) => void, traffic = exchange): CapturedExchange {
  const { exchanges } = readRecording(fileOf(harOf([{ ...traffic, over: change }])));
  const [first] = exchanges;
  if (!first) throw new Error('expected an exchange');
  return first;
}

describe('bodies of a HAR', () => {
  it('are exact if their size equals the counted one', () => {
    const { requestBody, answerBody, request, answer } = readAs(() => undefined);
    expect(requestBody).toMatchObject({ state: 'exact', size: bytes });
    expect(answerBody).toMatchObject({ state: 'exact', size: bytes });
    expect(Buffer.from(request.body).toString()).toBe(JSON.stringify(umlauts));
    expect(answer).toMatchObject({ outcome: 'answered', truncated: false, bodyBytes: bytes });
  });

  it('are read from base64 in answers and, if a recorder writes it, in requests', () => {
    const { requestBody, answerBody } = readAs(({ request, response }) => {
      const base64 = Buffer.from(JSON.stringify(umlauts)).toString('base64');
      request.postData = { mimeType: 'application/json', text: base64, encoding: 'base64' };
      Object.assign(response.content, { text: base64, encoding: 'base64' });
    });
    expect(requestBody.state).toBe('exact');
    expect(answerBody.state).toBe('exact');
  });

  it('of mitmproxy, which counts compressed bytes, are still exact', () => {
    const { answerBody } = readAs(({ response }) => {
      response.headers.push({ name: 'content-encoding', value: 'gzip' }, { name: 'content-length', value: '20' });
      Object.assign(response.content, { size: 20, compression: bytes - 20 });
      response.bodySize = 20;
    });
    expect(answerBody.state).toBe('exact');
  });

  it('that the recorder omitted are missing, with their size if it is recorded', () => {
    const { requestBody, answerBody, answer } = readAs(({ request, response }) => {
      delete request.postData;
      delete response.content['text'];
    });
    expect(requestBody).toMatchObject({ state: 'missing', size: bytes });
    expect(answerBody).toMatchObject({ state: 'missing', size: bytes });
    expect(answer).toMatchObject({ truncated: true, bodyBytes: bytes });
  });

  it('without any size are missing, unless the message has none by its kind', () => {
    const silent = ({ request, response }: HarEntry) => {
      delete request.postData;
      request.bodySize = -1;
      response.content = { mimeType: '' };
      response.bodySize = -1;
    };
    expect(readAs(silent).requestBody.state).toBe('missing');
    expect(readAs(silent).answerBody.state).toBe('missing');
    expect(readAs(silent, { ...exchange, method: 'GET' }).requestBody.state).toBe('exact');
    expect(readAs(silent, { ...exchange, status: 204 }).answerBody.state).toBe('exact');
  });

  it('that were cut are recognised by their size', () => {
    const { answerBody, answer } = readAs(({ response }) => {
      response.content['text'] = String(response.content['text']).slice(0, 9);
    });
    expect(answerBody.state).toBe('cut');
    expect(answer).toMatchObject({ truncated: true, body: new Uint8Array() });
  });

  it('that were read in another encoding are recognised by their size', () => {
    const { requestBody } = readAs(({ request }) => {
      request.postData = { text: Buffer.from(JSON.stringify(umlauts)).toString('latin1') };
    });
    expect(requestBody.state).toBe('altered');
  });

  it('without a size can be read only if they are plain ASCII and complete JSON', () => {
    const sized =
      (text: string, comment?: string) =>
      ({ request }: HarEntry) => {
        request.bodySize = -1;
        request.postData = { text, ...(comment !== undefined && { comment }) };
      };
    expect(readAs(sized('{"a":1}')).requestBody.state).toBe('readable');
    expect(readAs(sized('{"a":1')).requestBody.state).toBe('altered');
    expect(readAs(sized('{"a":"ö"}')).requestBody.state).toBe('altered');
    expect(readAs(sized('[]', 'truncated')).requestBody.state).toBe('altered');
  });

  it('that are not base64 are not guessed', () => {
    const { answerBody } = readAs(({ response }) =>
      Object.assign(response.content, { text: '{"a"}', encoding: 'base64' }),
    );
    expect(answerBody.state).toBe('altered');
  });
});

describe('headers, times and answers of a HAR', () => {
  it('omit pseudo-headers of HTTP/2 and keep names in any case', () => {
    const { request } = readAs(({ request: sent }) =>
      sent.headers.push({ name: ':authority', value: 'shop.example' }, { name: 'x-svc-event', value: 'ping' }),
    );
    expect(request.headers).toEqual([['x-svc-event', 'ping']]);
  });

  it('count from the first byte sent, without connecting', () => {
    const { times } = readAs((entry) => {
      entry.timings = { blocked: 5, dns: 20, connect: 300, ssl: 200, send: 1, wait: 40, receive: 2 };
      entry.time = 368;
    });
    expect(times).toMatchObject({ connectMs: 300, firstByteMs: 41, totalMs: 43 });
  });

  it.each([
    ['zeros throughout', { send: 0, wait: 0, receive: 0 }],
    ['-1', { send: 0, wait: -1, receive: 3 }],
    ['null', { send: null, wait: null, receive: null }],
  ])('are not known from %s', (_, timings) => {
    expect(readAs((entry) => (entry.timings = timings)).times.totalMs).toBeNull();
  });

  it('do not show which side ended the connection if an answer is missing', () => {
    const broken = (timings: HarEntry['timings']) =>
      readAs((entry) => {
        entry.response = { status: 0, headers: [], content: {}, bodySize: -1 };
        entry.timings = timings;
      }).answer;
    expect(broken({ send: 1, wait: 2_500, receive: 0 })).toEqual({ outcome: 'no-answer', afterMs: 2_501 });
    expect(broken({ send: -1, wait: -1, receive: -1 })).toMatchObject({ outcome: 'closed' });
  });
});

describe('forms of a recording', () => {
  it('are the same as a HAR file, with a byte order mark, or as entries one per line', () => {
    const [har, withMark, lines] = [
      fileOf(harOf([exchange, exchange])),
      fileOf(`\uFEFF${harOf([exchange, exchange])}`, 'mark.har'),
      fileOf(`${JSON.stringify(entryOf(exchange))}\r\n\n${JSON.stringify(entryOf(exchange))}\n`, 'lines.ndjson'),
    ].map((file) => readRecording(file).exchanges.map(({ request, startedAt }) => ({ request, startedAt })));
    expect(har).toHaveLength(2);
    expect(withMark).toEqual(har);
    expect(lines).toEqual(har);
  });

  it('keep the readable entries if others are not', () => {
    const { exchanges, unreadable } = readRecording(
      fileOf(
        `${JSON.stringify(entryOf(exchange))}\nnot JSON\n{"request":{"method":"GET","url":"/relative"}}`,
        'some.ndjson',
      ),
    );
    expect(exchanges).toHaveLength(1);
    expect([...unreadable]).toEqual([
      ['invalid JSON', [2]],
      ['an invalid address', [3]],
    ]);
  });

  it.each([
    ['nothing', '', /received an empty file/],
    ['another JSON file', '{"openapi":"3.1.0"}', /received JSON without log.entries/],
    ['a list', '[]', /received JSON that is not an object/],
    ['plain text', 'GET / HTTP/1.1', /received entries with invalid JSON \(one\)/],
    [
      'one that is nested too deep',
      `{"log":{"entries":${'['.repeat(100_000)}${']'.repeat(100_000)}}}`,
      /received entries with JSON nested more than 200 levels deep \(one\)/,
    ],
    ['an empty HAR', '{"log":{"entries":[]}}', /received no readable entries/],
    [
      'the events of a run',
      '{"event":"run-started","at":"2026-10-20T09:00:00Z"}\n{"event":"note","at":"2026-10-20T09:00:00Z"}',
      /received the events of a run.*check --format har/,
    ],
  ])('other than these are refused with their name: %s', (_, text, reason) => {
    expect(() => readRecording(fileOf(text, 'other.har'))).toThrow(reason);
  });

  it('that do not exist are reported as missing', () => {
    expect(() => readRecording(join(directory, 'none.har'))).toThrow(/none\.har does not exist\./);
    expect(() => readRecording(directory)).toThrow(/received a directory/);
  });
});

describe('the log of the simulated service', () => {
  const delivery = (seq: number, data: Record<string, unknown>) => ({
    seq,
    at: '2026-10-20T09:00:00',
    type: 'delivery',
    workspaceId: 1,
    text: '',
    data,
  });
  const call = (seq: number, at: string, data: Record<string, unknown>) => ({
    ...delivery(seq, data),
    at,
    type: 'call',
  });

  it('shows deliveries with status and time, and frames of calls', () => {
    const lines = [
      { baseUrl: 'http://127.0.0.1:4000', apiKey: 'svc_sk_x' },
      delivery(1, {
        kind: 'crm-webhook',
        eventType: 'Manual',
        url: 'http://127.0.0.1:1/crm',
        status: 204,
        outcome: 'answered',
        ms: 12,
      }),
      delivery(2, {
        kind: 'own-ai-chat',
        eventType: 'ping',
        url: 'http://127.0.0.1:1/chat',
        outcome: 'no-answer',
        ms: 10_000,
      }),
      call(3, '2026-10-20T09:00:01', { callId: 'c1', from: 'service', frame: '{"type":"prompt","text":"Hi"}' }),
      call(4, '2026-10-20T09:00:03', { callId: 'c1', from: 'ai', frame: '{"type":"text","text":"Hello","last":true}' }),
      call(5, '2026-10-20T09:00:04', { callId: 'c1', from: 'ai', frame: 'x'.repeat(2_000) }),
      call(6, '2026-10-20T09:00:05', { callId: 'c1', state: 'over' }),
    ];
    const { kind, exchanges } = readRecording(
      fileOf(lines.map((line) => JSON.stringify(line)).join('\n'), 'log.ndjson'),
    );
    expect(kind).toBe('log');
    const [crm, chat, held] = exchanges;
    expect(crm).toMatchObject({ entry: 2, answer: { status: 204, truncated: true }, times: { totalMs: 12 } });
    expect(chat).toMatchObject({ answer: { outcome: 'no-answer', afterMs: 10_000 } });
    expect(held?.call).toMatchObject({
      framesOmitted: 1,
      frames: [
        { from: 'service', atMs: 0, value: { type: 'prompt' } },
        { from: 'ai', atMs: 2_000, value: { last: true } },
      ],
    });
  });
});
