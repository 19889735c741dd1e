import { describe, expect, it } from 'vitest';
import { mergeSlowness, slownessOf, type MeasuredExchange } from '../../reports/model/slowness.ts';
import { slownessNotes } from '../../reports/text/run-notes.ts';

const times = (surface: string, what: string, all: readonly number[]): MeasuredExchange[] =>
  all.map((ms) => ({ surface, what, ms }));
const silences = (surface: string, what: string, count: number): MeasuredExchange[] =>
  Array.from({ length: count }, () => ({ surface, what, ms: 30_000, isSilent: true }));

describe('slowness', () => {
  it('is not reported for quick answers and for few missing ones', () => {
    const quick = [...times('own-ai-chat', 'ping', [20, 999, 4]), ...silences('own-ai-chat', 'ping', 1)];
    expect(slownessOf([...quick, ...silences('own-ai-chat', 'message.received', 1)])).toEqual([]);
    expect(slownessNotes({})).toEqual([]);
  });

  it('is the median and the longest time of each slow type of event, the slowest first', () => {
    const slow = slownessOf([
      ...times('own-ai-chat', 'message.received', [1_500, 1_400, 3_000]),
      ...times('own-ai-chat', 'ping', [10]),
      ...silences('api-webhooks', 'appointment.created', 4),
      ...times('crm-webhook', 'Manual', [1_000.4]),
    ]);
    expect(slow).toEqual([
      { surface: 'api-webhooks', what: 'appointment.created', answers: 0, unanswered: 4, longestMs: 30_000 },
      {
        surface: 'own-ai-chat',
        what: 'message.received',
        answers: 3,
        unanswered: 0,
        medianMs: 1_500,
        longestMs: 3_000,
      },
      { surface: 'crm-webhook', what: 'Manual', answers: 1, unanswered: 0, medianMs: 1_000, longestMs: 1_000 },
    ]);
    expect(slownessNotes({ slowness: slow })).toEqual([
      'The endpoint is slow: api-webhooks left appointment.created unanswered (4 of 4, for up to 30 s); own-ai-chat took 1500 ms for message.received (median of 3, longest 3000 ms); crm-webhook took 1000 ms for Manual (median of 1, longest 1000 ms).',
    ]);
  });

  it('lists the slowest types only, and how many more there are', () => {
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f'].flatMap((what, at) => times('crm-webhook', what, [9_000 - at]));
    const [note = ''] = slownessNotes({ slowness: slownessOf(kinds) });
    expect(note.match(/crm-webhook took/g)).toHaveLength(4);
    expect(note).toContain('; and 2 more.');
  });

  it('may be that of a proxy', () => {
    const slowness = slownessOf(times('crm-webhook', 'Manual', [2_000]));
    const proxies = [{ url: 'http://proxy.example:3128', keys: ['crmWebhook' as const] }];
    expect(slownessNotes({ slowness, environment: { proxies } })).toEqual([
      expect.stringMatching(/^The endpoint or the proxy is slow: crm-webhook took 2000 ms/),
    ]);
  });

  it('of shards is that of all of them', () => {
    const [one, other] = [
      slownessOf(times('crm-webhook', 'Manual', [2_000, 2_000])),
      slownessOf([...times('crm-webhook', 'Manual', [4_000]), ...silences('crm-webhook', 'Manual', 1)]),
    ];
    expect(mergeSlowness([one, other])).toEqual([
      { surface: 'crm-webhook', what: 'Manual', answers: 3, unanswered: 1, medianMs: 4_000, longestMs: 4_000 },
    ]);
    expect(mergeSlowness([[], slownessOf(silences('crm-webhook', 'Manual', 3))])[0]).not.toHaveProperty('medianMs');
  });
});
