import { boundedEvidence } from '../diagnosis/bounded-evidence.ts';
import { describeCauseSection } from '../diagnosis/causes.ts';
import { codeLines } from '../diagnosis/format-note-file.ts';
import { describeStatus, sameReason, suspectsHeading } from '../diagnosis/format-note.ts';
import { probeOrder } from '../diagnosis/probe-order.ts';
import { diagnosisStatus } from '../diagnosis/diagnosis-status.ts';
import type { Paint } from '../reports/write/terminal/terminal-paint.ts';
import { padded, wrapped } from '../reports/write/terminal/terminal-text.ts';
import { visibleControls, visibleOnOneLine } from '../reports/text/visible-controls.ts';
import { formatDuration } from '../reports/text/wording.ts';
import type { Diagnosis, StageRecord } from '../specs/generated/types.ts';

const marks = {
  passed: { mark: '✓', group: 'pass' },
  cause: { mark: '✗', group: 'fail' },
  suspect: { mark: '?', group: 'warn' },
  'not-reached': { mark: '·', group: 'not-applicable' },
  'not-applicable': { mark: '–', group: 'not-applicable' },
} as const satisfies Record<StageRecord['result'], { mark: string; group: Parameters<Paint['outcome']>[0] }>;

const resultLabels = {
  passed: '',
  cause: 'the cause is here',
  suspect: 'something is wrong here',
  'not-reached': 'not reached',
  'not-applicable': 'does not apply',
} as const satisfies Record<StageRecord['result'], string>;

const nameWidth = 'authentication'.length;
/** Lines of evidence of a stage that failed, and of one that passed. */
const mostEvidence = { wrong: 16, passed: 6 } as const;
/** Columns before the evidence of a stage. */
const indent = 4;

/** Formats a stage on one line: mark, name and time. */
export function stageLine({ name, result, ms }: StageRecord, paint: Paint): string {
  const { mark, group } = marks[result];
  const time = result === 'not-reached' && ms === 0 ? '' : formatDuration(ms);
  const words = [time.padStart(8), describeResult({ name, result, ms })].join('  ').trimEnd();
  return `${paint.outcome(group, mark)} ${padded(name, nameWidth)} ${paint.dim(words)}`.trimEnd();
}

function describeResult({ name, result, ms }: Pick<StageRecord, 'name' | 'result' | 'ms'>): string {
  if (result === 'not-reached' && ms > 0) return 'not finished';
  return result === 'not-applicable' && Object.hasOwn(probeOrder['own-ai-chat'], name)
    ? 'nothing to judge'
    : resultLabels[result];
}

/** Renders the stages with their evidence, the cause and its fix, and the note for a terminal. Control characters are made visible. */
export function renderDiagnosis(diagnosis: Diagnosis, { paint, width }: { paint: Paint; width: number }): string {
  const { surface, url, stages, cause, suspects, notObserved } = diagnosis;
  const lines = (text: string, by: number) =>
    wrapped(visibleOnOneLine(text), Math.max(20, width - by)).map((line) => ' '.repeat(by) + line);
  const labelled = (label: string, text: string) => {
    const [first = '', ...rest] = lines(text, labelWidth + 2);
    return [`  ${paint.dim(padded(label, labelWidth))}${first.slice(labelWidth + 2)}`, ...rest];
  };
  const list = (heading: string, texts: readonly string[]) =>
    texts.length === 0 ? [] : ['', paint.bold(heading), ...texts.flatMap((text) => bulleted(text, lines))];
  return [
    `${paint.bold(surface)}  ${visibleOnOneLine(url)}`,
    '',
    ...stages.flatMap((stage) => [
      stageLine(stage, paint),
      ...(stage.result === 'not-reached' && stage.ms === 0
        ? []
        : boundedEvidence(stage.seen, mostEvidence[isWrong(stage) ? 'wrong' : 'passed'])
      )
        .flatMap((text) => lines(text, indent))
        .map((line) => paint.dim(line)),
    ]),
    '',
    headline(diagnosis, paint),
    ...(cause
      ? [
          ...labelled('cause', cause.summary),
          ...labelled('fix', cause.remediation),
          ...labelled('id', cause.id),
          ...labelled('source', describeCauseSection(cause.id, surface)),
        ]
      : []),
    ...(suspects.length === 0 ? [] : ['', paint.bold(suspectsHeading(diagnosis))]),
    ...suspects.flatMap(({ id, summary, why, remediation }, at) => [
      ...bulleted(`${summary} (${id})`, lines),
      ...lines(why === suspects[at - 1]?.why ? sameReason : why, bulletIndent),
      ...lines(`Fix: ${remediation}`, bulletIndent),
    ]),
    ...list('What could not be checked', notObserved),
    '',
    paint.bold('Note to forward'),
    ...[...visibleControls(diagnosis.note).trimEnd().split('\n'), ...codeLines(diagnosis)].map((line) =>
      `  ${line}`.trimEnd(),
    ),
    '',
  ].join('\n');
}

function isWrong({ result }: StageRecord): boolean {
  return result === 'cause' || result === 'suspect';
}

const labelWidth = 'source'.length + 2;

/** Columns before the text of a list. */
const bulletIndent = 4;

function bulleted(text: string, lines: (text: string, by: number) => string[]): string[] {
  const [first = '', ...rest] = lines(text, bulletIndent);
  return [`  - ${first.slice(bulletIndent)}`, ...rest];
}

function headline(diagnosis: Diagnosis, paint: Paint): string {
  const { stage, deliveries, seconds } = diagnosis;
  const cost = paint.dim(`  ${deliveries} ${deliveries === 1 ? 'delivery' : 'deliveries'}, ${seconds.toFixed(1)} s`);
  const status = diagnosisStatus(diagnosis);
  if (status === 'cause') return paint.outcome('fail', `✗ The cause is in the stage ${stage}.`) + cost;
  const [group, mark] = status === 'passed' ? (['pass', '✓'] as const) : (['warn', '?'] as const);
  return paint.outcome(group, `${mark} ${describeStatus(status, diagnosis)}`) + cost;
}
