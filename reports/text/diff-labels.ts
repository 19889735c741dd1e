import type {
  ChangeGroup,
  ChangeKind,
  ChangeSide,
  DiffedReport,
  ReportDiff,
  RequirementChange,
} from '../model/diff-reports.ts';
import { outcomeOf, type Outcome } from '../model/verdict.ts';
import { counted, formatTime, outcomeLabels, formatRepeats, labelVerdict } from './wording.ts';

/** Heading of the changes of one kind, and the label for their number. */
export const changeLabels: Readonly<Record<ChangeKind, { readonly title: string; readonly brief: string }>> = {
  fails: { title: 'Newly failing', brief: 'newly failing' },
  blocked: { title: 'Newly blocked', brief: 'newly blocked' },
  lost: { title: 'No longer judged', brief: 'no longer judged' },
  fixed: { title: 'Fixed', brief: 'fixed' },
  unblocked: { title: 'No longer blocked', brief: 'no longer blocked' },
  judged: { title: 'Judged for the first time', brief: 'judged for the first time' },
  'fails-in-both': { title: 'Fails in both', brief: 'failing in both' },
  'blocked-in-both': { title: 'Blocked in both', brief: 'blocked in both' },
  level: { title: 'Level changed', brief: 'with a changed level' },
};

/** The current outcome of the requirement, which decides colour and sign. */
export function changeOutcome({ after }: RequirementChange): Outcome {
  return after ? outcomeOf(after) : 'not-exercised';
}

/** Whether the message of the second report adds anything: it does unless the requirement passes or is unchanged. */
function hasNewMessage({ kind, messageDiffers }: RequirementChange): boolean {
  return messageDiffers === true || kind === 'fails' || kind === 'blocked' || kind === 'lost';
}

/** A labelled line of a change. */
export interface ChangeLine {
  readonly label: 'formerly' | 'before' | 'now' | 'failed';
  readonly text: string;
}

/** Details of a change. Contains outside text: escape it for the output format. */
export function changeLines(change: RequirementChange): ChangeLine[] {
  const { kind, formerId, before, after, messageDiffers } = change;
  const line = (label: ChangeLine['label'], text: string | undefined) => (text === undefined ? [] : [{ label, text }]);
  return [
    ...line('formerly', formerId),
    ...(messageDiffers || kind === 'fixed' ? line('before', before?.message) : []),
    ...(hasNewMessage(change) ? line('now', after?.message) : []),
    ...line('failed', formatRepeats(after)),
  ];
}

/** The lines by which changes are grouped. */
export function groupingLines(change: RequirementChange): string[] {
  return changeLines(change).map(({ label, text }) => `${label} ${text}`);
}

/** The most requirements of a group that are named; JSON has them all. */
export const mostNamedAlike = 5;

/** `own-ai-phone: 40 requirements` for a group that changed because its surface is configured in one report only. */
export function formatSurfaceChange([first, ...others]: ChangeGroup): string | undefined {
  const isOfSurface = [first.before, first.after].some((side) => side?.verdict === 'not-applicable');
  const change = formatChange(first);
  if (!isOfSurface || others.length === 0 || others.some((other) => formatChange(other) !== change)) return undefined;
  return `${first.surface}: ${others.length + 1} requirements`;
}

export function describeVerdictChange({ before, after }: ReportDiff): string {
  const [was, is] = [labelVerdict(before), labelVerdict(after)];
  const text = was === is ? `${is} in both` : `from ${was} to ${is}`;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The outcome of a requirement before and after: `passes → fails`; one word when nothing changed. */
export function formatChange({ before, after }: RequirementChange): string {
  const [was, is] = [formatSide(before, after), formatSide(after, before)];
  return was === is ? is : `${was} → ${is}`;
}

/** One side of a change, with its level when the other side has another one. */
function formatSide(side: ChangeSide | undefined, other: ChangeSide | undefined): string {
  if (!side) return 'not in the catalogue';
  const { word } = outcomeLabels[outcomeOf(side)];
  return other && other.level !== side.level ? `${word} (${side.level})` : word;
}

/** One of the two reports in one line. Contains outside text: escape it for the output format. */
export function formatDiffedReport({
  name,
  startedAt,
  verdict,
  version,
  protocol,
  seed,
  summary,
}: DiffedReport): string {
  const { fail, warn, blocked, pass } = summary;
  return `${name === undefined ? '' : `${name}, `}${formatTime(startedAt)}: ${labelVerdict({ verdict })}, ${pass} pass, ${fail} fail, ${warn} warn, ${blocked} blocked (version ${version}, protocol ${protocol}, seed ${seed})`;
}

/** The number of changes by kind and of unchanged requirements, as one sentence. */
export function diffSummary({ changes, unchanged }: ReportDiff): string {
  const counts = Map.groupBy(changes, ({ kind }) => kind);
  const changed = [...counts].map(([kind, { length }]) => `${length} ${changeLabels[kind].brief}`);
  const same = [
    ...(unchanged.pass > 0 ? [`${counted(unchanged.pass, 'passes', 'pass')} in both`] : []),
    ...(unchanged.notJudged > 0 ? [`${unchanged.notJudged} judged in neither`] : []),
  ];
  return `${[...(changed.length === 0 ? ['Nothing changed'] : changed), ...same].join(', ')}.`;
}
