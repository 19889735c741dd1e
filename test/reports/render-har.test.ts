import { describe, expect, test } from 'vitest';
import { renderHar } from '../../reports/write/har/render-har.ts';
import { harProblems } from './format-schemas.ts';
import { everyEnd } from './sample-formats.ts';
import { callReport, hostileReport, hostileText, manyFailuresReport } from './sample-report.ts';

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['call', callReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderHar(report)).toMatchFileSnapshot(`golden/${name}.har.txt`);
});

interface Entry {
  readonly time: number;
  readonly request: { readonly url: string; readonly postData?: { readonly text: string } };
  readonly timings: Readonly<Record<string, number>>;
  readonly response: { readonly status: number; readonly content: { readonly text?: string } };
  readonly [field: `_${string}`]: unknown;
}

function entriesOf(text: string): Entry[] {
  return JSON.parse(text).log.entries;
}

describe.each(everyEnd)('%s', (_, report) => {
  test('is valid against the schemas of HAR 1.2', () => {
    expect(harProblems(JSON.parse(renderHar(report)))).toEqual([]);
  });

  test('has a valid address and consistent times in every entry', () => {
    const entries = entriesOf(renderHar(report));
    expect(entries.filter(({ request }) => !URL.canParse(request.url))).toEqual([]);
    for (const { time, timings } of entries) {
      const known = Object.values(timings).filter((part) => part >= 0);
      expect(known.reduce((sum, part) => sum + part, 0)).toBeCloseTo(time, 6);
    }
  });
});

test('times are those of the exchange: connect apart, then waiting and receiving', () => {
  const [first] = entriesOf(renderHar(manyFailuresReport));
  expect(first?.timings).toMatchObject({ connect: 0.62, send: 0, wait: 11.4 });
  expect(first?.timings['receive']).toBeCloseTo(0.7, 6);
});

test('a connection that was open before has no connect time', () => {
  const entry = entriesOf(renderHar(manyFailuresReport)).find((one) => one._id === 'ex-2');
  expect(entry).toMatchObject({ time: 2304, timings: { connect: -1, wait: 2290, receive: 14 } });
});

test.each([
  ['/v1/me?a=1', 'http://unknown.invalid/v1/me?a=1'],
  ['http://[', 'http://unknown.invalid/'],
])('the address %s becomes a whole one', (url, whole) => {
  const [exchange] = manyFailuresReport.exchanges;
  if (!exchange) throw new Error('expected an exchange');
  const exchanges = [{ ...exchange, request: { ...exchange.request, url } }];
  expect(entriesOf(renderHar({ ...manyFailuresReport, exchanges }))[0]?.request.url).toBe(whole);
});

test('an exchange without an answer has status 0 and the reason', () => {
  const entry = entriesOf(renderHar(manyFailuresReport)).find(({ response }) => response.status === 0);
  expect(entry).toMatchObject({ _outcome: 'unreachable', _error: 'ECONNREFUSED some text', time: 0 });
});

test('bodies, hostile ones included, read back unchanged', () => {
  const entry = entriesOf(renderHar(hostileReport)).find((one) => one._id === 'ex-3');
  expect(entry?.request.postData?.text).toBe(hostileText);
  expect(entry?.response.content.text).toBe(hostileText);
});

test('a call carries its frames as browsers write them', () => {
  const [call] = entriesOf(renderHar(callReport));
  const frames = call?._webSocketMessages as { type: string; opcode: number; data: string; time: number }[];
  expect(frames.length).toBe(callReport.exchanges[0]?.call?.frames.length);
  expect(frames[0]).toMatchObject({ type: 'send', opcode: 1, time: Date.parse('2026-10-12T09:30:01.260Z') / 1000 });
  expect(JSON.parse(frames[0]?.data ?? '')).toMatchObject({ type: 'session.started' });
  expect(frames[2]?.type).toBe('receive');
});

test('a binary frame is written as text, which its data is, and marked', () => {
  const [first, ...rest] = callReport.exchanges;
  if (!first?.call) throw new Error('expected a call');
  const frames = first.call.frames.map((frame, index) => (index === 2 ? { ...frame, binary: true as const } : frame));
  const exchanges = [{ ...first, call: { ...first.call, frames } }, ...rest];
  const [call] = entriesOf(renderHar({ ...callReport, exchanges }));
  const messages = call?._webSocketMessages as { opcode: number; data: string; _binary?: boolean }[];
  expect(messages[2]).toMatchObject({ opcode: 1, data: frames[2]?.text, _binary: true });
  expect(messages[1]).not.toHaveProperty('_binary');
});
