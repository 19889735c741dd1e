import { join } from 'node:path';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isPartialSelection } from '../../reports/model/partial-run.ts';
import type { Report, Selection } from '../../specs/generated/types.ts';
import { readReport } from '../input/read-report.ts';

/** Directory of the reports of `check`. */
export const defaultReportDirectory = 'conformance-report';

/** Directory of partial runs, within that of complete runs. */
export const partialDirectory = 'partial';

interface ReportPlace {
  /** The directory that the user named. */
  out?: string | undefined;
  /** The directory of complete runs when the user named none. */
  defaultOut?: string | undefined;
}

/**
 * The directory into which a run writes its report; `undefined` for none. A partial run does not write over the report of
 * a complete run.
 *
 * @throws HarnessFault (`file-exists`) when the user named a directory with the report of a complete run
 */
export async function reportDirectory(
  { out, defaultOut }: ReportPlace,
  selection: Selection | undefined,
): Promise<string | undefined> {
  if (!isPartialSelection(selection)) return out ?? defaultOut;
  if (out === undefined) return defaultOut === undefined ? undefined : join(defaultOut, partialDirectory);
  if (await hasCompleteReport(out)) {
    throw new HarnessFault('file-exists:complete', { out, partial: join(out, partialDirectory) });
  }
  return out;
}

/** The directory for the report of a run that was stopped: it does not write over the report of a complete run. */
export async function directoryOfStopped(out: string | undefined): Promise<string | undefined> {
  return out !== undefined && (await hasCompleteReport(out)) ? join(out, partialDirectory) : out;
}

async function hasCompleteReport(directory: string): Promise<boolean> {
  const there = await readReport(directory).catch(() => undefined);
  return there !== undefined && !isPartialSelection(there.selection);
}

/**
 * Refuses the report of a partial run as a baseline or for a replay, because it shows nothing about the other checks.
 *
 * @throws HarnessFault (`report-partial`)
 */
export function assertComplete({ selection }: Report, place: string, use: 'baseline' | 'replay'): void {
  if (!isPartialSelection(selection)) return;
  if (use === 'baseline') throw new HarnessFault('report-partial:baseline', { place });
  throw new HarnessFault('report-partial:replay', { place });
}
