import type { Report } from '../../../specs/generated/types.ts';
import { omittedSurfaces, reasonsOf, surfaceViews } from '../../model/findings.ts';
import type { SurfaceView } from '../../model/findings.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { findingGroups } from '../../model/finding-groups.ts';
import { briefEntryLines, briefFindingLines, entryLines, partlyBlockedLines } from './terminal-finding.ts';
import { nextLines, type NextCommand } from './terminal-next.ts';
import { gateClosing, gateLines } from './terminal-gate.ts';
import { createPaint } from './terminal-paint.ts';
import type { Paint } from './terminal-paint.ts';
import { columns, padded, wrapped } from './terminal-text.ts';
import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';
import { environmentNotes, runNotes } from '../../text/run-notes.ts';
import { counted, formatLongDuration, outcomeLabels, verdictReason } from '../../text/wording.ts';
import { isPartialPass, labelOutcome, labelPartial } from '../../text/headline.ts';

export interface TerminalOptions {
  /** Emit colour codes; the caller decides from NO_COLOR and the stream. */
  readonly colour: boolean;
  /** Columns of the terminal; between 60 and 120 are used. */
  readonly width?: number | undefined;
  /** The place of the written report, for the reader to open. */
  readonly place?: string | undefined;
  /** The commands to run next. */
  readonly next?: readonly NextCommand[] | undefined;
  /** Causes shown in full; further ones are shown without advice and evidence. */
  readonly detailed?: number | undefined;
}

const widest = 120;
const narrowest = 60;
const defaultWidth = 100;
const defaultDetailed = 20;
const reasonsShown = 8;

/** The report for a terminal: causes, surfaces, requirements that were not judged, the verdict, and what to run next. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const width = Math.min(widest, Math.max(narrowest, options.width ?? defaultWidth));
  const paint = createPaint(options.colour);
  const detailed = options.detailed ?? defaultDetailed;
  const found = findingGroups(report);
  let left = detailed;
  const entries = (title: string, all: readonly CauseEntry[]) => {
    const parts = all.map((entry) =>
      left-- > 0 ? entryLines(entry, paint, width) : briefEntryLines(entry, paint, width),
    );
    return section(title, counted(all.length, 'cause'), parts, paint);
  };
  const blocks = [
    environmentNotes(report.environment)
      .flatMap((note) => wrapped(visibleOnOneLine(note), width))
      .map(paint.bold),
    ...entries('Failures', found.fails),
    ...entries('Could not be judged', found.blocked),
    ...section(
      'Could not be judged in part',
      String(found.partlyBlocked.length),
      found.partlyBlocked.map((part) => partlyBlockedLines(part, paint, width)),
      paint,
    ),
    ...entries('Warnings', found.warns),
    ...entries('Advice', found.advice),
    ...section(
      'Waived or known failures',
      String(found.excused.length),
      found.excused.map(({ finding, note }) => briefFindingLines(finding, paint, width, note)),
      paint,
    ),
    surfaceLines(report, paint, width),
    notObservedLines(report, [...found.fails, ...found.blocked].length > 0 ? 0 : reasonsShown, paint, width),
    gateLines(report, paint, width),
    closingLines(report, options, paint, width),
    nextLines(options.next ?? [], paint, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(
  title: string,
  count: string,
  parts: readonly (readonly string[])[],
  paint: Paint,
): (readonly string[])[] {
  if (parts.length === 0) return [];
  const [first = [], ...rest] = parts;
  return [[paint.bold(`${title} (${count})`), '', ...first], ...rest];
}

function surfaceLines(report: Report, paint: Paint, width: number): string[] {
  const views = surfaceViews(report);
  const judged = views.filter(({ omitted }) => omitted === undefined);
  const nameWidth = Math.max(0, ...judged.map(({ surface }) => columns(visibleOnOneLine(surface))));
  const line = (label: string, names: readonly string[]) =>
    names.length === 0 ? [] : wrapped(`${label}: ${names.map(visibleOnOneLine).join(', ')}`, width).map(paint.dim);
  return [
    ...(judged.length > 0 ? [paint.bold('Requirements by surface')] : []),
    ...judged.flatMap((view) => surfaceRow(view, nameWidth, paint, width)),
    ...line('not selected in this run', omittedSurfaces(views, 'not-selected')),
    ...line('not configured', omittedSurfaces(views, 'not-applicable')),
  ];
}

/** Name, counts and address, on one line if they fit. */
function surfaceRow(
  { surface, target, counts }: SurfaceView,
  nameWidth: number,
  paint: Paint,
  width: number,
): string[] {
  const name = padded(visibleOnOneLine(surface), nameWidth);
  const lines: Group[][] = [[]];
  const text = (group: Group) => `${outcomeLabels[group].sign} ${counts[group]} ${shortLabels[group]}`;
  const plain = (line: readonly Group[]) => `${' '.repeat(nameWidth)}  ${line.map(text).join('  ')}`;
  for (const group of groups.filter((one) => counts[one] > 0)) {
    const last = lines.at(-1) ?? [];
    if (last.length > 0 && columns(plain([...last, group])) > width) lines.push([group]);
    else last.push(group);
  }
  const rows = lines.map((line, index) => {
    const start = index === 0 ? paint.bold(name) : ' '.repeat(nameWidth);
    return `${start}  ${line.map((group) => paint.outcome(group, text(group))).join('  ')}`;
  });
  const address = visibleOnOneLine(target ?? '');
  if (address === '') return rows;
  const gap = width - columns(plain(lines.at(-1) ?? [])) - columns(address);
  if (gap < 2) return [...rows, `${' '.repeat(nameWidth)}  ${paint.dim(address)}`];
  return [...rows.slice(0, -1), (rows.at(-1) ?? '') + ' '.repeat(gap) + paint.dim(address)];
}

const shortLabels: Readonly<Record<Group, string>> = {
  fail: 'fail',
  blocked: 'blocked',
  warn: 'warn',
  advice: 'advice',
  pass: 'pass',
  'not-exercised': 'not exercised',
  unobservable: 'not observable',
  'not-selected': 'not selected',
  'not-applicable': 'not applicable',
};

/** @param reasonsShown none where something has to be fixed first */
function notObservedLines(report: Report, reasonsShown: number, paint: Paint, width: number): string[] {
  const counts = surfaceViews(report).map((view) => ({ ...view.counts, omitted: view.omitted }));
  const total = (group: Group) => counts.reduce((sum, one) => sum + (one.omitted === undefined ? one[group] : 0), 0);
  const line = (group: Group, label: string) =>
    total(group) === 0 ? [] : wrapped(`${outcomeLabels[group].sign} ${total(group)} ${label}`, width);
  const reasons = reasonsOf(report, 'not-exercised');
  const rest = reasonsShown === 0 ? 0 : reasons.length - reasonsShown;
  return [
    ...line('not-exercised', 'not exercised: not tested in this run; this does not count against the endpoint'),
    ...reasons
      .slice(0, reasonsShown)
      .flatMap(({ reason, requirements }) =>
        wrapped(visibleControls(reason), width - 10).map(
          (text, index) => `  ${(index === 0 ? String(requirements.length) : '').padStart(4)}  ${text}`,
        ),
      ),
    ...(rest > 0 ? [`        and ${counted(rest, 'more reason')} in the report`] : []),
    ...(reasonsShown === 0 && reasons.length > 0 ? ['        reasons in the report'] : []),
    ...line('unobservable', 'cannot be observed from outside; the report has the reasons'),
    ...line('not-selected', 'not selected in this run'),
    ...line('not-applicable', 'not applicable'),
  ].map((text) => paint.dim(text));
}

function closingLines(report: Report, { place, next }: TerminalOptions, paint: Paint, width: number): string[] {
  const colour = {
    conformant: 'pass',
    'conformant-with-warnings': 'warn',
    'non-conformant': 'fail',
    incomplete: 'blocked',
  } as const;
  const outcome = isPartialPass(report) ? 'warn' : colour[report.verdict];
  const part = labelPartial(report);
  const word = `${labelOutcome(report).toUpperCase()}${part === undefined ? '' : `, ${part}`}`;
  const painted = paint.bold(paint.outcome(outcome, word));
  const reason = verdictReason(report);
  const fits = columns(word) + columns(reason) + 2 <= width;
  const time = `${formatLongDuration(report.durationMs)}, seed ${report.seed}`;
  return [
    ...(fits ? [`${painted}  ${reason}`] : [painted, ...wrapped(reason, width)]),
    ...gateClosing(report, paint, width),
    ...runNotes(report, { keys: next === undefined }).flatMap((note) => wrapped(visibleOnOneLine(note), width)),
    paint.dim(place === undefined ? time : `${time}, report in ${visibleOnOneLine(place)}`),
  ];
}
