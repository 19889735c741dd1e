import { join } from 'node:path';
import type { Report } from '../../specs/generated/types.ts';
import { readReport, reportFile } from './read-report.ts';
import { UsageError } from '../usage-error.ts';
import { writtenOver } from '../publish/written-over.ts';

/**
 * Reads the report that a run is compared with. Refuses the file that the run itself writes: a run with a new failure
 * would overwrite it, and the next run would pass.
 *
 * @param place a report.json, or its directory
 * @param out directory into which the run writes its report, if any
 * @throws UsageError
 */
export async function readBaseline(place: string, out: string | undefined): Promise<Report> {
  if (out !== undefined && (await writtenOver([place], [join(out, reportFile)])) !== undefined) {
    throw new UsageError(
      `--baseline ${place} is the report that this run overwrites, so its new failures would be known failures in the next run. Keep the baseline elsewhere, or choose another directory with --out.`,
    );
  }
  return readReport(place);
}
