import type { RunOptions } from '../run-input.ts';
import { isPartialSelection } from '../../reports/model/partial-run.ts';
import type { Report } from '../../specs/generated/types.ts';
import { unbrandedReport } from '../../reports/model/brand-report.ts';
import { readReport } from '../input/read-report.ts';

/**
 * The complete report in this directory, of the latest run with the same endpoints and selection. `undefined` if there is
 * none to compare with, or if this run or that one is incomplete or anonymised.
 */
export async function previousReport(
  directory: string | undefined,
  { target, selection }: Pick<Report, 'target'> & { selection: Report['selection'] | undefined },
): Promise<Report | undefined> {
  if (directory === undefined || isPartialSelection(selection)) return undefined;
  const earlier = await readReport(directory).catch(() => undefined);
  if (!earlier || earlier.verdict === 'incomplete' || earlier.anonymized) return undefined;
  const isSame = JSON.stringify([earlier.target, earlier.selection]) === JSON.stringify([target, selection]);
  return isSame ? unbrandedReport(earlier) : undefined;
}

/**
 * Milliseconds that a run takes, by the previous one; `undefined` if an option that a report does not contain changes the
 * duration, or if that run ended before its time.
 */
export function usualDurationMs(
  previous: Report | undefined,
  { thorough, contracts, chaos, confirm, budget }: Partial<RunOptions>,
): number | undefined {
  if (thorough || contracts || chaos || confirm !== undefined || budget !== undefined) return undefined;
  return previous?.checks.some(({ code }) => code === 'not-tried') ? undefined : previous?.durationMs;
}
