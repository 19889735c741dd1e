import type { FleetReport, FleetSummary, TargetResult } from '../../../specs/generated/types.ts';
import {
  describeExtent,
  describeSuspectedFault,
  labelTarget,
  serviceFirst,
  summaryLabels,
  targetGroup,
} from '../../text/describe-fleet.ts';
import { visibleOnOneLine } from '../../text/visible-controls.ts';
import { formatLongDuration, labelVerdict, outcomeLabels } from '../../text/wording.ts';
import type { Paint } from '../terminal/terminal-paint.ts';
import { shortened, wrapped } from '../terminal/terminal-text.ts';

/** Causes that the terminal shows; the page has all. */
const mostCauses = 10;
/** Targets of a cause, and targets without a verdict, that are listed. */
const mostTargets = 8;

interface TerminalStyle {
  paint: Paint;
  width: number;
}

/** The result of a fleet for a terminal: counts, the causes that targets have in common, and targets without a verdict. */
export function renderFleetTerminal(report: FleetReport, { paint, width }: TerminalStyle): string {
  const { verdict, night, summary, causes, targets, suspectedFaults } = report;
  const counts = Object.entries(summaryLabels).flatMap(([key, { label, group }]) => {
    const count = summary[key as keyof FleetSummary];
    return count === 0 ? [] : [`  ${paint.outcome(group, `${outcomeLabels[group].sign} ${count} ${label}`)}`];
  });
  const wrap = (text: string, indent: number) =>
    wrapped(visibleOnOneLine(text), width - indent).map((line) => `${' '.repeat(indent)}${line}`);
  const shownCauses = causes
    .slice(0, mostCauses)
    .flatMap((cause) => [
      `  ${paint.outcome(cause.status, outcomeLabels[cause.status].sign)} ${paint.bold(describeExtent(cause))}`,
      ...wrap(cause.summary, 4),
      ...(cause.suspects === 'service' ? wrap(serviceFirst, 4) : []),
      ...wrap(`${cause.id ?? cause.requirement}: ${listed(cause.targets)}`, 4).map((line) => paint.dim(line)),
    ]);
  const without = targets.filter(({ verdict: own }) => own === undefined);
  const group = targetGroup({ state: 'complete', verdict });
  return `${[
    ...(shownCauses.length > 0 ? [paint.bold('Causes'), ...shownCauses, ''] : []),
    ...(causes.length > mostCauses ? [`  and ${causes.length - mostCauses} more`, ''] : []),
    ...(without.length > 0
      ? [
          paint.bold('Without a verdict'),
          ...without.slice(0, mostTargets).flatMap(({ id, reason = '' }) => wrap(`${id}: ${reason}`, 2)),
          ...(without.length > mostTargets ? [`  and ${without.length - mostTargets} more`] : []),
          '',
        ]
      : []),
    ...suspectedFaults.flatMap((fault) => [...wrap(describeSuspectedFault(fault), 0), '']),
    paint.bold(paint.outcome(group, `${labelVerdict({ verdict })}, night of ${night}`)),
    ...counts,
  ].join('\n')}\n`;
}

/** One finished target on one line. */
export function fleetTargetLine(
  target: {
    id: string;
    state: TargetResult['state'];
    verdict?: TargetResult['verdict'] | undefined;
    durationMs: number;
    reason?: string | undefined;
  },
  { paint, width }: TerminalStyle,
): string {
  const { id, durationMs, reason } = target;
  const group = targetGroup(target);
  const said = reason === undefined ? '' : `: ${visibleOnOneLine(reason)}`;
  const text = `${outcomeLabels[group].sign} ${id} ${labelTarget(target)} in ${formatLongDuration(durationMs)}${said}`;
  return paint.outcome(group, shortened(text, width));
}

function listed(ids: readonly string[]): string {
  const more = ids.length - mostTargets;
  return `${ids.slice(0, mostTargets).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
