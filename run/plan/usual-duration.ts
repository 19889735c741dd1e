import type { RunOptions } from '../run-input.ts';
import { isPartialSelection } from '../../reports/model/partial-run.ts';
import type { Report } from '../../specs/generated/types.ts';
import { readReport } from '../input/read-report.ts';

/**
 * Milliseconds that the latest run of the same kind took, by its report in this directory: the same endpoints, flags and
 * selection. `undefined` if there is none to compare with, it ended before its time, or an option that the report does
 * not contain changes the duration.
 */
export async function usualDurationMs(
  directory: string | undefined,
  { thorough, contracts, chaos, confirm, budget }: Partial<RunOptions>,
  { target, selection }: Pick<Report, 'target'> & { selection: Report['selection'] | undefined },
): Promise<number | undefined> {
  if (thorough || contracts || chaos || confirm !== undefined || budget !== undefined) return undefined;
  const earlier = directory === undefined ? undefined : await readReport(directory).catch(() => undefined);
  if (!earlier || earlier.verdict === 'incomplete' || isPartialSelection(selection)) return undefined;
  const isSame = JSON.stringify([earlier.target, earlier.selection]) === JSON.stringify([target, selection]);
  const isWhole = !earlier.checks.some(({ code }) => code === 'not-tried');
  return isSame && isWhole && !earlier.anonymized ? earlier.durationMs : undefined;
}
