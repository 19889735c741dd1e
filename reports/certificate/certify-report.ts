import type { KeyObject } from 'node:crypto';
import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Report } from '../../specs/generated/types.ts';
import type { Catalogue } from '../model/build-report.ts';
import { catalogueDigest } from './catalogue-digest.ts';
import { sealEnvelope } from './envelope.ts';
import { certificateRefusals } from './refusals.ts';
import { sha256, statementOf } from './statement.ts';
import { dayMs, defaultValidDays, mostValidDays } from './valid-days.ts';

/** Input of a certificate. */
export interface CertificateRequest {
  readonly report: Report;
  /** report.json as it was written, byte for byte. */
  readonly reportText: string;
  /** Content of kill-matrix.json in the package. */
  readonly killMatrix: string | Uint8Array;
  /** Ed25519 private key. */
  readonly key: KeyObject;
  /** Version of this program. */
  readonly version: string;
  readonly now: Date;
  /** Whole days from the run, up to {@link mostValidDays}; default {@link defaultValidDays}. */
  readonly validDays?: number | undefined;
  readonly catalogue?: Catalogue | undefined;
}

/** The certificate, or the reasons why it is refused, a sentence each. */
export type CertificateOutcome =
  { readonly text: string; readonly validUntil: string } | { readonly refused: readonly string[] };

/** Signs the result of a report. Only a complete, conformant run of this version without exceptions can be certified. */
export function certifyReport(request: CertificateRequest): CertificateOutcome {
  const { report, reportText, killMatrix, key, version, now } = request;
  const { validDays = defaultValidDays, catalogue = requirements } = request;
  if (!Number.isInteger(validDays) || validDays < 1 || validDays > mostValidDays) {
    return { refused: [`A certificate is valid for 1 to ${mostValidDays} days; received ${validDays}.`] };
  }
  const end = new Date(Date.parse(report.startedAt) + validDays * dayMs);
  const refused = [
    ...certificateRefusals(report, catalogue, now),
    ...(report.harness.version === version
      ? []
      : [`The report was made by svc-conform ${report.harness.version}; this is ${version}.`]),
    ...(end <= now ? [`The run is older than the ${validDays} days for which its certificate would be valid.`] : []),
  ];
  if (refused.length > 0) return { refused };
  const statement = statementOf(report, {
    issuedAt: now.toISOString(),
    validUntil: end.toISOString(),
    reportDigest: sha256(reportText),
    catalogueDigest: catalogueDigest(catalogue),
    killMatrixDigest: sha256(killMatrix),
  });
  return { text: sealEnvelope(JSON.stringify(statement), key), validUntil: end.toISOString() };
}
