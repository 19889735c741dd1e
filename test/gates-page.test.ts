import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { gateExitCode } from '../reports/model/apply-gate.ts';
import { changeKinds } from '../reports/model/diff-reports.ts';
import { changeLabels } from '../reports/text/diff-labels.ts';
import { baselineLabels, formatRepeats } from '../reports/text/wording.ts';
import { schemas } from '../specs/schemas.ts';
import type { Gate, ReportComparison, WaiverResult } from '../specs/generated/types.ts';
import { idOf, reportOf } from './reports/sample-gates.ts';

const page = await readFile(new URL('../docs/gates.md', import.meta.url), 'utf8');

/** The rows of the table whose head begins with this cell, as cells without their code marks. */
function table(head: string): string[][] {
  const lines = page.split('\n');
  const from = lines.findIndex((line) => line.startsWith(`| ${head} `));
  const end = lines.findIndex((line, at) => at > from && !line.startsWith('|'));
  return lines.slice(from + 2, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  );
}

/** The states that the schema of a waiver's result allows, in any of its branches. */
function statesIn(schema: unknown): WaiverResult['state'][] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { title, properties } = schema as {
    title?: unknown;
    properties?: { state?: { enum?: WaiverResult['state'][] } };
  };
  if (title === 'WaiverResult') return properties?.state?.enum ?? [];
  return Object.values(schema).flatMap(statesIn);
}

const failing = reportOf({ a: 'fail', b: 'pass' });

/** Whether a gate with these facts fails the run according to the table. */
function failsRun(facts: Partial<Gate>): string {
  const gate: Gate = { passed: false, failOn: 'must', reasons: [], ...facts };
  return gateExitCode({ ...failing, gate }) === 1 ? 'yes' : 'no';
}

describe('docs/gates.md', () => {
  it('has each state of a waiver, and whether it fails the run', () => {
    const states = statesIn(schemas.report);
    const documented = table('state').map(([state, , fails]) => [state, fails]);
    const waiver = { requirement: idOf('b'), reason: 'x', until: '2026-12-31' };
    const known = {
      startedAt: '',
      verdict: 'non-conformant',
      new: [],
      known: [idOf('a')],
      fixed: [],
      gone: [],
    } as const;
    const baseline = known as unknown as ReportComparison;
    expect(documented).toEqual(states.map((state) => [state, failsRun({ baseline, waivers: [{ ...waiver, state }] })]));
  });

  it('has each field of a comparison with a baseline, and whether it fails the run', () => {
    const none = { startedAt: '', verdict: 'conformant', new: [], known: [], fixed: [], gone: [] } as const;
    const documented = table('in the report').map(([field, , fails]) => [field, fails]);
    expect(documented).toEqual(
      Object.keys(baselineLabels).map((field) => [
        field,
        failsRun({ baseline: { ...none, [field]: [idOf('a')] } as unknown as ReportComparison }),
      ]),
    );
  });

  it('has each kind of change of a diff', () => {
    const documented = table('`kind`').flatMap(([kinds = '']) => kinds.split(', '));
    expect(documented.toSorted()).toEqual([...changeKinds].toSorted());
  });

  it('uses the words of the diff for requirements that are no longer judged', () => {
    expect(page).toContain(` is ${changeLabels.lost.brief}, is ${changeLabels.fixed.brief}`);
    expect(page).not.toContain('any more');
  });

  it('uses the words of the report for repeated failures', () => {
    const documented = table('it failed').map(([, words]) => words);
    const repeats = [
      { failed: 4, of: 4 },
      { failed: 2, of: 4 },
      { failed: 1, of: 4 },
      { failed: 1, of: 1 },
    ];
    expect(documented).toEqual(repeats.map((one) => formatRepeats({ repeats: one })));
  });
});
