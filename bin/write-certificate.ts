import type { KeyObject } from 'node:crypto';
import { certifyReport, type CertificateOutcome } from '../reports/certificate/certify-report.ts';
import type { Report } from '../specs/types.ts';
import { killMatrixBytes } from './kill-matrix.ts';
import { version } from './version.ts';

/** What {@link certificateOf} needs. */
export interface Certifiable {
  report: Report;
  /** report.json as it is written, byte for byte. */
  reportText: string;
  key: KeyObject;
  validDays?: number | undefined;
}

/** The certificate of a report, or why there is none, a sentence each. */
export async function certificateOf(certifiable: Certifiable): Promise<CertificateOutcome> {
  const killMatrix = await killMatrixBytes();
  if (!killMatrix) return { refused: ['This build of svc-conform comes without its kill matrix.'] };
  return certifyReport({ ...certifiable, killMatrix, version: version(), now: new Date() });
}
