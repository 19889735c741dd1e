import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { findingsOf } from '../../reports/model/requirement-finding.ts';
import { sameCauses } from '../../reports/model/same-cause.ts';
import type { CallEndRecord, Exchange } from '../../specs/generated/types.ts';
import { cascadeReport, cascadeRun, check, frames } from './sample-report.ts';

/** Ids of the lead and of those that share its cause, for requirements that all failed after these answers. */
function shared(ids: readonly string[], answers: readonly Partial<Exchange>[]): string[] | undefined {
  const [sample] = cascadeRun.exchanges;
  const report = buildReport({
    ...cascadeRun,
    checks: ids.map((id, index) => check(id, 'fail', { evidence: [`ex-${index}`] })),
    exchanges: answers.map((answer, index) => ({ ...(sample as Exchange), ...answer, id: `ex-${index}` })),
  });
  const causeOf = sameCauses(report);
  const [cause] = findingsOf(report, 'fail').flatMap((finding) => causeOf(finding) ?? []);
  return cause && [cause.lead, ...cause.rest].map(({ requirement }) => requirement.id);
}

const accepting = [
  'accepts-no-postal-addresses',
  'accepts-several-postal-addresses',
  'accepts-null-members',
  'accepts-the-token',
];
const refusing = ['refuses-missing-token', 'refuses-wrong-token', 'refuses-truncated-token', 'refuses-other-scheme'];
const contents = ['flags-are-boolean', 'ids-are-strings', 'field-types-as-listed', 'flagged-part-is-present'];
const calling = ['answers-later-prompts', 'takes-dtmf', 'answers-a-prompt', 'takes-skill-results'];
const onPhone = (names: readonly string[]) => names.map((name) => `own-ai-phone/${name}`);
const callOf = (end?: CallEndRecord, said: Parameters<typeof frames>[0] = []): Partial<Exchange> => ({
  ...answered(101, ''),
  kind: 'call',
  call: {
    callId: 'call-1',
    frames: frames([['service', { type: 'prompt', text: 'Hello?' }], ...said]),
    framesOmitted: 0,
    ...(end && { end }),
  },
});
const onCrm = (names: readonly string[]) => names.map((name) => `crm-webhook/${name}`);
const answered = (status: number, body: string): Partial<Exchange> => ({
  response: { status, headers: [], body, bodyBytes: body.length },
});
const fourTimes = (answer: Partial<Exchange>) => [answer, answer, answer, answer];

describe('one cause is probable', () => {
  test('after the same status and beginning of the body; the basic requirement leads', () => {
    const long = `{"title":"internal","detail":"${'x'.repeat(60)}`;
    const answers = ['1', '2', '3', '4'].map((id) => answered(500, `${long}","id":${id}}`));
    expect(shared(onCrm(accepting), answers)).toEqual([
      'crm-webhook/accepts-the-token',
      'crm-webhook/accepts-null-members',
      'crm-webhook/accepts-no-postal-addresses',
      'crm-webhook/accepts-several-postal-addresses',
    ]);
  });

  test('after the same 2xx to what was to be refused', () => {
    expect(shared(onCrm(refusing), fourTimes(answered(200, '{}')))).toHaveLength(4);
  });

  test('after calls that the AI ended silently, and after connections that were to be refused', () => {
    const dropped = callOf({ by: 'ai', atMs: 20, code: 1011, reason: 'crash', clean: true });
    expect(shared(onPhone(calling), fourTimes(dropped))?.[0]).toBe('own-ai-phone/answers-a-prompt');
    expect(shared(onPhone(refusing), fourTimes(callOf()))).toHaveLength(4);
  });

  test('after the same end of the connection, whenever it came', () => {
    const closed = ['3 ms', '4.5 ms', '2 s', '7 ms'].map((time): Partial<Exchange> => {
      return { outcome: 'closed', detail: `reset after ${time}` };
    });
    const { response: _, ...sample } = cascadeRun.exchanges[0] as Exchange;
    const report = buildReport({
      ...cascadeRun,
      checks: onCrm(accepting).map((id, index) => check(id, 'fail', { evidence: [`ex-${index}`] })),
      exchanges: closed.map((one, index) => ({ ...sample, ...one, id: `ex-${index}` })),
    });
    const causeOf = sameCauses(report);
    expect(findingsOf(report, 'fail').map((finding) => causeOf(finding)?.answer)).toEqual(
      Array(4).fill('reset after 7 ms'),
    );
  });
});

describe('no common cause is claimed', () => {
  test('for three failures', () => {
    const crash = answered(500, '{}');
    expect(shared(onCrm(accepting).slice(0, 3), [crash, crash, crash])).toBeUndefined();
  });

  test('for another status or another beginning of the body', () => {
    const crash = answered(500, '{"a":1}');
    expect(shared(onCrm(accepting), [crash, crash, crash, answered(502, '{"a":1}')])).toBeUndefined();
    expect(shared(onCrm(accepting), [crash, crash, crash, answered(500, '{"a":2}')])).toBeUndefined();
  });

  test('for what one 2xx answer holds: it may have several faults', () => {
    expect(shared(onCrm(contents), fourTimes(answered(200, '{"a":1}')))).toBeUndefined();
  });

  test('for calls that were established: one call may have several faults', () => {
    const closed = { by: 'ai', atMs: 20, code: 1011, reason: '', clean: true } as const;
    expect(shared(onPhone(calling), fourTimes(callOf()))).toBeUndefined();
    expect(shared(onPhone(calling), fourTimes(callOf({ ...closed, by: 'service' })))).toBeUndefined();
    expect(shared(onPhone(calling), fourTimes(callOf(closed, [['ai', 'hello']])))).toBeUndefined();
  });

  test('across surfaces', () => {
    const ids = [...onCrm(accepting).slice(0, 3), 'own-ai-chat/accepts-30-turns'];
    expect(shared(ids, fourTimes(answered(500, '{}')))).toBeUndefined();
  });

  test('from callbacks, whose answers are our own', () => {
    expect(shared(onCrm(accepting), fourTimes({ ...answered(500, '{}'), kind: 'callback' }))).toBeUndefined();
  });
});

test('nothing is lost from the report', () => {
  expect(cascadeReport.checks).toHaveLength(cascadeRun.checks.length);
  expect(cascadeReport.summary).toMatchObject({ fail: 7, warn: 1 });
});
