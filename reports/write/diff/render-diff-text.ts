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
  diffSummary,
  groupingLines,
  formatChange,
  changeLines,
  describeVerdictChange,
} from '../../text/diff-labels.ts';
import { createPaint, type Paint } from '../terminal/terminal-paint.ts';
import { boundedLines, padded, wrapped } from '../terminal/terminal-text.ts';
import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';
import { outcomeLabels } from '../../text/wording.ts';

export interface DiffTextOptions {
  /** Colour codes in the text. */
  readonly colour?: boolean;
  /** Columns; default 100. */
  readonly width?: number | undefined;
}

const defaultWidth = 100;
const labelWidth = 8;
const indent = '    ';
/** Changes of one kind that are told; JSON has them all. */
const shownPerKind = 40;
const messageRows = 3;

/** What changed between two reports, for a terminal: what got worse first, the sum of it last. */
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
      const rest = count - shownPerKind;
      return [
        paint.bold(`${changeLabels[kind].title} (${count})`),
        '',
        ...firstOf(changes, shownPerKind).flatMap((group) => groupLines(group, paint, width)),
        ...(rest > 0 ? [paint.dim(`${indent}and ${rest} more; --format json has them all`)] : []),
      ];
    }),
    [paint.bold(describeVerdictChange(diff)), ...wrapped(diffSummary(diff), width)],
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** As much of the groups as holds this many changes. */
function firstOf(groups: readonly ChangeGroup[], most: number): ChangeGroup[] {
  let room = most;
  return groups.flatMap(([first, ...others]) => {
    if (room <= 0) return [];
    const group: ChangeGroup = [first, ...others.slice(0, room - 1)];
    room -= group.length;
    return [group];
  });
}

/** The requirements one below the other, and once what is told of them all. */
function groupLines([first, ...others]: ChangeGroup, paint: Paint, width: number): string[] {
  const told = changeLines(first).flatMap(({ label, text }) => labelled(label, text, paint, width));
  const all = others.length === 0 ? [] : [paint.dim(`${indent}all ${others.length + 1} alike`)];
  return [...[first, ...others].map((change) => headLine(change, paint)), ...all, ...told];
}

function headLine(change: RequirementChange, paint: Paint): string {
  const { id, before, after } = change;
  const outcome = changeOutcome(change);
  const about = [(after ?? before)?.level ?? '', formatChange(change)].join(' · ');
  return `${paint.outcome(outcome, outcomeLabels[outcome].sign)} ${paint.bold(visibleOnOneLine(id))}  ${paint.dim(about)}`;
}

function labelled(label: string, text: string, paint: Paint, width: number): string[] {
  const start = label === 'first' || label === 'second' ? '' : indent;
  const room = width - start.length - labelWidth - 1;
  return boundedLines(visibleControls(text), room, messageRows).map(
    (line, at) => `${start}${paint.dim(padded(at === 0 ? label : '', labelWidth))} ${line}`,
  );
}
