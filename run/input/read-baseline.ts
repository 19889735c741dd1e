import { join } from 'node:path';
import type { Report } from '../../specs/generated/types.ts';
import { readReport, reportFile } from './read-report.ts';
import { UsageError } from '../usage-error.ts';
import { writtenOver } from '../publish/assert-inputs-not-overwritten.ts';

/**
 * Reads the report that a run is held against. The file that the run itself writes is refused: written over by a run
 * with a new failure, it would let the next run pass.
 *
 * @param place a report.json, or the directory that holds it
 * @param out directory into which the run writes its report, if any
 * @throws UsageError
 */
export async function readBaseline(place: string, out: string | undefined): Promise<Report> {
  if (out !== undefined && (await writtenOver([place], [join(out, reportFile)])) !== undefined) {
    throw new UsageError(
      `--baseline ${place} is the report that this run writes over, and the next run would know what is new in this one. Keep the baseline elsewhere, or name another directory with --out.`,
    );
  }
  return readReport(place);
}
