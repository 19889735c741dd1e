import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import { entriesToFix, findingGroups } from '../../reports/model/finding-groups.ts';
import type { CauseEntry } from '../../reports/model/cause-entries.ts';
import { describeFault, describeObservation, entryAdvice } from '../../reports/text/describe-entry.ts';
import type { CallEndRecord, CheckResult, Exchange, Report } from '../../specs/generated/types.ts';
import {
  answered,
  cause,
  diagnosedReport,
  distantCause,
  otherSecret,
  secretPrefix,
  type DiagnosedRow,
} from './sample-causes.ts';
import { gatedReport } from './sample-formats.ts';
import { cascadeRun, check, frames } from './sample-report.ts';

/** Ids of the first requirement and of those that share its cause, if all failed after these answers. */
function shared(ids: readonly string[], answers: readonly Partial<Exchange>[]): string[] | undefined {
  const [sample] = cascadeRun.exchanges;
  const report = buildReport({
    ...cascadeRun,
    checks: ids.map((id, index) => check(id, 'fail', { evidence: [`ex-${index}`] })),
    exchanges: answers.map((answer, index) => ({ ...(sample as Exchange), ...answer, id: `ex-${index}` })),
  });
  const [common] = entriesToFix(findingGroups(report)).filter(({ rest }) => rest.length > 0);
  return common && idsOf(common);
}

function idsOf({ lead, rest }: CauseEntry): string[] {
  return [lead, ...rest].map(({ finding }) => finding.requirement.id);
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

  test('after the same 2xx to requests that must be refused', () => {
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
    expect(entriesToFix(findingGroups(report)).map(({ rest }) => rest.length)).toEqual([3]);
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

  test('for the content of one 2xx answer, which may have several faults', () => {
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

const windowMissing = cause('signature/window-missing');

function entriesOf(rows: readonly DiagnosedRow[], target: Report['target'] = {}) {
  const report = diagnosedReport(rows);
  const entries = entriesToFix(findingGroups({ ...report, target: { ...report.target, ...target } }));
  return entries.map((entry) => ({ ...entry, ids: idsOf(entry).map((id) => id.replace('own-ai-chat/', '')) }));
}

describe('one diagnosed cause is one entry', () => {
  test('of two requirements, and another cause is another entry', () => {
    const found = entriesOf([
      ['refuses-stale-timestamp', { causes: [windowMissing] }],
      ['refuses-future-timestamp', { causes: [windowMissing] }],
      ['answers-ping', { causes: [cause('payload/known-value')] }],
    ]);
    expect(found.map(({ ids }) => ids)).toEqual([
      ['answers-ping'],
      ['refuses-stale-timestamp', 'refuses-future-timestamp'],
    ]);
  });

  test('of one id only if the details are equal, except for causes of every request', () => {
    const value = (where: string) => ({ causes: [cause('payload/known-value', true, where)] });
    expect(
      entriesOf([
        ['accepts-30-turns', value('a')],
        ['accepts-every-role', value('b')],
      ]),
    ).toHaveLength(2);
    const window = (how: string) => ({ causes: [cause('signature/window-missing', true, how)] });
    expect(
      entriesOf([
        ['refuses-stale-timestamp', window('a')],
        ['refuses-future-timestamp', window('b')],
      ]),
    ).toHaveLength(1);
  });

  test('of a refusal, with what was not tried because of it, also without a diagnosis', () => {
    const notTried: Partial<CheckResult> = { verdict: 'blocked', code: 'not-tried', evidence: [] };
    const [entry, other, ...more] = entriesOf([
      ['accepts-valid-signature', {}, 401],
      ['refuses-altered-body', notTried],
      ['api-webhooks/refuses-altered-body', notTried],
      ['refuses-stale-timestamp', notTried],
    ]);
    expect(entry?.ids).toEqual(['accepts-valid-signature', 'refuses-altered-body', 'refuses-stale-timestamp']);
    expect(entry?.rest.some(({ isProbable }) => isProbable)).toBe(false);
    expect(other?.surfaces).toEqual(['api-webhooks']);
    expect(more).toEqual([]);
  });

  test('at each of two surfaces that have it, with the surface in the headline', () => {
    const entries = entriesOf([
      ['api-webhooks/refuses-stale-timestamp', { causes: [windowMissing] }],
      ['refuses-stale-timestamp', { causes: [windowMissing] }],
      ['answers-ping', { causes: [cause('payload/known-value')] }],
    ]);
    expect(entries.map(describeFault).toSorted()).toEqual([
      'The endpoint has payload/known-value.',
      `api-webhooks: ${windowMissing.summary}`,
      `own-ai-chat: ${windowMissing.summary}`,
    ]);
  });

  test('at chat and phone, if they have one secret', () => {
    const oneSecret = { 'own-ai-phone': { sharesSecret: true } } as const;
    const failed = (scheme: string) => ({ causes: [cause('signature/unknown-scheme', false, scheme)] });
    const blocked: Partial<CheckResult> = { verdict: 'blocked', evidence: [] };
    const rows: DiagnosedRow[] = [
      ['accepts-valid-signature', failed('one of 74'), 401],
      ['own-ai-phone/accepts-valid-signature', failed('one of 53'), 401],
      ['own-ai-phone/refuses-stale-timestamp', { ...failed('one of 53'), ...blocked }],
    ];
    const [entry, ...others] = entriesOf(rows, oneSecret);
    expect(others).toEqual([]);
    expect(entry?.surfaces).toEqual(['own-ai-chat', 'own-ai-phone']);
    expect(entry?.ids[0]).toBe('accepts-valid-signature');
    expect(entry?.ids).toHaveLength(3);
    expect(entriesOf(rows)).toHaveLength(2);
    // A wrong step of the verification is one in the code of each surface, which signs something else.
    const coded = { causes: [cause('signature/base64', true, 'base64')] };
    expect(
      entriesOf(
        [
          ['accepts-valid-signature', coded],
          ['own-ai-phone/accepts-valid-signature', coded],
        ],
        oneSecret,
      ),
    ).toHaveLength(2);
  });

  test('at all surfaces of one host, but not at hosts with other certificates, and not of other secrets', () => {
    const entriesWith = (id: string, [one, two]: readonly [string, string], target?: Report['target']) =>
      entriesOf(
        [
          ['api-webhooks/accepts-valid-signature', { causes: [cause(id, true, one)] }],
          ['accepts-valid-signature', { causes: [cause(id, true, two)] }],
        ],
        target,
      ).length;
    expect(entriesWith('tls/expired', ['expired in May', 'expired in May'])).toBe(1);
    expect(entriesWith('tls/expired', ['expired in May', 'expired in June'])).toBe(2);
    const elsewhere = { 'own-ai-chat': { url: 'https://other.example/chat' } };
    expect(entriesWith('tls/expired', ['expired in May', 'expired in May'], elsewhere)).toBe(2);
    expect(entriesWith('network/filtered', ['A firewall drops it.', 'A firewall drops it.'], elsewhere)).toBe(2);
    expect(entriesWith('signature/unknown-scheme', ['none of 74', 'none of 74'])).toBe(2);
  });

  test('of a wrong secret, with what it blocks and what received the same refusal', () => {
    const [entry, ...others] = entriesOf([
      ['accepts-valid-signature', { causes: [otherSecret] }, 401],
      ['answers-ping', {}, 401],
      ['accepts-30-turns', {}, 401],
      ['accepts-every-role', {}, 401],
      ['refuses-altered-body', { verdict: 'blocked', causes: [otherSecret], evidence: [] }],
      ['refuses-stale-timestamp', { verdict: 'blocked', causes: [otherSecret], evidence: [] }],
    ]);
    expect(others).toEqual([]);
    expect(entry?.ids[0]).toBe('accepts-valid-signature');
    expect(entry?.ids).toHaveLength(6);
    expect(entry && describeFault(entry)).toBe(`Probable cause: ${otherSecret.summary}`);
  });

  test('with the certain cause of a blocked requirement, if the failure has only a suspect', () => {
    const [entry, ...others] = entriesOf(distantCause);
    expect(others).toEqual([]);
    expect(entry?.cause).toEqual(secretPrefix);
    expect(entry?.ids).toHaveLength(5);
    // A certain cause has its own fix, so a hint of another requirement adds nothing.
    expect(entry?.hint).toBeUndefined();
  });

  test('with the hint of another requirement, where no cause is certain', () => {
    const [entry] = entriesOf(
      distantCause.map(([name, rest, status]) =>
        rest.verdict === 'blocked' ? [name, { ...rest, causes: [otherSecret] }, status] : [name, rest, status],
      ),
    );
    expect(entry?.cause).toEqual(otherSecret);
    expect(entry?.hint).toBe('Enter it with whsec_.');
  });

  test('of a mistake and the weakness that follows from it; the mistake leads', () => {
    const [entry, ...others] = entriesOf([
      ['refuses-altered-body', { causes: [cause('signature/rewritten-body-accepted')] }],
      ['refuses-reserialised-body', { causes: [cause('signature/body-compact')] }],
      ['accepts-other-number-forms', {}, 401],
      ['accepts-any-wire-form', { causes: [cause('signature/body-compact')] }, 401],
    ]);
    expect(others).toEqual([]);
    expect(entry?.cause?.id).toBe('signature/body-compact');
    expect(entry?.ids[0]).toBe('refuses-reserialised-body');
    expect(entry?.rest.filter(({ isProbable }) => isProbable)).toHaveLength(1);
  });

  test('not of a narrow cause and failures that only received the same answer', () => {
    const rows: DiagnosedRow[] = [
      ['accepts-30-turns', { causes: [cause('payload/known-value')] }, 500],
      ['accepts-every-role', {}, 500],
      ['answers-ping', {}, 500],
      ['accepts-every-channel', {}, 500],
    ];
    const found = entriesOf(rows);
    expect(found.map(({ cause: one, ids }) => [one?.id, ids.length])).toEqual([
      [undefined, 3],
      ['payload/known-value', 1],
    ]);
    const whole = rows.map(([name, { causes }, status]): DiagnosedRow => {
      return [name, causes ? { causes: [cause('network/reset')] } : {}, status];
    });
    expect(entriesOf(whole)).toHaveLength(1);
  });

  test('not of two certain causes with the same answer', () => {
    const crash = (where: string) => ({ causes: [cause('payload/known-value', true, where)] });
    const found = entriesOf([
      ['accepts-30-turns', crash('a'), 500],
      ['accepts-every-role', crash('b'), 500],
      ['answers-ping', {}, 500],
      ['accepts-every-channel', {}, 500],
    ]);
    expect(found.map(({ ids }) => ids.length).toSorted()).toEqual([1, 1, 2]);
  });
});

test('a probable cause before the endpoint has only its own fix', () => {
  const labels = (id: string) =>
    entriesOf([['accepts-valid-signature', { causes: [cause(id, false)] }, 404]]).flatMap((entry) =>
      entryAdvice(entry).map(({ label }) => label),
    );
  expect(labels('http/path-not-found')).toEqual(['Fix', 'Cause']);
  expect(labels('signature/unknown-scheme')).toEqual(['Fix', 'In general', 'Cause']);
});

test('the observation precedes the expectation, without the address in the evidence', () => {
  const place = 'for POST http://127.0.0.1:8080/crm (one event as the service sends it)';
  const [entry] = entriesOf([
    ['answers-ping', { expected: 'a 2xx status', received: `status 500 without a body ${place}` }, 500],
  ]);
  expect(entry && describeObservation(entry.lead)).toBe(
    'Received status 500 without a body for one event as the service sends it; expected a 2xx status',
  );
});

test('every failed or blocked requirement is in one group', () => {
  const { fails, blocked, partlyBlocked, excused, warns, advice } = findingGroups(gatedReport);
  const shown = [
    ...[...fails, ...blocked, ...warns, ...advice].flatMap(idsOf),
    ...[...partlyBlocked, ...excused].map(({ finding }) => finding.requirement.id),
  ];
  for (const group of [fails, blocked, partlyBlocked, excused, warns, advice]) expect(group).not.toEqual([]);
  const rows = gatedReport.requirements.filter(({ verdict }) => verdict === 'fail' || verdict === 'blocked');
  expect(shown.toSorted()).toEqual(rows.map(({ id }) => id).toSorted());
});
