import { describe, expect, test } from 'vitest';
import { applyGate } from '../../reports/model/apply-gate.ts';
import { renderSarif } from '../../reports/write/sarif/render-sarif.ts';
import { sarifProblems } from './format-schemas.ts';
import { everyEnd, gatedReport } from './sample-formats.ts';
import { idOf, reportOf } from './sample-gates.ts';
import { hostileReport, manyFailuresReport } from './sample-report.ts';

test.each([
  ['many-failures', manyFailuresReport],
  ['hostile', hostileReport],
  ['gated', gatedReport],
])('%s reads as its golden file', async (name, report) => {
  await expect(renderSarif(report)).toMatchFileSnapshot(`golden/${name}.sarif.txt`);
});

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: { readonly artifactLocation: { readonly uri: string }; readonly region: object };
  }[];
  readonly partialFingerprints: { readonly primaryLocationLineHash: string };
  readonly baselineState?: string;
  readonly suppressions?: readonly { readonly justification: string }[];
  readonly [field: string]: unknown;
}

interface Rule {
  readonly id: string;
  readonly shortDescription: { readonly text: string };
  readonly fullDescription: { readonly text: string };
  readonly help: { readonly text: string };
  readonly properties: { readonly 'problem.severity': string };
}

function runOf(text: string): { results: Result[]; rules: Rule[]; invocation: { executionSuccessful: boolean } } {
  const [run] = JSON.parse(text).runs;
  return { results: run.results, rules: run.tool.driver.rules, invocation: run.invocations[0] };
}

describe.each(everyEnd)('%s', (_, report) => {
  test('is valid against the schema of SARIF 2.1.0', () => {
    expect(sarifProblems(JSON.parse(renderSarif(report)))).toEqual([]);
  });

  test('has what GitHub code scanning requires of rules and results', () => {
    const { results, rules } = runOf(renderSarif(report));
    for (const { id, shortDescription, fullDescription, help } of rules) {
      expect(id).not.toBe('');
      for (const { text } of [shortDescription, fullDescription]) {
        expect(text.length).toBeGreaterThan(0);
        expect(text.length).toBeLessThanOrEqual(1024);
      }
      expect(help.text).not.toBe('');
    }
    for (const { ruleId, ruleIndex, message, locations, partialFingerprints, level } of results) {
      expect(rules[ruleIndex]?.id).toBe(ruleId);
      expect(['error', 'warning', 'note']).toContain(level);
      expect(message.text).not.toBe('');
      expect(locations.map(({ physicalLocation }) => physicalLocation)).toEqual([
        {
          artifactLocation: { uri: 'svc-conform.config.json' },
          region: { startLine: 1, startColumn: 1, endLine: 1, endColumn: 2 },
        },
      ]);
      expect(partialFingerprints.primaryLocationLineHash).toMatch(/^[0-9a-f]{16}:1$/);
    }
    const prints = results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
    expect(new Set(prints).size).toBe(prints.length);
  });
});

test('a finding keeps its fingerprint when the received value differs', () => {
  const print = (message: string) => {
    const requirements = manyFailuresReport.requirements.map((row) => ({ ...row, message }));
    return runOf(renderSarif({ ...manyFailuresReport, requirements })).results[0]?.partialFingerprints;
  };
  expect(print('received 500')).toEqual(print('received 404'));
});

test('a long statement is cut to the limit of GitHub', () => {
  const report = reportOf({ a: { verdict: 'fail', statement: 'x'.repeat(3000) } });
  const [rule] = runOf(renderSarif(report)).rules;
  expect([rule?.shortDescription.text.length, rule?.fullDescription.text.length]).toEqual([1024, 1024]);
});

test('findings are shown at the config that was used', () => {
  const uris = (configFile: string) =>
    runOf(renderSarif({ ...manyFailuresReport, configFile })).results.map(
      ({ locations }) => locations[0]?.physicalLocation.artifactLocation.uri,
    );
  expect(new Set(uris('certs/my config.yaml'))).toEqual(new Set(['certs/my%20config.yaml']));
  expect(new Set(uris('a?b/c#d/50%:.ts'))).toEqual(new Set(['a%3Fb/c%23d/50%25%3A.ts']));
});

test('a config in a subdirectory is located from the root of its repository', () => {
  const report = { ...manyFailuresReport, configFile: 'c.json', configInRepository: 'sub/c.json' };
  const [first] = runOf(renderSarif(report)).results;
  expect(first?.locations[0]?.physicalLocation.artifactLocation.uri).toBe('sub/c.json');
});

test('outside strings become neither links nor placeholders', () => {
  const requirements = manyFailuresReport.requirements.map((row) => ({
    ...row,
    message: 'received [press](https://evil.example) {0} {"a":1}',
  }));
  const [first] = runOf(renderSarif({ ...manyFailuresReport, requirements })).results;
  expect(first?.message.text).toContain('received [press] (https://evil.example) { 0 } {"a":1}');
});

test('waived failures are suppressed, known ones unchanged, and both are notes', () => {
  const { results, invocation } = runOf(renderSarif(gatedReport));
  const states = results.map(({ ruleId, level, baselineState, suppressions }) => [
    ruleId.replace('own-ai-chat/', ''),
    level,
    baselineState,
    suppressions?.[0]?.justification,
  ]);
  expect(states).toEqual([
    ['new', 'error', 'new', undefined],
    ['known', 'note', 'unchanged', undefined],
    ['waived', 'note', 'new', 'Known, ticket 12. (until 2026-12-31)'],
    ['over', 'error', 'new', undefined],
    ['partly', 'note', 'unchanged', undefined],
    ['warned', 'warning', undefined, undefined],
    ['advised', 'note', undefined, undefined],
    ['svc-conform/run', 'error', undefined, undefined],
    ['svc-conform/run', 'error', undefined, undefined],
    ['svc-conform/run', 'error', undefined, undefined],
  ]);
  expect(invocation.executionSuccessful).toBe(true);
});

test('a known failure is unchanged although it is waived, but not once its waiver has expired', () => {
  const rows = { a: 'fail', b: 'fail', c: 'fail', d: 'pass' } as const;
  const of = (name: string, until: string) => ({ requirement: idOf(name), reason: 'Ticket 12.', until });
  const report = applyGate(reportOf(rows), {
    failOn: 'must',
    today: '2026-10-12',
    baseline: reportOf({ ...rows, c: 'pass' }),
    waivers: [of('a', '2026-12-31'), of('b', '2026-01-31')],
  });
  const states = runOf(renderSarif(report)).results.map(({ ruleId, baselineState }) => [ruleId, baselineState]);
  expect(states).toEqual([
    [idOf('a'), 'unchanged'],
    [idOf('b'), undefined],
    [idOf('c'), 'new'],
  ]);
});

test('a rule is as severe as its result, since the rule is what GitHub shows', () => {
  const { rules } = runOf(renderSarif(gatedReport));
  const severity = (name: string) => rules.find(({ id }) => id === idOf(name))?.properties['problem.severity'];
  expect(['new', 'known', 'waived', 'stale', 'warned'].map(severity)).toEqual([
    'error',
    'recommendation',
    'recommendation',
    'error',
    'warning',
  ]);
});

test('a run that could not judge says that it did not succeed', () => {
  const report = everyEnd.find(([name]) => name === 'blocked only')?.[1] ?? manyFailuresReport;
  const { invocation, results } = runOf(renderSarif(report));
  expect(invocation.executionSuccessful).toBe(false);
  expect(results[0]?.message.text).toMatch(/^1 requirement of own-ai-chat could not be judged: /);
});

test('the deciding exchange appears with its result', () => {
  const { results } = runOf(renderSarif(manyFailuresReport));
  expect(results[0]).toMatchObject({
    webRequest: {
      method: 'POST',
      target: 'http://127.0.0.1:8080/crm',
      headers: { authorization: 'Bearer [redacted]' },
    },
    webResponse: { statusCode: 200, body: { text: '{}' } },
  });
});
