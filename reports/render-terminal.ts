import type { Report } from '../specs/types.ts';
import { blockedGroups, findingsOf, reasonsOf, surfaceViews } from './findings.ts';
import type { BlockedGroup } from './findings.ts';
import { briefFindingLines, findingLines } from './terminal-finding.ts';
import { createPaint } from './terminal-paint.ts';
import type { Paint } from './terminal-paint.ts';
import { columns, padded, wrapped } from './terminal-text.ts';
import { outcomes } from './verdict.ts';
import type { Outcome } from './verdict.ts';
import { visibleControls, visibleOnOneLine } from './visible-controls.ts';
import { counted, longDuration, groupWords, selectionNotes, verdictReason, verdictWord } from './wording.ts';

export interface TerminalOptions {
  /** Colour codes in the text; the caller decides from NO_COLOR and the stream. */
  readonly colour: boolean;
  /** Columns of the terminal; between 60 and 120 are used. */
  readonly width?: number | undefined;
  /** Where the report was written, as the reader should open it. */
  readonly place?: string | undefined;
  /** Findings told in full per level; further ones get their message only. */
  readonly detailed?: number | undefined;
}

const widest = 120;
const narrowest = 60;
const defaultWidth = 100;
const defaultDetailed = 20;
const reasonsShown = 8;

/** The report as a person reads it on a terminal: surfaces, what to mend, what was not seen, and the verdict last. */
export function renderTerminal(report: Report, options: TerminalOptions): string {
  const width = Math.min(widest, Math.max(narrowest, options.width ?? defaultWidth));
  const paint = createPaint(options.colour);
  const detailed = options.detailed ?? defaultDetailed;
  const findingSection = (title: string, outcome: Outcome) => {
    const findings = findingsOf(report, outcome);
    const told = findings.map((finding, index) =>
      index < detailed ? findingLines(finding, paint, width) : briefFindingLines(finding, paint, width),
    );
    return section(title, told, paint);
  };
  const groups = blockedGroups(report);
  const blocks = [
    surfaceLines(report, paint, width),
    ...findingSection('What does not hold', 'fail'),
    ...section(
      'What could not be judged',
      groups.map((group) => blockedLines(group, paint, width)),
      paint,
    ),
    ...findingSection('Warnings', 'warn'),
    ...findingSection('Advice', 'advice'),
    notSeenLines(report, paint, width),
    closingLines(report, options.place, paint, width),
  ];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, parts: readonly (readonly string[])[], paint: Paint): (readonly string[])[] {
  if (parts.length === 0) return [];
  const [first = [], ...rest] = parts;
  return [[paint.bold(`${title} (${parts.length})`), '', ...first], ...rest];
}

function surfaceLines(report: Report, paint: Paint, width: number): string[] {
  const views = surfaceViews(report).filter(
    ({ counts, requirements }) => counts['not-applicable'] < requirements.length,
  );
  const nameWidth = Math.max(0, ...views.map(({ surface }) => columns(visibleOnOneLine(surface))));
  return views.flatMap(({ surface, url, counts }) => {
    const shown = outcomes.filter((outcome) => counts[outcome] > 0);
    const text = (outcome: Outcome) => `${groupWords[outcome].sign} ${counts[outcome]} ${shortWords[outcome]}`;
    const name = padded(visibleOnOneLine(surface), nameWidth);
    const plain = `${name}  ${shown.map(text).join('  ')}`;
    const line = `${paint.bold(name)}  ${shown.map((outcome) => paint.outcome(outcome, text(outcome))).join('  ')}`;
    const address = visibleOnOneLine(url ?? '');
    if (address === '') return [line];
    const gap = width - columns(plain) - columns(address);
    return gap >= 2
      ? [line + ' '.repeat(gap) + paint.dim(address)]
      : [line, `${' '.repeat(nameWidth)}  ${paint.dim(address)}`];
  });
}

const shortWords: Readonly<Record<Outcome, string>> = {
  fail: 'fail',
  blocked: 'blocked',
  warn: 'warn',
  advice: 'advice',
  pass: 'pass',
  'not-exercised': 'not exercised',
  'not-applicable': 'not applicable',
};

function blockedLines(group: BlockedGroup, paint: Paint, width: number): string[] {
  const [first] = group.findings;
  if (group.findings.length === 1 && first) return findingLines(first, paint, width);
  const head = `${visibleOnOneLine(group.surface)}: ${counted(group.findings.length, 'requirement')} blocked`;
  const cause = wrapped(visibleControls(group.cause), width - 4).map((line) => `    ${line}`);
  const hint = first?.deciding?.hint;
  const hints = hint === undefined ? [] : wrapped(visibleControls(hint), width - 12);
  return [
    `${paint.outcome('blocked', groupWords.blocked.sign)} ${paint.bold(head)}`,
    ...cause,
    ...hints.map((line, index) => `    ${paint.dim(index === 0 ? 'hint    ' : '        ')}${line}`),
  ];
}

function notSeenLines(report: Report, paint: Paint, width: number): string[] {
  return (['not-exercised', 'not-applicable'] as const).flatMap((outcome) => {
    const reasons = reasonsOf(report, outcome);
    const total = reasons.reduce((sum, { requirements }) => sum + requirements.length, 0);
    if (total === 0) return [];
    const shown = reasons
      .slice(0, reasonsShown)
      .flatMap(({ reason, requirements }) =>
        wrapped(visibleControls(reason), width - 10).map(
          (line, index) => `  ${(index === 0 ? String(requirements.length) : '').padStart(4)}  ${line}`,
        ),
      );
    const rest = reasons.length - reasonsShown;
    return [
      `${groupWords[outcome].sign} ${total} ${groupWords[outcome].word}`,
      ...shown,
      ...(rest > 0 ? [`        and ${counted(rest, 'more reason')} in the report`] : []),
    ].map((line) => paint.dim(line));
  });
}

function closingLines(report: Report, place: string | undefined, paint: Paint, width: number): string[] {
  const colour = {
    conformant: 'pass',
    'conformant-with-warnings': 'warn',
    'non-conformant': 'fail',
    incomplete: 'blocked',
  } as const;
  const outcome = colour[report.verdict];
  const word = verdictWord(report).toUpperCase();
  const painted = paint.bold(paint.outcome(outcome, word));
  const reason = verdictReason(report);
  const fits = columns(word) + columns(reason) + 2 <= width;
  const time = `${longDuration(report.durationMs)}, seed ${report.seed}`;
  return [
    ...(fits ? [`${painted}  ${reason}`] : [painted, ...wrapped(reason, width)]),
    ...selectionNotes(report.selection).flatMap((note) => wrapped(visibleOnOneLine(note), width)),
    paint.dim(place === undefined ? time : `${time}, report in ${visibleOnOneLine(place)}`),
  ];
}
