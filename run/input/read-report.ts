import { describeFileError } from '../../specs/faults/describe-file-error.ts';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import type { Report } from '../../specs/generated/types.ts';
import { runVerdict, summarise } from '../../reports/model/verdict.ts';
import { validate, formatViolation } from '../../specs/validators.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** File name of a report in its directory. */
export const reportFile = 'report.json';
/** Version of report.schema.json that this version reads. */
const schemaVersion = 2;
/** Maximum number of violations to show; the others mostly follow from them. */
const mostViolations = 3;

/**
 * Reads a `report.json`, or the one in a directory that a run wrote.
 *
 * @throws HarnessFault (exit code 2) when it is missing, is not JSON, does not match report.schema.json, or states a verdict
 *   that does not follow from its requirements
 */
export async function readReport(place: string): Promise<Report> {
  const file = await fileAt(place);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new HarnessFault('report-unreadable:file', { file, expected: reportFile, reason: describeFileError(error) });
  });
  return parseReport(text, file);
}

/** Parses a report. `name` appears in errors. Throws like {@link readReport}. */
export function parseReport(text: string, name: string): Report {
  const read = readBoundedJson(Buffer.from(text), fileBounds);
  if ('error' in read) {
    const received = text.trim() === '' ? 'an empty file' : (read.cause ?? read.error);
    throw new HarnessFault('report-unreadable:json', { file: name, received });
  }
  const { value } = read;
  const version = (value as { schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version === 'number' && version !== schemaVersion) {
    throw new HarnessFault('report-unreadable:version', { file: name, version: schemaVersion, received: version });
  }
  const violations = validate('report', value);
  if (violations.length > 0) {
    const shown = violations.slice(0, mostViolations).map(formatViolation);
    throw new HarnessFault('report-unreadable:schema', {
      file: name,
      violations: shown,
      more: violations.length - mostViolations,
    });
  }
  const report = value as Report;
  assertConsistent(report, name);
  return report;
}

/** Refuses a verdict that does not follow from the requirements: it would be shown, gated and merged like a real one. */
function assertConsistent({ requirements, summary, verdict, selection }: Report, name: string): void {
  const counts = summarise(requirements);
  for (const key of Object.keys(counts) as (keyof typeof counts)[]) {
    if (summary[key] === counts[key]) continue;
    throw new HarnessFault('report-unreadable:changed', {
      file: name,
      expected: `a summary that matches its requirements (${key} ${counts[key]})`,
      received: `${key} ${summary[key]}`,
    });
  }
  const given = runVerdict(counts, selection);
  if (verdict !== given) {
    throw new HarnessFault('report-unreadable:changed', {
      file: name,
      expected: `the verdict that follows from its requirements (${given})`,
      received: verdict,
    });
  }
}

async function fileAt(place: string): Promise<string> {
  const isDirectory = await stat(place).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isDirectory ? join(place, reportFile) : place;
}
