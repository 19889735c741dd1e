import { describe, expect, test } from 'vitest';
import { buildReport } from '../../reports/model/build-report.ts';
import type { RunRecord } from '../../reports/model/build-report.ts';
import { requirements } from '../../specs/requirements/catalogue.ts';
import { cascadeReport, check, cleanRun, hostileReport, manyFailuresReport, sampleCatalogue } from './sample-report.ts';
import { surfaces } from '../../specs/surfaces.ts';

function rowOf(id: string, change: Partial<RunRecord>) {
  return buildReport({ ...cleanRun, checks: [], ...change }, sampleCatalogue).requirements.find((row) => row.id === id);
}

const id = 'crm-webhook/refuses-wrong-token';

describe('a requirement row', () => {
  test('has the verdict and message of the deciding check', () => {
    const checks = [
      check(id, 'pass', { id: 'a', message: 'fine' }),
      check(id, 'blocked', { id: 'b', message: 'refused' }),
      check(id, 'fail', { id: 'c', message: 'expected 401, received 200' }),
      check(id, 'fail', { id: 'd', message: 'later' }),
    ];
    expect(rowOf(id, { checks })).toEqual({
      id,
      surface: 'crm-webhook',
      section: 'Authentication',
      level: 'must',
      verdict: 'fail',
      statement: sampleCatalogue[id]?.statement,
      remediation: sampleCatalogue[id]?.remediation,
      message: 'expected 401, received 200',
      checks: ['a', 'b', 'c', 'd'],
    });
  });

  test('makes a message of expected and received when there is none', () => {
    const checks = [check(id, 'fail', { expected: '401', received: '200' })];
    expect(rowOf(id, { checks })?.message).toBe('expected 401, received 200');
  });

  test("of the integrator's own is marked, and judged like any other", () => {
    const own = {
      'crm-webhook/acme-rule': {
        section: 'Handbook',
        level: 'should' as const,
        statement: 'It works.',
        remediation: 'Fix it.',
      },
    };
    const failing = { own, checks: [check('crm-webhook/acme-rule', 'fail', { message: 'expected a, received b' })] };
    expect(rowOf('crm-webhook/acme-rule', failing)).toMatchObject({
      own: true,
      level: 'should',
      verdict: 'fail',
      section: 'Handbook',
      remediation: 'Fix it.',
      message: 'expected a, received b',
    });
    expect(rowOf('crm-webhook/acme-rule', { own })).toMatchObject({ own: true, verdict: 'not-exercised' });
    expect(rowOf(id, { own })).not.toHaveProperty('own');
  });

  test('of a surface that is not configured is not applicable and names the config key', () => {
    expect(rowOf('own-ai-phone/refuses-bad-signature', {})).toMatchObject({
      verdict: 'not-applicable',
      message: 'own-ai-phone is not configured (config key phone)',
    });
  });

  test('that no black box can observe says why', () => {
    expect(rowOf('crm-webhook/compares-in-constant-time', {})).toMatchObject({
      verdict: 'not-exercised',
      message: 'the time differs by less than the network does',
      unobservable: 'the time differs by less than the network does',
    });
  });

  test('without a check result was not exercised', () => {
    expect(rowOf(id, {})).toMatchObject({ verdict: 'not-exercised', message: 'no check ran', checks: [] });
  });

  test.each([
    ['a list', ['api-webhooks/answers-200']],
    ['a predicate', (one: string) => one.startsWith('api-webhooks/')],
  ] as const)('that was not selected by %s says so', (_, selected) => {
    expect(rowOf(id, { selected })).toMatchObject({ verdict: 'not-exercised', message: 'not selected in this run' });
    expect(rowOf('api-webhooks/answers-200', { selected })?.message).toBe('no check ran');
  });

  test('that no black box can observe was not selected either', () => {
    const row = rowOf('crm-webhook/compares-in-constant-time', { selected: ['api-webhooks/answers-200'] });
    expect(row).toMatchObject({ verdict: 'not-exercised', message: 'not selected in this run' });
  });

  test('is made for a check of no known requirement, so that nothing is lost', () => {
    const checks = [check('own-suite/something', 'fail', { title: 'something holds', message: 'it does not' })];
    expect(rowOf('own-suite/something', { checks })).toMatchObject({
      verdict: 'fail',
      level: 'must',
      statement: 'something holds',
      message: 'it does not',
    });
  });
});

describe('a report', () => {
  test('omits the statements about the service itself', () => {
    expect(hostileReport.requirements.filter((row) => row.surface === 'service')).toEqual([]);
  });

  test('lists failures first, by severity, and the rest in the order of the catalogue', () => {
    expect(
      manyFailuresReport.requirements.map(({ id: rowId, level, verdict }) => `${verdict} ${level} ${rowId}`),
    ).toEqual([
      'fail must crm-webhook/answers-lookup-in-time',
      'fail must crm-webhook/refuses-wrong-token',
      'fail must own-ai-chat/answers-valid-events',
      'blocked must api-webhooks/answers-200',
      'blocked must api-webhooks/refuses-other-secret',
      'fail should crm-webhook/calls-back-without-token',
      'fail advice crm-webhook/keeps-private-data-out',
      'not-exercised must crm-webhook/ids-are-strings',
      'not-exercised must crm-webhook/compares-in-constant-time',
      'pass must own-ai-chat/refuses-altered-body',
      'not-exercised should own-ai-chat/names-offered-skills',
      'not-applicable must own-ai-phone/refuses-bad-signature',
    ]);
  });

  test('lists failing basic requirements before the detailed ones, whatever their surface', () => {
    const failing = cascadeReport.requirements.filter(({ level, verdict }) => level === 'must' && verdict === 'fail');
    expect(failing.map((row) => row.id)).toEqual([
      'crm-webhook/accepts-the-token',
      'crm-webhook/answers-every-event',
      'own-ai-chat/answers-ping',
      'crm-webhook/unknown-event-name-204',
      'crm-webhook/accepts-null-members',
      'crm-webhook/flags-are-boolean',
      'own-ai-chat/accepts-30-turns',
    ]);
  });

  test('of a run without results is incomplete and contains the whole catalogue', () => {
    const report = buildReport({ ...cleanRun, configured: [...surfaces], checks: [] });
    expect(report.verdict).toBe('incomplete');
    expect(report.requirements.map((row) => row.id)).toEqual(Object.keys(requirements));
    expect(report.requirements.filter((row) => row.verdict !== 'not-exercised')).toEqual([]);
  });
});
