import type { CheckResult, Counterexample } from '../../../specs/generated/types.ts';
import { answerKey } from '../../model/answer-key.ts';
import { breaksOf } from '../../model/findings.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import { indentJson } from '../../text/indent-json.ts';
import type { SameCause } from '../../model/same-cause.ts';
import { describeBlockedPart } from '../../model/gate-status.ts';
import type { PartlyBlocked } from '../../model/gate-status.ts';
import type { Paint } from './terminal-paint.ts';
import { boundedLines, columns, fitted, padded, shortened, wrapped } from './terminal-text.ts';
import { transcriptLines } from './terminal-transcript.ts';
import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';
import {
  counted,
  labelCounterexample,
  formatExchange,
  formatExchangeResult,
  hasConnection,
  adviceLines,
  outcomeLabels,
  ownLabel,
  formatRepeats,
} from '../../text/wording.ts';
import { describeSameCause } from '../../text/describe-same-cause.ts';
import { outcomeOf } from '../../model/verdict.ts';
import type { Outcome } from '../../model/verdict.ts';

const indent = '    ';
const labelWidth = 12;
const messageRows = 12;
const briefRows = 3;
const eventLines = 16;
const differenceRows = 10;
const otherChecks = 3;
const sharingShown = 15;
const cluesShown = 2;

/** Context of a finding. */
export interface FindingLinesContext {
  /** The cause of which it is the first finding. */
  readonly cause?: SameCause | undefined;
  /** Explanation from the gate. */
  readonly note?: string | undefined;
}

/** A failed or blocked requirement with everything needed to fix it. */
export function findingLines(
  finding: RequirementFinding,
  paint: Paint,
  width: number,
  { cause, note }: FindingLinesContext = {},
): string[] {
  const { requirement, deciding } = finding;
  const labelled = (label: string, text: string | undefined) => labelledLines(label, text, paint, width);
  return [
    ...headLine(finding, paint, width),
    ...messageLines(requirement.message ?? requirement.statement, width),
    ...otherLines(finding, paint, width),
    ...labelled('failed', formatRepeats(deciding)),
    ...labelled('gate', note),
    ...terminalAdvice(deciding, requirement.remediation, paint, width),
    ...labelled('evidence', describeEvidence(finding)),
    ...(deciding?.reproduce === undefined ? [] : [unwrappedLine('rerun', deciding.reproduce, paint)]),
    ...callLines(finding, paint, width),
    ...(deciding?.counterexample ? counterexampleLines(deciding.counterexample, paint, width) : []),
    ...(cause ? sharingLines(cause, paint, width) : []),
  ];
}

/** The requirement with its message only, for long or less urgent lists. */
export function briefFindingLines(finding: RequirementFinding, paint: Paint, width: number, note?: string): string[] {
  const message = finding.requirement.message ?? finding.requirement.statement;
  return [
    ...headLine(finding, paint, width),
    ...messageLines(message, width, briefRows),
    ...labelledLines('gate', note, paint, width),
  ];
}

/** The requirement with a reference to an earlier finding that probably has the same cause. */
export function sameCauseFindingLines(
  finding: RequirementFinding,
  { lead }: SameCause,
  paint: Paint,
  width: number,
): string[] {
  const text = `received the same answer as ${lead.requirement.id}: probably the same cause`;
  return [...headLine(finding, paint, width), ...messageLines(text, width)];
}

/** An excused failure with a blocked check: the blocked check, then the failure. */
export function partlyBlockedLines(part: PartlyBlocked, paint: Paint, width: number): string[] {
  const { finding, note, unjudged } = part;
  const labelled = (label: string, text: string | undefined) => labelledLines(label, text, paint, width, briefRows);
  return [
    ...headLine(finding, paint, width, 'blocked'),
    ...messageLines(describeBlockedPart(part), width),
    ...terminalAdvice(unjudged, undefined, paint, width),
    ...labelled('excused', finding.requirement.message ?? finding.requirement.statement),
    ...labelled('gate', note),
  ];
}

/** The hint of a check, causes and fixes, a label each. */
export function terminalAdvice(
  check: CheckResult | undefined,
  remediation: string | undefined,
  paint: Paint,
  width: number,
): string[] {
  return adviceLines(check, remediation).flatMap(({ label, text }) =>
    label === 'Probable cause'
      ? labelledLines('cause', `probable: ${text}`, paint, width)
      : labelledLines(label.toLowerCase(), text, paint, width),
  );
}

function headLine(
  { requirement }: RequirementFinding,
  paint: Paint,
  width: number,
  outcome: Outcome = outcomeOf(requirement),
): string[] {
  const id = visibleOnOneLine(requirement.id);
  const { level, section, own } = requirement;
  const about = `${level} · ${visibleOnOneLine(section)}${own ? ` · ${ownLabel}` : ''}`;
  const head = `${paint.outcome(outcome, outcomeLabels[outcome].sign)} ${paint.bold(id)}`;
  const fits = columns(id) + columns(about) + 4 <= width;
  return fits ? [`${head}  ${paint.dim(about)}`] : [head, `${indent}${paint.dim(about)}`];
}

function messageLines(message: string, width: number, rows = messageRows): string[] {
  return boundedLines(visibleControls(message), width - indent.length, rows).map((line) => indent + line);
}

function otherLines(finding: RequirementFinding, paint: Paint, width: number): string[] {
  const { others } = finding;
  const shown = others.slice(0, otherChecks).flatMap((check) => {
    const text = describeOther(check, finding);
    return labelledLines('also', text, paint, width, briefRows);
  });
  const rest = others.length - otherChecks;
  return rest > 0
    ? [...shown, ...labelledLines('', `and ${counted(rest, 'more check')} in the report`, paint, width)]
    : shown;
}

function describeOther(check: CheckResult, finding: RequirementFinding): string {
  const key = answerKey(finding);
  const last = finding.evidenceOf(check).at(-1);
  const same = key !== undefined && last !== undefined && key === answerKey({ ...finding, exchanges: [last] });
  if (same) return `${check.title}: received the same answer`;
  return check.message === undefined ? check.title : `${check.title}: ${check.message}`;
}

/** The deciding exchange, without what the message already contains. */
function describeEvidence({ requirement, exchanges }: RequirementFinding): string | undefined {
  const exchange = exchanges.at(-1);
  if (exchange === undefined) return undefined;
  const { message = '' } = requirement;
  const { detail, ...rest } = exchange;
  const shown = detail === undefined || message.includes(detail) ? rest : exchange;
  const line = message.includes(exchange.request.url) ? formatExchangeResult(shown) : formatExchange(shown);
  return `${line} (${exchange.id})`;
}

/** The transcript of the deciding call, if it connected. */
function callLines({ deciding, exchanges }: RequirementFinding, paint: Paint, width: number): string[] {
  const exchange = exchanges.at(-1);
  if (!exchange?.call || !hasConnection(exchange)) return [];
  const lines = transcriptLines(exchange.call, breaksOf(deciding, exchange), paint, { indent, width });
  return lines.length === 0 ? [] : [`${indent}call transcript`, ...lines];
}

function sharingLines(cause: SameCause, paint: Paint, width: number): string[] {
  const clues = cause.rest
    .filter(({ deciding }) => deciding?.counterexample?.differences.length && deciding.hint !== undefined)
    .map(({ requirement, deciding }) => `${requirement.id}: ${deciding?.hint ?? ''}`);
  const rest = cause.rest.length - sharingShown;
  return [
    ...labelledLines('same', describeSameCause(cause), paint, width, briefRows),
    ...cause.rest.slice(0, sharingShown).map(({ requirement }) => {
      const outcome = outcomeOf(requirement);
      const sign = paint.outcome(outcome, outcomeLabels[outcome].sign);
      return `${indent}${' '.repeat(labelWidth)}${sign} ${visibleOnOneLine(requirement.id)}`;
    }),
    ...(rest > 0 ? labelledLines('', `and ${rest} more in the report`, paint, width) : []),
    ...clues.slice(0, cluesShown).flatMap((clue) => labelledLines('clue', clue, paint, width, briefRows)),
  ];
}

function labelledLines(label: string, text: string | undefined, paint: Paint, width: number, rows = messageRows) {
  if (text === undefined) return [];
  const room = width - indent.length - labelWidth;
  return boundedLines(visibleControls(text), room, rows).map(
    (line, index) => indent + paint.dim(padded(index === 0 ? label : '', labelWidth)) + line,
  );
}

function unwrappedLine(label: string, text: string, paint: Paint): string {
  return indent + paint.dim(padded(label, labelWidth)) + visibleOnOneLine(text);
}

function counterexampleLines(example: Counterexample, paint: Paint, width: number): string[] {
  const found = `seed ${example.seed}, path ${example.path}, ${counted(example.runs, 'run')}, ${counted(example.shrinks, 'shrink')}`;
  const event = visibleControls(indentJson(example.event)).split('\n');
  const room = width - indent.length - 2;
  const shown = event.slice(0, eventLines).map((line) => `${indent}  ${shortened(line, room)}`);
  const rest = event.length - eventLines;
  return [
    `${indent}smallest failing ${labelCounterexample(example)}`,
    ...wrapped(visibleOnOneLine(found), room).map((line) => `${indent}  ${paint.dim(line)}`),
    ...differenceLines(example, paint, room),
    ...shown,
    ...(rest > 0 ? [`${indent}  ${paint.dim(`… ${counted(rest, 'more line')} in the report`)}`] : []),
  ];
}

function differenceLines({ differences }: Counterexample, paint: Paint, room: number): string[] {
  if (differences.length === 0) return [];
  const head = ['where it differs', 'failing', 'accepted'] as const;
  const rows = differences
    .slice(0, differenceRows)
    .map(({ pointer, failing, accepted }) => [pointer || '(the whole body)', failing, accepted].map(visibleOnOneLine));
  const natural = head.map((title, column) =>
    Math.max(...[title, ...rows.map((row) => row[column] ?? '')].map(columns)),
  );
  const widths = fitted(natural, room - 4, head.length * 4);
  const line = (cells: readonly string[]) =>
    cells.map((cell, column) => padded(shortened(cell, widths[column] ?? 0), widths[column] ?? 0)).join('  ');
  const rest = differences.length - differenceRows;
  return [
    `${indent}  ${paint.dim(line(head).trimEnd())}`,
    ...rows.map((row) => `${indent}  ${line(row).trimEnd()}`),
    ...(rest > 0 ? [`${indent}  ${paint.dim(`… ${counted(rest, 'more difference')} in the report`)}`] : []),
  ];
}
