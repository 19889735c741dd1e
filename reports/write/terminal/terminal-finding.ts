import type { CheckResult, Counterexample } from '../../../specs/generated/types.ts';
import { receivedSameAnswer } from '../../model/answer-key.ts';
import { breaksOf } from '../../model/findings.ts';
import type { RequirementFinding } from '../../model/requirement-finding.ts';
import { indentJson } from '../../text/indent-json.ts';
import type { CauseEntry } from '../../model/cause-entries.ts';
import { describeBlockedPart, type PartlyBlocked } from '../../model/finding-groups.ts';
import type { Paint } from './terminal-paint.ts';
import { boundedLines, columns, fitted, padded, shortened, wrapped } from './terminal-text.ts';
import { transcriptLines } from './terminal-transcript.ts';
import { visibleControls, visibleOnOneLine } from '../../text/visible-controls.ts';
import {
  counted,
  describeSource,
  labelCounterexample,
  formatExchange,
  formatExchangeResult,
  hasConnection,
  adviceLines,
  outcomeLabels,
  formatRepeats,
} from '../../text/wording.ts';
import {
  consequencesOf,
  describeEvidenceMessage,
  describeFault,
  describeLikeness,
  entryAdvice,
  isBlockOnly,
} from '../../text/describe-entry.ts';
import { outcomeOf } from '../../model/verdict.ts';
import type { Outcome } from '../../model/verdict.ts';

const indent = '    ';
const labelWidth = 12;
const messageRows = 12;
const briefRows = 3;
const eventLines = 16;
const differenceRows = 10;
const otherChecks = 3;
const consequencesShown = 30;

/** One cause: the fault, its fix, the evidence, and the requirements that it fails or blocks. */
export function entryLines(entry: CauseEntry, paint: Paint, width: number): string[] {
  const { finding, note } = entry.lead;
  const { deciding } = finding;
  const labelled = (label: string, text: string | undefined) => labelledLines(label, text, paint, width);
  return [
    ...faultLines(entry, paint, width),
    ...entryAdvice(entry).flatMap(({ label, text }) => labelled(label.toLowerCase(), text)),
    ...labelled('observed', describeEvidenceMessage(entry)),
    ...otherLines(finding, paint, width),
    ...labelled('failed', formatRepeats(deciding)),
    ...labelled('gate', note),
    ...labelled('evidence', describeEvidence(finding)),
    ...(isBlockOnly(entry) ? [] : labelled('requirement', describeRequirement(finding))),
    ...consequenceLines(entry, paint, width),
    ...(deciding?.reproduce === undefined ? [] : [unwrappedLine('rerun', deciding.reproduce, paint)]),
    ...callLines(finding, paint, width),
    ...(deciding?.counterexample ? counterexampleLines(deciding.counterexample, paint, width) : []),
  ];
}

/** One cause with what it fails or blocks only, for long lists. */
export function briefEntryLines(entry: CauseEntry, paint: Paint, width: number): string[] {
  return [
    ...faultLines(entry, paint, width),
    ...labelledLines('requirement', describeRequirement(entry.lead.finding), paint, width),
    ...labelledLines('gate', entry.lead.note, paint, width),
    ...consequenceLines(entry, paint, width),
  ];
}

/** The requirement with its message only, for less urgent lists. */
export function briefFindingLines(finding: RequirementFinding, paint: Paint, width: number, note?: string): string[] {
  const message = finding.requirement.message ?? finding.requirement.statement;
  return [
    ...headLine(finding, paint, width),
    ...messageLines(message, width, briefRows),
    ...labelledLines('gate', note, paint, width),
  ];
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

function faultLines(entry: CauseEntry, paint: Paint, width: number): string[] {
  const outcome = outcomeOf(entry.lead.finding.requirement);
  const lines = boundedLines(visibleControls(describeFault(entry)), width - indent.length, messageRows);
  return lines.map((line, index) =>
    index === 0
      ? `${paint.outcome(outcome, outcomeLabels[outcome].sign)} ${paint.bold(line)}`
      : `${indent}${paint.bold(line)}`,
  );
}

function describeRequirement({ requirement }: RequirementFinding): string {
  return visibleOnOneLine(`${requirement.id} (${describeSource(requirement)})`);
}

function headLine(
  { requirement }: RequirementFinding,
  paint: Paint,
  width: number,
  outcome: Outcome = outcomeOf(requirement),
): string[] {
  const id = visibleOnOneLine(requirement.id);
  const about = visibleOnOneLine(describeSource(requirement));
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
  if (receivedSameAnswer(finding, check)) return `${check.title}: received the same answer`;
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

function consequenceLines(entry: CauseEntry, paint: Paint, width: number): string[] {
  return consequencesOf(entry).flatMap((group) => {
    const { label, status, requirements } = group;
    const notes = [describeLikeness(entry, group)].filter((one) => one !== undefined);
    const ids = requirements
      .slice(0, consequencesShown)
      .map(({ finding, note }) => {
        const id = finding.requirement.id.replace(`${entry.surface}/`, '');
        return note === undefined || note === entry.lead.note ? id : `${id} (${note})`;
      })
      .join(', ');
    const more = requirements.length > consequencesShown ? ' and more in the report' : '';
    const count = counted(requirements.length, 'requirement');
    const about = notes.length === 0 ? count : `${count} (${notes.join(', ')})`;
    const text = status === 'blocked' ? `${about}, which could not be judged` : `${about}: ${ids}${more}`;
    // A label that is wider than its column continues in the text.
    const [head = '', ...tail] = columns(label) < labelWidth ? [label] : label.split(' ');
    return labelledLines(head, visibleOnOneLine([...tail, text].join(' ')), paint, width);
  });
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
