import type { Report } from '../../../specs/generated/types.ts';
import { omittedSurfaces, reasonsOf, surfaceViews } from '../../model/findings.ts';
import type { BlockedGroup, SurfaceView } from '../../model/findings.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import { groups } from '../../model/groups.ts';
import type { Group } from '../../model/groups.ts';
import { sameCauses } from '../../model/same-cause.ts';
import type { CauseOf } from '../../model/same-cause.ts';
import { findingGroups } from '../../model/gate-status.ts';
import type { GatedFinding } from '../../model/gate-status.ts';
import {
  briefFindingLines,
  findingLines,
  partlyBlockedLines,
  sameCauseFindingLines,
  terminalAdvice,
} from './terminal-finding.ts';
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
  /** Findings shown in full per level; further ones are shown with their message only. */
  readonly detailed?: number | undefined;
}

const widest = 120;
const narrowest = 60;
const defaultWidth = 100;
const defaultDetailed = 20;
const reasonsShown = 8;

/** The report for a terminal: surfaces, findings, requirements that were not judged, and the verdict last. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const width = Math.min(widest, Math.max(narrowest, options.width ?? defaultWidth));
  const paint = createPaint(options.colour);
  const detailed = options.detailed ?? defaultDetailed;
  const causeOf = sameCauses(report);
  const found = findingGroups(report);
  const findingSection = (title: string, findings: readonly GatedFinding[]) => {
    const ids = new Set(findings.map(({ finding }) => finding.requirement.id));
    const shown = findings
      .map((one) => ({ ...one, ...causeIn(ids, one.finding, causeOf) }))
      .filter(({ isListed }) => !isListed)
      .map(({ finding, note, cause, leads }, index) => {
        if (cause && !leads) return sameCauseFindingLines(finding, cause, paint, width);
        return index < detailed || cause
          ? findingLines(finding, paint, width, { cause, note })
          : briefFindingLines(finding, paint, width);
      });
    return section(title, findings.length, shown, paint);
  };
  const blocks = [
    environmentNotes(report.environment)
      .flatMap((note) => wrapped(visibleOnOneLine(note), width))
      .map(paint.bold),
    surfaceLines(report, paint, width),
    ...findingSection('Failures', found.fails),
    ...section(
      'Could not be judged',
      found.blocked.reduce((sum, { findings }) => sum + findings.length, found.partlyBlocked.length),
      [
        ...found.blocked.map((group) => blockedLines(group, causeOf, paint, width)),
        ...found.partlyBlocked.map((part) => partlyBlockedLines(part, paint, width)),
      ],
      paint,
    ),
    ...findingSection('Warnings', found.warns),
    ...findingSection('Advice', found.advice),
    ...section(
      'Waived or known failures',
      found.excused.length,
      found.excused.map(({ finding, note }) => briefFindingLines(finding, paint, width, note)),
      paint,
    ),
    notObservedLines(report, paint, width),
    gateLines(report, paint, width),
    closingLines(report, options.place, paint, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** The cause of a finding, and whether another finding of the section lists it already. */
function causeIn(section: ReadonlySet<string>, finding: RequirementFinding, causeOf: CauseOf) {
  const cause = causeOf(finding);
  const lead = cause?.lead.requirement.id;
  const leads = lead === finding.requirement.id;
  return { cause, leads, isListed: lead !== undefined && !leads && section.has(lead) };
}

function section(
  title: string,
  count: number,
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

function blockedLines(group: BlockedGroup, causeOf: CauseOf, paint: Paint, width: number): string[] {
  const [first] = group.findings;
  if (group.findings.length === 1 && first) return findingLines(first, paint, width);
  const head = `${visibleOnOneLine(group.surface)}: ${counted(group.findings.length, 'requirement')} blocked`;
  const shared = first && causeOf(first);
  const same = shared ? `\nReceived the same answer as ${shared.lead.requirement.id}: probably the same cause.` : '';
  const cause = wrapped(visibleControls(group.cause + same), width - 4).map((line) => `    ${line}`);
  return [
    `${paint.outcome('blocked', outcomeLabels.blocked.sign)} ${paint.bold(head)}`,
    ...cause,
    ...terminalAdvice(first?.deciding, undefined, paint, width),
  ];
}

function notObservedLines(report: Report, paint: Paint, width: number): string[] {
  const counts = surfaceViews(report).map((view) => ({ ...view.counts, omitted: view.omitted }));
  const total = (group: Group) => counts.reduce((sum, one) => sum + (one.omitted === undefined ? one[group] : 0), 0);
  const line = (group: Group, label: string) =>
    total(group) === 0 ? [] : wrapped(`${outcomeLabels[group].sign} ${total(group)} ${label}`, width);
  const reasons = reasonsOf(report, 'not-exercised');
  const rest = reasons.length - reasonsShown;
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
    ...line('unobservable', 'cannot be observed from outside; the report has the reasons'),
    ...line('not-selected', 'not selected in this run'),
    ...line('not-applicable', 'not applicable'),
  ].map((text) => paint.dim(text));
}

function closingLines(report: Report, place: string | undefined, paint: Paint, width: number): string[] {
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
    ...runNotes(report).flatMap((note) => wrapped(visibleOnOneLine(note), width)),
    paint.dim(place === undefined ? time : `${time}, report in ${visibleOnOneLine(place)}`),
  ];
}
