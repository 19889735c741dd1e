import type { ChangeKind, ChangeSide, DiffedReport, ReportDiff, RequirementChange } from '../model/diff-reports.ts';
import { outcomeOf, type Outcome } from '../model/verdict.ts';
import { counted, formatTime, outcomeLabels, formatRepeats, labelVerdict } from './wording.ts';

/** Title of the changes of one kind, and how many of them there are in few words. */
export const changeLabels: Readonly<Record<ChangeKind, { readonly title: string; readonly brief: string }>> = {
  fails: { title: 'Fails, and did not before', brief: 'newly failing' },
  blocked: { title: 'Blocked, and was not before', brief: 'newly blocked' },
  lost: { title: 'Not judged now', brief: 'not judged now' },
  fixed: { title: 'Fixed', brief: 'fixed' },
  unblocked: { title: 'Not blocked any more', brief: 'not blocked any more' },
  judged: { title: 'Holds, and was not judged before', brief: 'judged for the first time' },
  'fails-in-both': { title: 'Fails in both', brief: 'failing in both' },
  'blocked-in-both': { title: 'Blocked in both', brief: 'blocked in both' },
  level: { title: 'Of another level now', brief: 'of another level' },
};

/** The outcome by which a change is coloured and signed: what the requirement is now. */
export function changeOutcome({ after }: RequirementChange): Outcome {
  return after ? outcomeOf(after) : 'not-exercised';
}

/** Whether the second report has something to say: where all is well or as before, its words tell nothing new. */
function tellsMore({ kind, otherWords }: RequirementChange): boolean {
  return otherWords === true || kind === 'fails' || kind === 'blocked' || kind === 'lost';
}

/** A line that is told of a change: what it says, and its label. */
export interface ChangeLine {
  readonly label: 'formerly' | 'before' | 'now' | 'failed';
  readonly text: string;
}

/** What is told of a change beside its requirement. Holds outside text as it is: escape it for where it goes. */
export function changeLines(change: RequirementChange): ChangeLine[] {
  const { kind, formerId, before, after, otherWords } = change;
  const line = (label: ChangeLine['label'], text: string | undefined) => (text === undefined ? [] : [{ label, text }]);
  return [
    ...line('formerly', formerId),
    ...(otherWords || kind === 'fixed' ? line('before', before?.message) : []),
    ...(tellsMore(change) ? line('now', after?.message) : []),
    ...line('failed', formatRepeats(after)),
  ];
}

/** The words by which changes are told together. */
export function groupingLines(change: RequirementChange): string[] {
  return changeLines(change).map(({ label, text }) => `${label} ${text}`);
}

/** What became of the verdict. */
export function describeVerdictChange({ before, after }: ReportDiff): string {
  const [was, is] = [labelVerdict(before), labelVerdict(after)];
  const text = was === is ? `${is} in both` : `from ${was} to ${is}`;
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What a requirement was and what it is, in a few words: `passes → fails`; one word where nothing changed. */
export function formatChange({ before, after }: RequirementChange): string {
  const [was, is] = [sideWords(before, after), sideWords(after, before)];
  return was === is ? is : `${was} → ${is}`;
}

/** One side of a change in a word or two, its level with it where that is another one on the other side. */
function sideWords(side: ChangeSide | undefined, other: ChangeSide | undefined): string {
  if (!side) return 'not in the catalogue';
  const { word } = outcomeLabels[outcomeOf(side)];
  return other && other.level !== side.level ? `${word} (${side.level})` : word;
}

/** A report of the two in one line. Holds outside text as it is: escape it for where it goes. */
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

/** What changed and what did not, as one sentence. */
export function diffSummary({ changes, unchanged }: ReportDiff): string {
  const counts = Map.groupBy(changes, ({ kind }) => kind);
  const told = [...counts].map(([kind, { length }]) => `${length} ${changeLabels[kind].brief}`);
  const same = [
    ...(unchanged.pass > 0 ? [`${counted(unchanged.pass, 'holds', 'hold')} in both`] : []),
    ...(unchanged.notJudged > 0 ? [`${unchanged.notJudged} judged in neither`] : []),
  ];
  return `${[...(told.length === 0 ? ['Nothing changed'] : told), ...same].join(', ')}.`;
}
