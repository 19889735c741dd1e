import { join } from 'node:path';
import { unbrandedReport } from '../../reports/model/brand-report.ts';
import type { Report } from '../../specs/generated/types.ts';
import { readReport, reportFile } from './read-report.ts';
import { assertComplete } from '../plan/report-directory.ts';
import { findOverwritten } from '../publish/assert-inputs-not-overwritten.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/**
 * Reads the report that a run is compared with. Refuses the file that the run itself writes: a run with a new failure
 * would overwrite it, and the next run would pass. Refuses the report of a partial run.
 *
 * @param place a report.json, or its directory
 * @param out directory into which the run writes its report, if any
 * @throws HarnessFault
 */
export async function readBaseline(place: string, out: string | undefined): Promise<Report> {
  if (out !== undefined && (await findOverwritten([place], [join(out, reportFile)])) !== undefined) {
    throw new HarnessFault('file-exists:baseline', { baseline: place });
  }
  const baseline = await readReport(place);
  assertComplete(baseline, place, 'baseline');
  return unbrandedReport(baseline);
}
