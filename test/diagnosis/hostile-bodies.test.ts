import { describe, expect, it } from 'vitest';
import { bodyFaults } from '../../diagnosis/answer/answer-faults.ts';
import { Connection } from '../../diagnosis/connection.ts';
import { Effects } from '../../diagnosis/deduplication/effects.ts';
import { frameFaults } from '../../diagnosis/phone/frame-faults.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import { limits } from '../../specs/limits.ts';
import { configOf } from '../harness/settings-for-tests.ts';
import { asJson, startReceiver } from './receiver.ts';

const bytes = limits.ownAiAnswerBytes;
/** A body of the maximum length, filled with repetitions of one string. */
const full = (begin: string, piece: string, end = '') =>
  begin + piece.repeat(Math.floor((bytes - begin.length - end.length) / piece.length)) + end;

/** Bodies that make a backtracking reader slow. */
const hostile: readonly (readonly [name: string, text: string])[] = [
  ['spaces behind a comma', full('{"a":{"b":1,', ' ', '}')],
  ['spaces in the middle', full('{"a":', ' ', 'x{')],
  ['commas and spaces', full('{', ', ', 'x')],
  ['commas to the end', full('{"a":1', ', ')],
  ['escaped single quotes', full("{'", "\\'")],
  ['escaped double quotes', full('{"', '\\"')],
  ['comments that never end', full('{', '/*')],
  ['slashes', full('{', '/ ')],
  ['lines of an event stream', full('', 'id: \r\n', '{')],
  ['an event stream without data', full('event: x\r\n', 'id: 1\r\n', 'x{')],
  ['a fence and spaces', full('```{', ' ', '`` `')],
  ['fences', full('{', '```\n')],
  ['names without values', full('{', 'a ')],
  ['colons', full('{', ': ')],
  ['one long name', full('{,', 'a', ' ?')],
  ['brackets that open', full('', '[')],
  ['brackets that open and close', full('{"a":', '[]', '"')],
  ['a form that is none', full('a=', '&b=%', ' {')],
  ['an escape that is not whole', full('{"\\u', 'a')],
];

const judge = (text: string) => bodyFaults('own-ai-chat', Buffer.from(text), { event: {}, skills: [] });

function frame(text: string, value?: unknown): CallObservation {
  const sent: Partial<CallFrame> = { from: 'ai', text, bytes: text.length, value };
  return { frames: [sent], answers: [] } as unknown as CallObservation;
}

/** Milliseconds of the quickest of several runs: other work of the machine only adds time. */
function quickest(run: () => unknown, times: number): number {
  return Math.min(
    ...Array.from({ length: times }, () => {
      const from = performance.now();
      run();
      return performance.now() - from;
    }),
  );
}

/** Maximum ratio of the time for a hostile body to the time for a plain one of the same size. */
const mostTimes = 30;

describe('a body of 64 KB that slows down its reader', () => {
  const plainMs = quickest(() => judge(full("{'text' 'Yes', ", '"ten": words, ')), 3);

  it.each(hostile)('is judged about as quickly as a plain one: %s', (_, text) => {
    expect(quickest(() => expect(judge(text)).toHaveLength(1), 1) / plainMs).toBeLessThan(mostTimes);
  });

  it.each([
    ['one word', full('', 'a')],
    ['words and spaces', full('a'.repeat(bytes / 2), ' ')],
    ['a word, spaces and figures', full('a'.repeat(bytes / 3) + ' '.repeat(bytes / 3), '1')],
    ['signs', full('', '<')],
  ])('is judged as quickly in a frame of a call: %s', (_, text) => {
    const ms = quickest(() => expect(frameFaults([frame(text)])).toHaveLength(1), 1);
    expect(ms / plainMs).toBeLessThan(mostTimes);
  });
});

describe('a value that is nested deeply', () => {
  const nest = '['.repeat(30_000) + ']'.repeat(30_000);

  it.each([
    ['own-ai-chat', `{"text":${nest}}`],
    ['own-ai-chat', `{"text":"x","action":${nest}}`],
    ['own-ai-chat', `{"text":"x","executeSkills":[${nest}]}`],
    ['crm-webhook', `{"requestContactUpdate":${nest}}`],
    ['crm-webhook', `{"requestContactUpdate":true,"contactData":{"city":${nest}}}`],
  ] as const)('is reported for the answer of %s', (surface, text) => {
    expect(bodyFaults(surface, Buffer.from(text), { event: {}, skills: [] })).not.toEqual([]);
  });

  it('is searched for the part that has grown, within a bound', async () => {
    const grown: string[] = [];
    const deep = '['.repeat(190) + ']'.repeat(190);
    await using receiver = await startReceiver(({ path }) => {
      if (path === '/state') return { status: 200, body: `{"orders":[${grown.join(',')}],"deep":${deep}}` };
      grown.push('1');
      return asJson(200, {});
    });
    const config = { ...configOf({ crm: `${receiver.origin}/crm` }), observe: { url: `${receiver.origin}/state` } };
    await using connection = await Connection.open('crm-webhook', config, { seed: 1, withinMs: 20_000 });
    const { delivery, box } = connection.case();
    const brought = await new Effects(connection).of(box, async () => [
      await connection.ask(delivery, { label: 'an event' }),
    ]);
    expect([...(brought?.growth ?? [])]).toEqual([['state/orders', 1]]);
  });

  it.each([
    '{"x":NEST}',
    '{"type":"text","text":NEST}',
    '{"type":"action","action":NEST}',
    '{"type":"error","x":NEST}',
  ])('is reported for a frame like %s', (form) => {
    const text = form.replace('NEST', nest);
    expect(frameFaults([frame(text, JSON.parse(text))])).toHaveLength(1);
  });
});
