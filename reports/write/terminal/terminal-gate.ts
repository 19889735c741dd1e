import type { Report } from '../../../specs/generated/types.ts';
import { gateExitCode } from '../../model/apply-gate.ts';
import type { Group } from '../../model/groups.ts';
import type { Paint } from './terminal-paint.ts';
import { columns, wrapped } from './terminal-text.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';
import {
  baselineLabels,
  gateReason,
  labelGate,
  formatTime,
  outcomeLabels,
  labelVerdict,
  describeWaiver,
} from '../../text/wording.ts';

/** Ids of one kind that are told; the report has them all. */
const idsShown = 12;

const colours = { new: 'fail', known: 'warn', fixed: 'pass', gone: 'not-exercised' } as const satisfies Record<
  keyof typeof baselineLabels,
  Group
>;

const waiverColours = { applied: 'warn', expired: 'fail', passes: 'fail', 'not-judged': 'not-exercised' } as const;

/** What the run was held against: each failure of the baseline and each waiver, and what became of it. */
export function gateLines(report: Report, paint: Paint, width: number): string[] {
  const { gate } = report;
  if (!gate) return [];
  const { baseline, waivers = [] } = gate;
  const notes = baseline?.notes ?? [];
  const indented = (text: string, indent: string) =>
    wrapped(visibleOnOneLine(text), width - indent.length).map((line) => indent + line);
  const kinds = baseline
    ? (Object.keys(baselineLabels) as (keyof typeof baselineLabels)[]).filter((kind) => baseline[kind].length > 0)
    : [];
  return [
    ...(baseline
      ? [paint.bold(`Against the baseline of ${formatTime(baseline.startedAt)} (${labelVerdict(baseline)})`), '']
      : []),
    ...notes.flatMap((note) => indented(`! ${note}`, '').map((line) => paint.outcome('warn', line))),
    ...(notes.length > 0 ? [''] : []),
    ...(baseline && kinds.length === 0 ? ['Nothing that counts failed in it, and nothing fails now.'] : []),
    ...kinds.flatMap((kind) => {
      const ids = baseline?.[kind] ?? [];
      const rest = ids.length - idsShown;
      const { sign } = outcomeLabels[colours[kind]];
      return [
        `${paint.outcome(colours[kind], `${sign} ${kind} (${ids.length})`)}  ${paint.dim(baselineLabels[kind])}`,
        ...ids.slice(0, idsShown).flatMap((id) => indented(id, '    ')),
        ...(rest > 0 ? [paint.dim(`    and ${rest} more in the report`)] : []),
      ];
    }),
    ...(waivers.length === 0 ? [] : [...(baseline ? [''] : []), paint.bold('Waivers'), '']),
    ...waivers.flatMap((waiver) => {
      const colour = waiverColours[waiver.state];
      const head = `${paint.outcome(colour, outcomeLabels[colour].sign)} ${visibleOnOneLine(waiver.requirement)}`;
      return [head, ...indented(describeWaiver(waiver, report), '    ')];
    }),
  ];
}

/** The decision of the gate and what it rests on; nothing where the verdict alone decides. */
export function gateClosing(report: Report, paint: Paint, width: number): string[] {
  const { gate } = report;
  if (!gate) return [];
  const outcome = gate.passed ? 'pass' : gateExitCode(report) === 3 ? 'blocked' : 'fail';
  const word = labelGate(gate).toUpperCase();
  const painted = paint.bold(paint.outcome(outcome, word));
  const reasons = gate.passed ? [gateReason(gate)] : gate.reasons;
  const [first = ''] = reasons;
  if (reasons.length === 1 && columns(word) + columns(first) + 2 <= width) {
    return [`${painted}  ${visibleOnOneLine(first)}`];
  }
  return [
    painted,
    ...reasons.flatMap((reason) => wrapped(visibleOnOneLine(reason), width - 2).map((line) => `  ${line}`)),
  ];
}
