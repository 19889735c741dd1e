import type {
  CheckResult,
  Level,
  Repeats,
  Report,
  RequirementResult,
  Summary,
  Verdict,
} from '../../specs/generated/types.ts';
import { withoutTimes } from './answer-key.ts';
import { isFixed } from './compare-baseline.ts';
import { comparisonNotes, partNotes } from '../text/comparison-notes.ts';
import { requirementPairs, type RequirementPair } from './requirement-pairs.ts';

/** Kinds of changes of a requirement between two reports, most important first. */
export const changeKinds = [
  'fails',
  'blocked',
  'lost',
  'fixed',
  'unblocked',
  'judged',
  'fails-in-both',
  'blocked-in-both',
  'level',
] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** A requirement in one of the two reports. */
export interface ChangeSide {
  readonly level: Level;
  readonly verdict: Verdict;
  readonly message?: string;
  /** How often it failed when failures were rerun. */
  readonly repeats?: Repeats;
}

/** A requirement that changed, or that is still failed or blocked. */
export interface RequirementChange {
  readonly kind: ChangeKind;
  readonly id: string;
  /** Its id in the first report, if it was renamed. */
  readonly formerId?: string;
  readonly surface: string;
  /** Missing when the catalogue of the first report lacks it; the same applies to `after`. */
  readonly before?: ChangeSide;
  readonly after?: ChangeSide;
  /** It fails in both with different messages, apart from ids and times. */
  readonly messageDiffers?: true;
}

/** Changes of one kind and surface that are described by the same lines. */
export type ChangeGroup = readonly [first: RequirementChange, ...others: RequirementChange[]];

/** One of the two reports. */
export interface DiffedReport {
  /** The file or directory that was given. */
  readonly name?: string;
  readonly startedAt: string;
  readonly verdict: Report['verdict'];
  readonly version: string;
  readonly protocol: string;
  readonly seed: number;
  readonly summary: Summary;
}

/** The differences between two reports. */
export interface ReportDiff {
  readonly schemaVersion: 2;
  readonly before: DiffedReport;
  readonly after: DiffedReport;
  /** Reasons why the two are hard to compare, one sentence each. */
  readonly notes: readonly string[];
  /** In the order of {@link changeKinds}, within one kind in the order of the second report. */
  readonly changes: readonly RequirementChange[];
  /** Requirements that pass in both, and those that were judged in neither. */
  readonly unchanged: { readonly pass: number; readonly notJudged: number };
}

/**
 * Compares two reports, requirement by requirement.
 *
 * @param names the files or directories that were given
 */
export function diffReports(before: Report, after: Report, names?: readonly [string, string]): ReportDiff {
  const pairs = requirementPairs(before.requirements, after.requirements);
  const changes = pairs.flatMap((pair) => {
    const kind = kindOf(pair, before, after);
    return kind === undefined ? [] : [change(kind, pair, before, after)];
  });
  const unchanged = pairs.filter((pair) => kindOf(pair, before, after) === undefined);
  const pass = unchanged.filter((pair) => pair.after?.verdict === 'pass').length;
  return {
    schemaVersion: 2,
    before: summaryOf(before, names?.[0]),
    after: summaryOf(after, names?.[1]),
    notes: [
      ...comparisonNotes(before, after, { before: 'the first report', after: 'the second' }),
      ...partNotes(before, 'the first report'),
      ...partNotes(after, 'the second report'),
    ],
    changes: changes.toSorted((a, b) => changeKinds.indexOf(a.kind) - changeKinds.indexOf(b.kind)),
    unchanged: { pass, notJudged: unchanged.length - pass },
  };
}

function kindOf(pair: RequirementPair, before: Report, after: Report): ChangeKind | undefined {
  const [was, is] = [pair.before?.verdict, pair.after?.verdict];
  if (is === 'fail') return was === 'fail' ? 'fails-in-both' : 'fails';
  if (is === 'blocked') return was === 'blocked' ? 'blocked-in-both' : 'blocked';
  if (was === 'blocked') return is === 'pass' ? 'unblocked' : 'lost';
  if (was === 'fail') return isFixed(pair, before, after) ? 'fixed' : 'lost';
  if (was === 'pass' && is !== 'pass') return 'lost';
  if (was !== 'pass' && is === 'pass') return 'judged';
  const otherLevel = pair.before && pair.after && pair.before.level !== pair.after.level;
  return otherLevel ? 'level' : undefined;
}

function change(kind: ChangeKind, pair: RequirementPair, before: Report, after: Report): RequirementChange {
  const row = (pair.after ?? pair.before) as RequirementResult;
  const formerId = pair.before?.id;
  const sides = [pair.before && sideOf(pair.before, before), pair.after && sideOf(pair.after, after)] as const;
  const [was, is] = sides;
  const messageDiffers = kind === 'fails-in-both' && comparable(was?.message) !== comparable(is?.message);
  return {
    kind,
    id: row.id,
    ...(formerId !== undefined && formerId !== row.id && { formerId }),
    surface: row.surface,
    ...(was && { before: was }),
    ...(is && { after: is }),
    ...(messageDiffers && { messageDiffers }),
  };
}

function sideOf({ level, verdict, message, checks }: RequirementResult, report: Report): ChangeSide {
  const ids = new Set(checks);
  const repeats = report.checks.find((check) => ids.has(check.id) && isDeciding(check, verdict))?.repeats;
  return {
    level,
    verdict,
    ...(message !== undefined && { message }),
    ...(repeats && { repeats }),
  };
}

function isDeciding({ verdict, repeats }: CheckResult, decided: Verdict): boolean {
  return verdict === decided && repeats !== undefined;
}

/** Ids, times and ports; a status or a count is shorter. */
const differsInAnyRun = /\b(?=\w*\d)(?=\w*[a-z])\w{8,}\b|\d{5,}|\d{4}-\d\d-\d\d[T ][\d:.]+|(?<=:)\d{2,5}(?=\/)/gi;

/** Kinds whose changes without a line are alike: what is good news or unchanged needs no line for each requirement. */
const alikeWithoutLines: readonly ChangeKind[] = ['lost', 'unblocked', 'judged', 'blocked-in-both'];

/**
 * Groups the changes of one kind that are described by the same lines, since one cause changes many requirements. The
 * groups are in the order of their first change.
 *
 * @param linesOf the lines that describe a change; one that fails without lines is not grouped
 */
export function changeGroups(
  { changes }: ReportDiff,
  kind: ChangeKind,
  linesOf: (change: RequirementChange) => readonly string[],
): ChangeGroup[] {
  const groups = Map.groupBy(
    changes.filter((change) => change.kind === kind),
    (change) => {
      const lines = linesOf(change);
      if (lines.length === 0 && !alikeWithoutLines.includes(kind)) return change;
      const { surface, before, after } = change;
      return JSON.stringify([surface, before?.verdict, after?.verdict, ...lines.map(comparable)]);
    },
  );
  return [...groups.values()] as unknown as ChangeGroup[];
}

/** The message without ids, times and ports, which differ between any two runs. */
function comparable(message: string | undefined): string {
  return withoutTimes(message ?? '').replaceAll(differsInAnyRun, 'n');
}

function summaryOf(report: Report, name: string | undefined): DiffedReport {
  const { startedAt, verdict, harness, protocol, seed, summary } = report;
  return { ...(name !== undefined && { name }), startedAt, verdict, version: harness.version, protocol, seed, summary };
}
