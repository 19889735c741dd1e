import type { Report, RequirementResult, Verdict } from '../../specs/generated/types.ts';
import type { GateView } from '../model/gate-view.ts';
import { counted } from './wording.ts';

/** The most ids in one sentence; the report has them all. */
const shownIds = 10;

const verdictThere: Readonly<Record<Verdict, string>> = {
  fail: 'failed there',
  pass: 'passed there',
  blocked: 'blocked there',
  'not-exercised': 'not judged there',
  'not-applicable': 'not judged there',
};

/** Reasons why the gate fails, a sentence each; empty when it passes. */
export function gateReasons(view: GateView, report: Report, baseline: Report | undefined): string[] {
  const { failing, blocked, stale, isNothingPassed: sawNothingHold } = view;
  const expired = stale.filter(({ state }) => state === 'expired').map(({ requirement }) => requirement);
  const fails = new Set(report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const unnamed = failing.filter(({ id }) => !expired.includes(id));
  return [
    ...(unnamed.length === 0 ? [] : baseline ? newSentences(unnamed, baseline) : [failingSentence(unnamed)]),
    ...stale.map(({ requirement, until, state }) =>
      state === 'expired'
        ? `The waiver for ${requirement} expired on ${until}, and ${fails.has(requirement) ? 'it still fails: fix it' : 'this run does not show whether it passes: remove the waiver'}, or agree on another date.`
        : `${requirement} passes, but a waiver still excuses it: remove the waiver.`,
    ),
    ...(blocked.length === 0
      ? []
      : [
          `${counted(blocked.length, 'requirement')} could not be judged, which no waiver or baseline covers: ${listed(blocked)}.`,
        ]),
    ...(sawNothingHold && failing.length === 0 && blocked.length === 0
      ? ['No requirement passed, so the gate cannot pass.']
      : []),
  ];
}

function failingSentence(rows: readonly RequirementResult[]): string {
  const musts = rows.filter(({ level }) => level === 'must').length;
  const counts = [
    ...(musts > 0 ? [`${musts} MUST`] : []),
    ...(rows.length > musts ? [`${rows.length - musts} SHOULD`] : []),
  ].join(' and ');
  return `${counts} ${rows.length === 1 ? 'requirement' : 'requirements'} failed: ${listed(rows)}.`;
}

function newSentences(rows: readonly RequirementResult[], baseline: Report): string[] {
  const before = new Map(baseline.requirements.map(({ id, verdict }) => [id, verdict]));
  const there = ({ id }: RequirementResult) => {
    const verdict = before.get(id);
    return ` (${verdict === undefined ? 'not in it' : verdictThere[verdict]})`;
  };
  return [`${counted(rows.length, 'requirement')} failed that did not fail in the baseline: ${listed(rows, there)}.`];
}

function listed(rows: readonly RequirementResult[], more: (row: RequirementResult) => string = () => ''): string {
  const names = rows.slice(0, shownIds).map((row) => row.id + more(row));
  const rest = rows.length - names.length;
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
