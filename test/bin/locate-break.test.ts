import { describe, expect, it } from 'vitest';
import { collectRun } from '../../run/collect/collect-run.ts';
import { toRecords, type EvidenceRecord } from '../../harness/checks/evidence.ts';
import type { FindingPart } from '../../harness/checks/finding.ts';
import type { Arrival, CallObservation, Observation } from '../../harness/wire/observation.ts';
import { redactor, redactValue } from '../../service/redact.ts';
import type { BrokeAtPart } from '../../specs/generated/types.ts';

const apiKey = 'svc_sk_5q/8Z~t0/a~1b/Q9';
const redact = redactor([{ name: 'API key', value: apiKey }]);
const requirement = 'crm-webhook/answers-every-event';

/** The place that a report gives for a finding in this part of an exchange. */
function locateIn(part: FindingPart, seen: Seen, frame?: number): BrokeAtPart | undefined {
  const { checks } = collectRun(
    [
      {
        id: `${requirement}#x`,
        requirement,
        title: 'x',
        level: 'must',
        verdict: 'fail',
        durationMs: 1,
        samples: [],
        evidence: [{ ...recordOf(seen), label: 'another' }, recordOf(seen)],
        finding: redactValue({ expected: 'one', received: 'two', part, frame }, redact),
      },
    ],
    () => '',
  );
  const { brokeAt } = checks[0] ?? {};
  return brokeAt && 'part' in brokeAt ? brokeAt : undefined;
}

interface Seen {
  kind: 'http' | 'callback' | 'api' | 'call';
  body?: string;
  answered?: boolean;
  limitMs?: number;
  headers?: [string, string][];
}

function recordOf({ kind, body = '', answered = true, limitMs, headers = [] }: Seen): EvidenceRecord {
  const bytes = Buffer.from(body);
  const request = { method: 'POST', url: 'http://127.0.0.1/', headers, body: bytes };
  const common = { label: 'x', startedAt: new Date('2026-10-11T08:00:00Z'), at: 0, request };
  const times = { connectMs: null, firstByteMs: 1, totalMs: answered ? 2 : null, lagMs: 0 };
  const answer: Observation['answer'] = answered
    ? { outcome: 'answered', status: 200, headers, body: bytes, bodyBytes: bytes.length, truncated: false }
    : { outcome: 'no-answer', afterMs: 9 };
  const sent = { ...common, answer, times, ...(limitMs !== undefined && { limitMs }) };
  const exchange: Observation | CallObservation | Arrival =
    kind === 'http'
      ? { ...sent, kind }
      : kind === 'call'
        ? { ...sent, kind, callId: 'call-1', frames: [], framesOmitted: 0, answers: [] }
        : { ...common, kind, truncated: false, response: { status: answered ? 202 : 0, headers, body } };
  const [record] = toRecords([exchange], redact);
  if (!record) throw new Error('expected a record, received none');
  return record;
}

const json = '{"contactData":{"id":4711,"a/b~c":[1,{"":null}]},"text":"x"}';

describe('the part of an exchange at which a rule broke', () => {
  it.each([
    ['http', 'response-body'],
    ['callback', 'request-body'],
    ['api', 'request-body'],
  ] as const)('is of what the endpoint sent where the kind of exchange is %s', (kind, part) => {
    expect(locateIn({ body: ['contactData', 'id'] }, { kind, body: json })).toEqual({
      exchange: 'ex-2',
      part,
      pointer: '/contactData/id',
    });
    expect(locateIn({ header: 'x-api-key' }, { kind })).toEqual({
      exchange: 'ex-2',
      part: part.replace('body', 'header'),
      name: 'x-api-key',
    });
  });

  it.each([
    ['the whole body', [], undefined],
    ['a field', ['text'], '/text'],
    ['an item below names with escaped characters', ['contactData', 'a/b~c', 1, ''], '/contactData/a~1b~0c/1/'],
    ['a missing field of an object', ['contactData', 'name'], '/contactData/name'],
    ['the first missing field', ['projectData', 'id', 'x'], '/projectData'],
    ['a value without fields', ['text', 'more', 0], '/text'],
    ['no field that only a prototype has', ['__proto__', 'name'], '/__proto__'],
  ])('is %s', (_, path, pointer) => {
    expect(locateIn({ body: path }, { kind: 'http', body: json })).toEqual({
      exchange: 'ex-2',
      part: 'response-body',
      ...(pointer !== undefined && { pointer }),
    });
  });

  it('is the whole body if it is not JSON or was cut', () => {
    const part = { body: ['text'] };
    for (const body of ['text=x', '', JSON.stringify({ text: 'x'.repeat(5_000) })]) {
      expect(locateIn(part, { kind: 'http', body })).toEqual({ exchange: 'ex-2', part: 'response-body' });
    }
  });

  it('is the status or the time of an answer to us, and of nothing else', () => {
    expect(locateIn({ status: true }, { kind: 'http' })).toEqual({ exchange: 'ex-2', part: 'response-status' });
    expect(locateIn({ status: true }, { kind: 'call' })).toEqual({ exchange: 'ex-2', part: 'response-status' });
    expect(locateIn({ time: true }, { kind: 'http' })).toEqual({ exchange: 'ex-2', part: 'time' });
    expect(locateIn({ time: true }, { kind: 'http', answered: false, limitMs: 2_000 })?.part).toBe('time');
    expect(locateIn({ time: true }, { kind: 'http', answered: false })).toBeUndefined();
    expect(locateIn({ status: true }, { kind: 'callback' })).toBeUndefined();
    expect(locateIn({ time: true }, { kind: 'api' })).toBeUndefined();
  });

  it('is none where there was no answer to have it', () => {
    for (const part of [{ status: true }, { header: 'date' }, { body: [] }] satisfies FindingPart[]) {
      expect(locateIn(part, { kind: 'http', answered: false })).toBeUndefined();
    }
    expect(locateIn({ body: [] }, { kind: 'callback', answered: false })?.part).toBe('request-body');
  });

  it('is not a header that may be among those omitted', () => {
    const headers = Array.from({ length: 61 }, (_, n): [string, string] => [`X-${n}`, '']);
    expect(locateIn({ header: 'x-59' }, { kind: 'api', headers })?.name).toBe('x-59');
    expect(locateIn({ header: 'x-60' }, { kind: 'api', headers })).toBeUndefined();
    expect(locateIn({ header: 'x-api-key' }, { kind: 'api', headers })).toBeUndefined();
  });

  it('is reported as a frame if a frame broke the rule', () => {
    expect(locateIn({ body: ['executeSkills'] }, { kind: 'call', body: json }, 0)).toBeUndefined();
  });

  it('shows no secret, though its name was one', () => {
    const body = JSON.stringify({ metadata: { [apiKey]: 5 } });
    expect(locateIn({ body: ['metadata', apiKey] }, { kind: 'api', body })?.pointer).toBe(
      '/metadata/[redacted: API key]',
    );
  });
});
