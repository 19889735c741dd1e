import type { Level, Report, ReportComparison, RequirementResult } from '../../specs/generated/types.ts';
import { baselineNotes, comparisonNotes } from '../text/comparison-notes.ts';
import { requirementChecks } from './requirement-checks.ts';
import { requirementPairs, type RequirementPair } from './requirement-pairs.ts';
import { isWholePass } from './whole-pass.ts';

/**
 * Compares a run with an earlier report. Each requirement that failed there, at a level that counts, is in exactly one
 * of `known`, `fixed` and `gone`; each that fails here at such a level is in `new` or `known`. What was blocked or not
 * judged in the baseline did not fail there, so it is new when it fails now; what failed there at any level is known.
 *
 * @param counts whether failures of a level count
 * @param isReplay whether only a recorded counterexample was sent again
 */
export function compareBaseline(
  report: Report,
  baseline: Report,
  counts: (level: Level) => boolean,
  isReplay = false,
): ReportComparison {
  return compared(report, baseline, { counts, isReplay, notes: baselineNotes(baseline, report) });
}

/** Compares a run with the previous one of the same kind: each failure counts, except advice. */
export function comparePrevious(report: Report, previous: Report): ReportComparison {
  const notes = comparisonNotes(previous, report, { before: 'the last run', after: 'this run' });
  return compared(report, previous, { counts: (level) => level !== 'advice', isReplay: false, notes });
}

interface Comparing {
  counts: (level: Level) => boolean;
  isReplay: boolean;
  notes: readonly string[];
}

function compared(report: Report, baseline: Report, { counts, isReplay, notes }: Comparing): ReportComparison {
  const pairs = requirementPairs(baseline.requirements, report.requirements);
  const failsNow = ({ after }: RequirementPair) => after?.verdict === 'fail';
  const failedBefore = ({ before, after }: RequirementPair) =>
    before?.verdict === 'fail' && (counts(before.level) || (after !== undefined && counts(after.level)));
  const fixed = (pair: RequirementPair) => failedBefore(pair) && !isReplay && isFixed(pair, baseline, report);
  const ids = (matches: (pair: RequirementPair) => boolean) =>
    pairs.filter(matches).map(({ before, after }) => (after ?? before)?.id ?? '');
  return {
    startedAt: baseline.startedAt,
    verdict: baseline.verdict,
    new: ids((pair) => failsNow(pair) && counts(pair.after?.level ?? 'advice') && pair.before?.verdict !== 'fail'),
    known: ids((pair) => failsNow(pair) && failedBefore(pair)),
    fixed: ids(fixed),
    gone: ids((pair) => failedBefore(pair) && !failsNow(pair) && !fixed(pair)),
    ...(notes.length > 0 && { notes: [...notes] }),
  };
}

/**
 * A requirement is fixed when the checks that failed pass now. Renamed checks cannot be matched; then the whole
 * requirement has to pass. A run with less coverage fixes nothing: fewer generated events, another shard or recorded
 * traffic may miss the fault, and suites alone may miss a failure of a contract.
 */
export function isFixed({ before, after }: RequirementPair, baseline: Report, report: Report): boolean {
  if (!before || after?.verdict !== 'pass' || didLess(report, baseline)) return false;
  const now = new Map(requirementChecks(report, after).map((check) => [check.id, check.verdict]));
  const failed = requirementChecks(baseline, before).filter(({ verdict }) => verdict === 'fail');
  const isContractOmitted = failed.some(({ id, source }) => source === 'contract' && !now.has(id));
  if (isContractOmitted && !verifiedContracts(report, after)) return false;
  const comparable = failed.length > 0 && failed.every(({ id }) => now.has(id));
  return comparable ? failed.every(({ id }) => now.get(id) === 'pass') : isWholePass(report, after);
}

/** Whether the contract of the requirement's surface was verified, even if its interactions were renamed. */
function verifiedContracts({ checks }: Report, { surface }: RequirementResult): boolean {
  return checks.some((check) => check.surface === surface && check.source === 'contract');
}

function didLess({ selection = {} }: Report, { selection: there = {} }: Report): boolean {
  const { runs = Infinity, shard, capture = false } = selection;
  const isSameShare = shard?.index === there.shard?.index && shard?.of === there.shard?.of;
  return capture || runs < (there.runs ?? Infinity) || (shard !== undefined && shard.of > 1 && !isSameShare);
}
