import type { KeyObject } from 'node:crypto';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { certifyReport, type CertificateOutcome } from '../../reports/certificate/certify-report.ts';
import { renderJson } from '../../reports/write/json/render-json.ts';
import { writeReport } from '../../reports/write/write-report.ts';
import type { Report } from '../../specs/generated/types.ts';
import { certificateFile } from './certificate-file.ts';
import { killMatrixBytes } from '../plan/kill-matrix-bytes.ts';
import { version } from '../version.ts';

/** The parameters of a certificate. */
export interface CertificateSettings {
  key: KeyObject;
  /** Directory of the report. */
  out: string;
  /** Days; the default of certificates when absent. */
  validDays?: number | undefined;
}

/**
 * Signs a certificate of the report that was just written, or reports why there is none. Returns whether there is one.
 * Throws like {@link signReport}.
 */
export async function grantCertificate(
  report: Report,
  settings: CertificateSettings & { now: Date },
  tell: (line: string) => void,
): Promise<boolean> {
  const outcome = await signReport(report, renderJson(report), settings);
  if ('refused' in outcome) {
    tell(['No certificate was signed.', ...outcome.refused].join(' '));
    return false;
  }
  tell(`Certificate, valid until ${outcome.validUntil}: ${outcome.path}`);
  return true;
}

/**
 * Signs a certificate of a report and writes it next to the report, or returns the reasons against it.
 *
 * @param reportText report.json, byte for byte
 * @throws ReportNotWritten and HarnessFault for a build that lacks what a certificate states
 */
export async function signReport(
  report: Report,
  reportText: string,
  { out, now, ...request }: CertificateSettings & { now: Date },
): Promise<CertificateOutcome & { path?: string }> {
  const killMatrix = await killMatrixBytes();
  if (!killMatrix) throw new HarnessFault('engine-failed:kill-matrix');
  const outcome = certifyReport({ report, reportText, killMatrix, version: version(), now, ...request });
  if ('refused' in outcome) return outcome;
  const [path = certificateFile] = await writeReport(out, { [certificateFile]: outcome.text });
  return { ...outcome, path };
}
