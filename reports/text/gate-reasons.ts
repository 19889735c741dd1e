import type { Report, RequirementResult, Verdict } from '../../specs/generated/types.ts';
import type { GateView } from '../model/apply-gate.ts';
import { counted } from './wording.ts';

/** Ids told in one sentence at most; the report has them all. */
const shownIds = 10;

const verdictThere: Readonly<Record<Verdict, string>> = {
  fail: 'fails there',
  pass: 'passes there',
  blocked: 'blocked there',
  'not-exercised': 'not judged there',
  'not-applicable': 'not judged there',
};

/** Why a run does not pass, a sentence each; empty when it does. */
export function gateReasons(view: GateView, report: Report, baseline: Report | undefined): string[] {
  const { failing, blocked, stale, isNothingPassed: sawNothingHold } = view;
  const expired = stale.filter(({ state }) => state === 'expired').map(({ requirement }) => requirement);
  const fails = new Set(report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id));
  const unnamed = failing.filter(({ id }) => !expired.includes(id));
  return [
    ...(unnamed.length === 0 ? [] : baseline ? newSentences(unnamed, baseline) : [failingSentence(unnamed)]),
    ...stale.map(({ requirement, until, state }) =>
      state === 'expired'
        ? `The waiver for ${requirement} ended with ${until}, and ${fails.has(requirement) ? 'it still does not hold: fix it' : 'this run does not say whether it holds: take the waiver out'}, or agree on another date.`
        : `${requirement} holds, and a waiver still excuses it: take the waiver out.`,
    ),
    ...(blocked.length === 0
      ? []
      : [`${counted(blocked.length, 'requirement')} could not be judged, which nothing excuses: ${listed(blocked)}.`]),
    ...(sawNothingHold && failing.length === 0 && blocked.length === 0
      ? ['Nothing was seen to hold, so there is nothing to let pass.']
      : []),
  ];
}

function failingSentence(rows: readonly RequirementResult[]): string {
  const musts = rows.filter(({ level }) => level === 'must').length;
  const counts = [
    ...(musts > 0 ? [counted(musts, 'must')] : []),
    ...(rows.length > musts ? [counted(rows.length - musts, 'should')] : []),
  ].join(' and ');
  return `${counts} ${rows.length === 1 ? 'does' : 'do'} not hold: ${listed(rows)}.`;
}

function newSentences(rows: readonly RequirementResult[], baseline: Report): string[] {
  const before = new Map(baseline.requirements.map(({ id, verdict }) => [id, verdict]));
  const there = ({ id }: RequirementResult) => {
    const verdict = before.get(id);
    return ` (${verdict === undefined ? 'not in it' : verdictThere[verdict]})`;
  };
  const verb = rows.length === 1 ? 'requirement does not hold and did' : 'requirements do not hold and did';
  return [`${rows.length} ${verb} not fail in the baseline: ${listed(rows, there)}.`];
}

function listed(rows: readonly RequirementResult[], more: (row: RequirementResult) => string = () => ''): string {
  const names = rows.slice(0, shownIds).map((row) => row.id + more(row));
  const rest = rows.length - names.length;
  return names.join(', ') + (rest > 0 ? ` and ${rest} more` : '');
}
