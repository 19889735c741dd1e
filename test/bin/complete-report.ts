import { readFile, writeFile } from 'node:fs/promises';
import type { Report } from '../../specs/generated/types.ts';

/** Makes the report of a complete run from one with few checks, so that a test does not wait for all checks. */
export function asComplete({ selection: _, partial: __, ...report }: Report): Report {
  return report;
}

/** Copies the report of a partial run to the path of the report of a complete run. */
export async function completeReport(directory: { at: (name: string) => string }): Promise<void> {
  const report = JSON.parse(await readFile(directory.at('conformance-report/partial/report.json'), 'utf8')) as Report;
  await writeFile(directory.at('conformance-report/report.json'), JSON.stringify(asComplete(report)));
}
