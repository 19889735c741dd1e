import {
  changeGroups,
  changeKinds,
  type ChangeGroup,
  type RequirementChange,
  type ReportDiff,
} from '../../model/diff-reports.ts';
import {
  changeOutcome,
  changeLabels,
  formatDiffedReport,
  formatSurfaceChange,
  diffSummary,
  groupingLines,
  formatChange,
  changeLines,
  describeVerdictChange,
  mostNamedAlike,
} from '../../text/diff-labels.ts';
import { createPaint, type Paint } from '../terminal/terminal-paint.ts';
import { boundedLines, padded, wrapped } from '../terminal/terminal-text.ts';
import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';
import { outcomeLabels } from '../../text/wording.ts';

export interface DiffTextOptions {
  /** Emit colour codes. */
  readonly colour?: boolean;
  /** Columns; default 100. */
  readonly width?: number | undefined;
}

const defaultWidth = 100;
const labelWidth = 8;
const indent = '    ';
/** The most changes of one kind; JSON has them all. */
const shownPerKind = 40;
const messageRows = 3;

/** The differences between two reports, for a terminal: regressions first, the summary last. */
export function renderDiffText(
  diff: ReportDiff,
  { colour = false, width = defaultWidth }: DiffTextOptions = {},
): string {
  const paint = createPaint(colour);
  const blocks = [
    [
      ...labelled('first', formatDiffedReport(diff.before), paint, width),
      ...labelled('second', formatDiffedReport(diff.after), paint, width),
    ],
    diff.notes.flatMap((note) =>
      wrapped(`! ${visibleOnOneLine(note)}`, width).map((line) => paint.outcome('warn', line)),
    ),
    ...changeKinds.map((kind) => {
      const changes = changeGroups(diff, kind, groupingLines);
      const count = changes.flat().length;
      if (count === 0) return [];
      const shown = firstOf(changes, shownPerKind);
      const rest = count - shown.flat().length;
      return [
        paint.bold(`${changeLabels[kind].title} (${count})`),
        '',
        ...shown.flatMap((group) => groupLines(group, paint, width)),
        ...(rest > 0 ? [paint.dim(`${indent}and ${rest} more; --format json lists all of them`)] : []),
      ];
    }),
    [paint.bold(describeVerdictChange(diff)), ...wrapped(diffSummary(diff), width)],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The first groups that name this many changes in total. */
function firstOf(groups: readonly ChangeGroup[], most: number): ChangeGroup[] {
  let room = most;
  return groups.filter((group) => {
    const isShown = room > 0;
    room -= formatSurfaceChange(group) === undefined ? Math.min(group.length, mostNamedAlike) : 1;
    return isShown;
  });
}

/** The requirements of a group, followed by their common lines. */
function groupLines(group: ChangeGroup, paint: Paint, width: number): string[] {
  const [first, ...others] = group;
  const surface = formatSurfaceChange(group);
  if (surface !== undefined) return [headLine(first, paint, surface)];
  const lines = changeLines(first).flatMap(({ label, text }) => labelled(label, text, paint, width));
  const rest = group.length - mostNamedAlike;
  const more = rest > 0 ? `and ${rest} more of ${first.surface}, ` : '';
  const all = others.length === 0 ? [] : [paint.dim(`${indent}${more}all with the same change`)];
  return [...group.slice(0, mostNamedAlike).map((change) => headLine(change, paint)), ...all, ...lines];
}

function headLine(change: RequirementChange, paint: Paint, name = change.id): string {
  const { before, after } = change;
  const outcome = changeOutcome(change);
  const about = [...(name === change.id ? [(after ?? before)?.level ?? ''] : []), formatChange(change)].join(' · ');
  return `${paint.outcome(outcome, outcomeLabels[outcome].sign)} ${paint.bold(visibleOnOneLine(name))}  ${paint.dim(about)}`;
}

function labelled(label: string, text: string, paint: Paint, width: number): string[] {
  const start = label === 'first' || label === 'second' ? '' : indent;
  const room = width - start.length - labelWidth - 1;
  return boundedLines(visibleControls(text), room, messageRows).map(
    (line, at) => `${start}${paint.dim(padded(at === 0 ? label : '', labelWidth))} ${line}`,
  );
}
