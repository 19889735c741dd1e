import type { Counterexample } from '../specs/types.ts';
import type { Finding } from './findings.ts';
import { indentJson } from './indent-json.ts';
import type { Paint } from './terminal-paint.ts';
import { columns, padded, shortened, wrapped } from './terminal-text.ts';
import { visibleControls, visibleOnOneLine } from './visible-controls.ts';
import { counted, exchangeLine, groupWords } from './wording.ts';
import { outcomeOf } from './verdict.ts';

const indent = '    ';
const labelWidth = 8;
const messageLimit = 1200;
const eventLines = 24;
const differenceRows = 10;
const otherChecks = 3;

/** Lines of one requirement that does not hold, or could not be judged: everything needed to mend it. */
export function findingLines(finding: Finding, paint: Paint, width: number): string[] {
  const { requirement, deciding, exchanges } = finding;
  const exchange = exchanges.at(-1);
  const labelled = (label: string, text: string | undefined) => labelledLines(label, text, paint, width);
  return [
    ...headLine(finding, paint, width),
    ...messageLines(requirement.message ?? requirement.statement, width),
    ...otherLines(finding, paint, width),
    ...labelled('hint', deciding?.hint),
    ...labelled('mend', requirement.mend || undefined),
    ...labelled('seen', exchange && `${exchangeLine(exchange)} (${exchange.id})`),
    ...(deciding?.reproduce === undefined ? [] : [unbroken('again', deciding.reproduce, paint)]),
    ...(deciding?.counterexample ? counterexampleLines(deciding.counterexample, paint, width) : []),
  ];
}

/** The requirement in a line and its message under it, for lists that are long or less urgent. */
export function briefFindingLines(finding: Finding, paint: Paint, width: number): string[] {
  const message = finding.requirement.message ?? finding.requirement.statement;
  return [...headLine(finding, paint, width), ...messageLines(message, width).slice(0, 3)];
}

function headLine({ requirement }: Finding, paint: Paint, width: number): string[] {
  const outcome = outcomeOf(requirement);
  const id = visibleOnOneLine(requirement.id);
  const about = `${requirement.level} · ${visibleOnOneLine(requirement.section)}`;
  const head = `${paint.outcome(outcome, groupWords[outcome].sign)} ${paint.bold(id)}`;
  const fits = columns(id) + columns(about) + 4 <= width;
  return fits ? [`${head}  ${paint.dim(about)}`] : [head, `${indent}${paint.dim(about)}`];
}

function messageLines(message: string, width: number): string[] {
  const text = visibleControls(shortened(message, messageLimit));
  return wrapped(text, width - indent.length).map((line) => indent + line);
}

function otherLines({ others }: Finding, paint: Paint, width: number): string[] {
  const shown = others.slice(0, otherChecks).flatMap((check) => {
    const said = check.message === undefined ? check.title : `${check.title}: ${check.message}`;
    return labelledLines('also', shortened(said, messageLimit), paint, width);
  });
  const rest = others.length - otherChecks;
  return rest > 0 ? [...shown, ...labelledLines('', `and ${counted(rest, 'more check')}`, paint, width)] : shown;
}

function labelledLines(label: string, text: string | undefined, paint: Paint, width: number): string[] {
  if (text === undefined) return [];
  const room = width - indent.length - labelWidth;
  return wrapped(visibleControls(text), room).map(
    (line, index) => indent + paint.dim(padded(index === 0 ? label : '', labelWidth)) + line,
  );
}

function unbroken(label: string, text: string, paint: Paint): string {
  return indent + paint.dim(padded(label, labelWidth)) + visibleOnOneLine(text);
}

function counterexampleLines(example: Counterexample, paint: Paint, width: number): string[] {
  const found = `seed ${example.seed}, path ${example.path}, ${counted(example.runs, 'run')}, ${counted(example.shrinks, 'shrink')}`;
  const event = visibleControls(indentJson(example.event)).split('\n');
  const room = width - indent.length - 2;
  const shown = event.slice(0, eventLines).map((line) => `${indent}  ${shortened(line, room)}`);
  const rest = event.length - eventLines;
  return [
    `${indent}smallest failing event`,
    ...wrapped(visibleOnOneLine(found), room).map((line) => `${indent}  ${paint.dim(line)}`),
    ...shown,
    ...(rest > 0 ? [`${indent}  ${paint.dim(`… ${counted(rest, 'more line')} in the report`)}`] : []),
    ...differenceLines(example, paint, room),
  ];
}

function differenceLines({ differences }: Counterexample, paint: Paint, room: number): string[] {
  if (differences.length === 0) return [];
  const head = ['where it differs', 'failing', 'accepted'] as const;
  const rows = differences
    .slice(0, differenceRows)
    .map(({ pointer, failing, accepted }) => [pointer || '(the whole body)', failing, accepted].map(visibleOnOneLine));
  const share = Math.floor((room - 4) / 3);
  const widths = head.map((title, column) =>
    Math.min(share, Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(columns))),
  );
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => padded(shortened(cell, widths[column] ?? share), widths[column] ?? share)).join('  ');
  const rest = differences.length - differenceRows;
  return [
    `${indent}  ${paint.dim(line(head).trimEnd())}`,
    ...rows.map((row) => `${indent}  ${line(row).trimEnd()}`),
    ...(rest > 0 ? [`${indent}  ${paint.dim(`… ${counted(rest, 'more difference')} in the report`)}`] : []),
  ];
}
