import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessFault } from '../harness/checks/faults.ts';
import { fileBounds, readBoundedJson } from '../specs/bounded-json.ts';
import { describeFileError } from '../specs/faults/describe-file-error.ts';
import type { FleetReport } from '../specs/generated/types.ts';
import { formatViolation, validate } from '../specs/validators.ts';
import { fleetFiles } from './fleet-files.ts';

/** Violations that a message lists; the others mostly follow from them. */
const mostViolations = 3;

/** Reads the fleet.json of a directory that `fleet` or `fleet merge` wrote. Throws {@link HarnessFault}. */
export async function readFleet(directory: string): Promise<FleetReport> {
  const file = join(directory, fleetFiles.json);
  const bytes = await readFile(file).catch((error: unknown) => {
    const reason = describeFileError(error);
    throw new HarnessFault('report-unreadable:file', { file, expected: fleetFiles.json, reason });
  });
  const read = readBoundedJson(bytes, fileBounds);
  if ('error' in read) throw new HarnessFault('report-unreadable:json', { file, received: read.error });
  const violations = validate('fleetReport', read.value);
  if (violations.length > 0) {
    throw new HarnessFault('report-unreadable:schema', {
      file,
      violations: violations.slice(0, mostViolations).map(formatViolation),
      more: Math.max(0, violations.length - mostViolations),
    });
  }
  return read.value as FleetReport;
}
