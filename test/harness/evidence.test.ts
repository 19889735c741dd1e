import { describe, expect, it } from 'vitest';
import { CheckRecord } from '../../harness/checks/check-record.ts';
import { toRecords } from '../../harness/checks/evidence.ts';
import type { Answer, Arrival, Observation } from '../../harness/wire/observation.ts';
import { redactor } from '../../service/redact.ts';

const token = 'Nq7Lr2Xs9Tb4Vd6P';
const mark = '[redacted: webhook token]';
const redact = redactor([{ name: 'webhook token', value: token }]);

const answered = (over: Partial<Extract<Answer, { outcome: 'answered' }>> = {}): Answer => ({
  outcome: 'answered',
  status: 200,
  headers: [],
  body: new Uint8Array(),
  bodyBytes: 0,
  truncated: false,
  ...over,
});

function observation(
  over: { answer?: Answer; request?: Partial<Observation['request']>; label?: string } = {},
): Observation {
  return {
    kind: 'http',
    label: over.label ?? 'a test',
    startedAt: new Date(0),
    at: 0,
    request: { method: 'POST', url: 'http://127.0.0.1/crm', headers: [], body: new Uint8Array(), ...over.request },
    answer: over.answer ?? answered(),
    times: { connectMs: 1.23456, firstByteMs: 2, totalMs: 3.987654, lagMs: 0 },
    limitMs: 2000,
  };
}

const arrival = (over: Partial<Arrival['request']> = {}): Arrival => ({
  kind: 'callback',
  label: 'a callback',
  startedAt: new Date(0),
  at: 0,
  request: { method: 'POST', url: 'http://127.0.0.1/x', headers: [], body: new Uint8Array(), ...over },
  truncated: false,
  response: { status: 200, headers: [['content-type', 'application/json']], body: 'ö' },
});

const record = (exchange: Observation | Arrival) => {
  const [one] = toRecords([exchange], redact);
  if (!one) throw new Error('expected a record, received none');
  return one;
};

describe('a record of a sent request', () => {
  it('has both sides and the times', () => {
    expect(
      record(
        observation({
          request: { headers: [['X-Svc-Event', 'ping']], body: Buffer.from('{"a":"ü"}') },
          answer: answered({ status: 201, headers: [['Server', 'x']], body: Buffer.from('ok'), bodyBytes: 2 }),
        }),
      ),
    ).toEqual({
      kind: 'http',
      label: 'a test',
      startedAt: '1970-01-01T00:00:00.000Z',
      request: {
        method: 'POST',
        url: 'http://127.0.0.1/crm',
        headers: [['X-Svc-Event', 'ping']],
        body: '{"a":"ü"}',
        bodyBytes: 10,
      },
      response: { status: 201, headers: [['Server', 'x']], body: 'ok', bodyBytes: 2 },
      outcome: 'answered',
      timing: { connectMs: 1.23, firstByteMs: 2, totalMs: 3.99, limitMs: 2000 },
    });
  });

  it('gives the reason for a missing answer', () => {
    expect(record(observation({ answer: { outcome: 'no-answer', afterMs: 2500, status: 200 } }))).toMatchObject({
      outcome: 'no-answer',
      detail: 'no complete answer within 2500 ms after status 200',
    });
    const closed = record(observation({ answer: { outcome: 'closed', detail: `reset ${token}` } }));
    expect(closed).toMatchObject({ outcome: 'closed', detail: `reset ${mark}` });
    expect(closed).not.toHaveProperty('response');
  });
});

describe('credentials', () => {
  it('are never shown, right or wrong, in any case of the header, on either side', () => {
    const headers: [string, string][] = [
      ['Authorization', `Bearer ${token}`],
      ['authorization', 'Basic d3Jvbmc6d3Jvbmc='],
      ['AUTHORIZATION', 'wrong-token-without-scheme'],
      ['X-Api-Key', 'svc_sk_whatever'],
      ['Set-Cookie', 'session=1234'],
      ['Cookie', 'session=1234'],
      ['Proxy-Authorization', 'Token abc'],
    ];
    const shown = [
      'Bearer [redacted]',
      'Basic [redacted]',
      '[redacted]',
      '[redacted]',
      '[redacted]',
      '[redacted]',
      'Token [redacted]',
    ];
    for (const one of [
      record(observation({ request: { headers } })).request?.headers,
      record(observation({ answer: answered({ headers }) })).response?.headers,
      record(arrival({ headers })).request?.headers,
    ]) {
      expect(one?.map(([, value]) => value)).toEqual(shown);
    }
  });

  it('are redacted wherever the endpoint repeats them', () => {
    const text = JSON.stringify(
      record(
        observation({
          label: `label ${token}`,
          request: {
            url: `http://127.0.0.1/${token}`,
            headers: [[`X-${token}`, `a ${token}`]],
            body: Buffer.from(token),
          },
          answer: answered({
            headers: [['X-Echo', token.toUpperCase()]],
            body: Buffer.from(`{"got":"${token.slice(0, 10)}"}`),
          }),
        }),
      ),
    );
    expect(text.toLowerCase()).not.toContain(token.slice(0, 8).toLowerCase());
    expect(text.split(mark).length - 1).toBe(7);
  });

  it('do not survive in part where a body or a header is cut', () => {
    for (let before = 3_980; before <= 4_000; before++) {
      const { body = '' } = record(arrival({ body: Buffer.from('x'.repeat(before) + token) })).request ?? {};
      expect(body, `after ${before} characters`).not.toContain(token.slice(0, 4));
    }
    for (let before = 480; before <= 500; before++) {
      const { headers = [] } = record(arrival({ headers: [['X-Long', 'x'.repeat(before) + token]] })).request ?? {};
      expect(headers[0]?.[1], `after ${before} characters`).not.toContain(token.slice(0, 4));
    }
  });
});

describe('evidence is bounded', () => {
  it('in bodies, which still say how large they were', () => {
    const body = Buffer.from('ä'.repeat(200_000));
    const one = record(observation({ request: { body }, answer: answered({ body, bodyBytes: 900_000 }) }));
    expect(one.request?.body.length).toBe(4_001);
    expect(one.request?.body.endsWith('…')).toBe(true);
    expect(one.request?.bodyBytes).toBe(400_000);
    expect(one.response?.body.length).toBe(4_001);
    expect(one.response?.bodyBytes).toBe(900_000);
  });

  it('in headers', () => {
    const headers = Array.from({ length: 500 }, (_, at): [string, string] => [`X-${at}`, 'v'.repeat(10_000)]);
    const shown = record(observation({ answer: answered({ headers }) })).response?.headers ?? [];
    expect(shown).toHaveLength(60);
    expect(Math.max(...shown.map(([, value]) => value?.length ?? 0))).toBe(501);
  });

  it('in number: the first ones and the latest stay, the deciding one is last', () => {
    const kept = new CheckRecord();
    const all = Array.from({ length: 100 }, (_, at) => observation({ label: String(at) }));
    for (const one of all) kept.keep(one);
    const [first] = all;
    const middle = all[50];
    if (!first || !middle) throw new Error('expected exchanges, received none');
    kept.keep(first);
    expect(kept.evidence.map(({ label }) => label)).toEqual([
      '0',
      '1',
      '2',
      '3',
      ...Array.from({ length: 12 }, (_, at) => String(88 + at)),
    ]);
    kept.decideBy(first);
    expect(kept.evidence.at(-1)).toBe(first);
    expect(kept.evidence.filter((one) => one === first)).toHaveLength(1);
    kept.keep({ ...first });
    expect(kept.evidence.filter(({ label }) => label === '0')).toHaveLength(1);
    kept.decideBy(middle);
    expect(kept.evidence.at(-1)).toBe(middle);
  });
});

describe('a record of a received request', () => {
  it('has the request and our answer', () => {
    expect(record(arrival({ body: Buffer.from('{}') }))).toMatchObject({
      kind: 'callback',
      request: { body: '{}', bodyBytes: 2 },
      response: { status: 200, body: 'ö', bodyBytes: 2 },
      outcome: 'answered',
      timing: { connectMs: null, firstByteMs: null, totalMs: null },
    });
  });
});
