import { join } from 'node:path';
import { gateExitCode } from '../../reports/model/apply-gate.ts';
import { formats as known } from '../../reports/write/formats.ts';
import { mergeReports, ReportsNotMergeable } from '../../reports/model/merge-reports.ts';
import type { Report } from '../../specs/generated/types.ts';
import { assertCertifiable } from '../plan/assert-certifiable.ts';
import type { CertificateInput } from '../run-input.ts';
import { parseFormatNames } from '../plan/parse-format-names.ts';
import type { RunExitCode } from '../exit-code.ts';
import { gateMerged, type GateFlags } from './gate-merged.ts';
import { grantCertificate } from '../publish/grant-certificate.ts';
import { writeNote } from '../output/terminal.ts';
import { publishReport } from '../publish/publish-report.ts';
import { readBaseline } from '../input/read-baseline.ts';
import { readPrivateKey } from '../input/read-key.ts';
import { readReport, reportFile } from '../input/read-report.ts';
import { reportDirectory } from '../plan/report-directory.ts';
import { claimDirectory } from '../plan/claim-directory.ts';
import { assertInputsNotOverwritten } from '../publish/assert-inputs-not-overwritten.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The flags of `report merge`. */
export interface MergeFlags extends CertificateInput {
  out: string;
  format?: string[] | undefined;
  json?: boolean | undefined;
  baseline?: string | undefined;
  failOn?: GateFlags['failOn'];
}

/**
 * Reads the shards, writes and prints the report of the complete run, signs its certificate if requested, and returns the
 * exit code of the run.
 *
 * @param places report files, or their directories
 * @throws HarnessFault when they are not all the shards of one run
 */
export async function mergeShards(places: readonly string[], flags: MergeFlags): Promise<RunExitCode> {
  const { out, json, key, validDays } = flags;
  const formats = await parseFormatNames(flags.format ?? ['html']);
  const names = [reportFile, ...formats.flatMap((name) => Object.keys(known[name].files))];
  await assertInputsNotOverwritten(places, { out, written: names.map((name) => join(out, name)) });
  const shards: Report[] = [];
  for (const place of places) shards.push(await readReport(place));
  const baseline = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline, out);
  const report = gateMerged(merged(shards, places), shards, { baseline, failOn: flags.failOn });
  const waived = report.gate?.waivers?.map(({ requirement }) => requirement) ?? [];
  assertCertifiable(flags, report.selection, waived);
  const signing = flags.certificate === true && key !== undefined ? await readPrivateKey(key) : undefined;
  await reportDirectory({ out }, report.selection);
  await using _claim = await claimDirectory(out);
  await publishReport(report, { out, formats, json });
  const code = gateExitCode(report);
  if (signing === undefined) return code;
  const request = { key: signing, validDays, out, now: new Date() };
  if (await grantCertificate(report, request, writeNote)) return code;
  return code === 0 ? 1 : code;
}

function merged(shards: readonly Report[], places: readonly string[]): Report {
  try {
    return mergeReports(shards, places);
  } catch (error) {
    if (error instanceof ReportsNotMergeable) throw new HarnessFault('shards-not-mergeable', { reason: error.message });
    throw error;
  }
}
