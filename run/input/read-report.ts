import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runVerdict, summarise } from '../../reports/model/verdict.ts';
import { validate, formatViolation } from '../../specs/validators.ts';
import { UsageError } from '../usage-error.ts';

/** File name of a report in its directory. */
export const reportFile = 'report.json';
/** Version of report.schema.json that this version reads. */
const schemaVersion = 2;
/** Maximum number of violations to show; the others mostly follow from them. */
const mostViolations = 3;

/**
 * Reads a `report.json`, or the one in a directory that a run wrote.
 *
 * @throws UsageError (exit code 2) when it is missing, is not JSON, does not match report.schema.json, or states a verdict
 *   that does not follow from its requirements
 */
export async function readReport(place: string): Promise<Report> {
  const file = await fileAt(place);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${file}: expected a ${reportFile} of svc-conform, received ${(error as Error).message}.`);
  });
  return parseReport(text, file);
}

/** Parses a report. `name` appears in errors. Throws like {@link readReport}. */
export function parseReport(text: string, name: string): Report {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('error' in read) {
    const received = text.trim() === '' ? 'an empty file' : (read.cause ?? read.error);
    throw new UsageError(`${name}: expected the JSON of a report, received ${received}.`);
  }
  const { value } = read;
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'number' && version !== schemaVersion) {
    throw new UsageError(
      `${name}: expected schemaVersion ${schemaVersion}, received ${version}. ` +
        (version > schemaVersion
          ? 'A newer svc-conform wrote it: update this one.'
          : 'A version of svc-conform before 0.1.0 wrote it, and only that version can read it: run the check again.'),
    );
  }
  const violations = validate('report', value);
  if (violations.length > 0) {
    const more = violations.length > mostViolations ? `\n  and ${violations.length - mostViolations} more` : '';
    const shown = violations.slice(0, mostViolations).map((violation) => `\n  ${formatViolation(violation)}`);
    throw new UsageError(`${name}: this is not a report of svc-conform.${shown.join('')}${more}`);
  }
  const report = value as Report;
  assertConsistent(report, name);
  return report;
}

/** Refuses a verdict that does not follow from the requirements: it would be shown, gated and merged like a real one. */
function assertConsistent({ requirements, summary, verdict }: Report, name: string): void {
  const counts = summarise(requirements);
  const changed = 'It was changed after the run: use the original file, or run the check again.';
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) {
    if (summary[key] === counts[key]) continue;
    throw new UsageError(
      `${name}: expected a summary that matches its requirements (${key} ${counts[key]}), received ${key} ${summary[key]}. ${changed}`,
    );
  }
  const given = runVerdict(counts);
  if (verdict !== given) {
    throw new UsageError(
      `${name}: expected the verdict that follows from its requirements (${given}), received ${verdict}. ${changed}`,
    );
  }
}

async function fileAt(place: string): Promise<string> {
  const isDirectory = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isDirectory ? join(place, reportFile) : place;
}
