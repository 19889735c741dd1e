import type { Report } from '../../specs/generated/types.ts';
import { partialRun } from '../model/partial-run.ts';
import { labelVerdict } from './wording.ts';

/** `partial: 1 of 354`, of a run that did not check everything; `undefined` for a complete run. */
export function labelPartial(report: Report): string | undefined {
  const partial = partialRun(report);
  return partial && `partial: ${partial.checked} of ${partial.of}`;
}

/** The headline of a report: its outcome, and how much a partial run checked. */
export function labelReport(report: Report): string {
  const part = labelPartial(report);
  return part === undefined ? labelOutcome(report) : `${labelOutcome(report)}, ${part}`;
}

/** The outcome in one or two words: the verdict of a complete run. A partial run is never called conformant. */
export function labelOutcome(report: Report): string {
  return partialRun(report) ? partialVerdicts[report.verdict] : labelVerdict(report);
}

const partialVerdicts = {
  conformant: 'passed',
  'conformant-with-warnings': 'passed with warnings',
  'non-conformant': 'non-conformant',
  incomplete: 'incomplete',
} as const satisfies Record<Report['verdict'], string>;

/** Whether a partial run passed: it is shown neither as a success nor as a failure. */
export function isPartialPass(report: Report): boolean {
  return report.verdict === 'conformant' && partialRun(report) !== undefined;
}

/** Whether everything was checked, but with fewer events or a shorter wait than usual. */
export function isReduced(report: Report): boolean {
  return report.selection !== undefined && partialRun(report) === undefined;
}
