import { isDeepStrictEqual } from 'node:util';
import type { KeyObject } from 'node:crypto';
import { requirements } from '../../specs/requirements/catalogue.ts';
import type { Report } from '../../specs/generated/types.ts';
import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { validate, formatViolation } from '../../specs/validators.ts';
import type { Catalogue } from '../model/build-report.ts';
import { catalogueDigest } from './catalogue-digest.ts';
import { openEnvelope } from './envelope.ts';
import { keyIdOf } from './keys.ts';
import { certificateRefusals } from './refusals.ts';
import { configuredDigest, readStatement } from './read-statement.ts';
import {
  predicateType,
  sha256,
  statementLayout,
  statementOf,
  statementType,
  type CertificateStatement,
} from './statement.ts';
import { clockToleranceMs, dayMs, mostValidDays } from './valid-days.ts';

/** The files to verify, as raw bytes, and the trusted key. */
export interface VerificationInput {
  readonly certificate: Uint8Array;
  readonly report: Uint8Array;
  /** Ed25519 public key of the trusted signer. */
  readonly publicKey: KeyObject;
  /** Content of kill-matrix.json in this package, if it has one. */
  readonly killMatrix: string | Uint8Array | undefined;
  /** Version of this program. */
  readonly version: string;
  readonly now: Date;
  readonly catalogue?: Catalogue | undefined;
}

/** One verified point. `unknown` means that this version cannot decide it; the outcome does not depend on it. */
export interface VerifiedPoint {
  readonly what: 'signature' | 'statement' | 'report.json' | 'verdict' | 'catalogue' | 'kill matrix' | 'validity';
  readonly state: 'valid' | 'invalid' | 'unknown';
  readonly words: string;
}

export interface CertificateVerification {
  /** `outdated`: signed and unchanged, but not valid at this time. */
  readonly outcome: 'genuine' | 'outdated' | 'not-genuine';
  readonly points: readonly VerifiedPoint[];
  readonly keyId: string;
  /** The signed statement; set only when the signature is valid. */
  readonly statement?: CertificateStatement;
  /** Set only when it is the certified report. */
  readonly report?: Report;
}

/** Verifies a certificate against the report that it certifies, offline. */
export function verifyCertificate(input: VerificationInput): CertificateVerification {
  const keyId = keyIdOf(input.publicKey);
  const opened = openEnvelope(input.certificate, input.publicKey);
  if ('problem' in opened) return concluded({ keyId, points: [failed('signature', opened.problem)] });
  const signature = passed('signature', 'Made with the private key of this public key; unchanged since.');
  const statement = readStatement(opened.payload);
  if (!statement) {
    const words = `The signed statement is not a certificate of this kind (${statementType}, ${predicateType}, layout ${statementLayout}).`;
    return concluded({ keyId, points: [signature, failed('statement', words)] });
  }
  const untimely = impossibleTimes(statement);
  const { report, point } = readReport(input.report, statement);
  const points = [signature, ...untimely, point, ...(report ? [statementPoint(report, statement, input)] : [])];
  return concluded({
    keyId,
    statement,
    ...(report && { report }),
    points: [...points, ...ownPoints(statement, input), validityPoint(statement, input.now)],
  });
}

function concluded(verification: Omit<CertificateVerification, 'outcome'>): CertificateVerification {
  const wrong = verification.points.filter(({ state }) => state === 'invalid');
  if (wrong.length === 0) return { outcome: 'genuine', ...verification };
  return { outcome: wrong.every(({ what }) => what === 'validity') ? 'outdated' : 'not-genuine', ...verification };
}

function readReport(bytes: Uint8Array, statement: CertificateStatement): { report?: Report; point: VerifiedPoint } {
  const digest = sha256(bytes);
  const signed = statement.predicate.svcConform.report.digest?.['sha256'];
  if (digest !== signed) {
    const words = `This is not the certified report, or it was changed: expected SHA-256 ${signed}, received ${digest}.`;
    return { point: failed('report.json', words) };
  }
  const read = readBoundedJson(bytes, fileBounds);
  if ('error' in read)
    return { point: failed('report.json', `The certified file is not a report: it is ${read.error}.`) };
  const [violation] = validate('report', read.value);
  if (violation) {
    const words = `The certified file is not a report that this version can read: ${formatViolation(violation)}. Verify it with svc-conform ${statement.predicate.svcConform.harnessVersion}.`;
    return { point: failed('report.json', words) };
  }
  return { report: read.value as Report, point: passed('report.json', 'Identical to the certified report.') };
}

/** A certificate follows from its report, so it is generated again and compared. */
function statementPoint(report: Report, statement: CertificateStatement, input: VerificationInput): VerifiedPoint {
  const { svcConform } = statement.predicate;
  const again = statementOf(report, {
    issuedAt: svcConform.issuedAt,
    validUntil: svcConform.validUntil,
    reportDigest: sha256(input.report),
    catalogueDigest: configuredDigest(statement, 'requirement-catalogue'),
    killMatrixDigest: configuredDigest(statement, 'kill-matrix.json'),
  });
  if (!isDeepStrictEqual(JSON.parse(JSON.stringify(again)), statement)) {
    return failed('verdict', 'The certificate does not match its report.');
  }
  // Only the digest of another version's catalogue is known here.
  const isOwn = svcConform.harnessVersion === input.version;
  const catalogue = isOwn ? (input.catalogue ?? requirements) : catalogueOf(report);
  const [refusal] = certificateRefusals(report, catalogue, new Date(svcConform.issuedAt));
  if (refusal !== undefined) return failed('verdict', `The report cannot be certified. ${refusal}`);
  return passed('verdict', 'Follows from the checks of the report, as does everything else in the certificate.');
}

function catalogueOf({ requirements: rows }: Report): Catalogue {
  return Object.fromEntries(rows.map((row) => [row.id, row]));
}

function ownPoints(statement: CertificateStatement, input: VerificationInput): VerifiedPoint[] {
  const { harnessVersion } = statement.predicate.svcConform;
  const compared = [
    ['catalogue', 'requirement-catalogue', catalogueDigest(input.catalogue)],
    ['kill matrix', 'kill-matrix.json', input.killMatrix && sha256(input.killMatrix)],
  ] as const;
  return compared.map(([what, name, own]) => {
    const signed = configuredDigest(statement, name);
    if (own === undefined || own === '') return unknown(what, 'This build of svc-conform does not include one.');
    if (signed === own) return passed(what, `Identical to that of this svc-conform (${input.version}).`);
    return harnessVersion === input.version
      ? failed(
          what,
          `It differs from that of svc-conform ${input.version}: expected SHA-256 ${own}, received ${signed}.`,
        )
      : unknown(
          what,
          `It belongs to svc-conform ${harnessVersion}; this is ${input.version}, which has a different one.`,
        );
  });
}

/** Times that svc-conform never signs. */
function impossibleTimes({ predicate }: CertificateStatement): VerifiedPoint[] {
  const { ranAt, issuedAt, validUntil } = predicate.svcConform;
  const [ran, from, until] = [Date.parse(ranAt), Date.parse(issuedAt), Date.parse(validUntil)];
  if (!(from < until)) {
    return [failed('statement', `Its validity is empty: ${issuedAt} to ${validUntil}.`)];
  }
  if (!(ran <= from + clockToleranceMs)) {
    return [failed('statement', `The run began at ${ranAt}, which is later than its signature at ${issuedAt}.`)];
  }
  return until - ran <= mostValidDays * dayMs
    ? []
    : [
        failed(
          'statement',
          `Its validity is too long: expected at most ${mostValidDays} days from ${ranAt}, received ${validUntil}.`,
        ),
      ];
}

function validityPoint({ predicate }: CertificateStatement, now: Date): VerifiedPoint {
  const { issuedAt, validUntil } = predicate.svcConform;
  const [from, until] = [Date.parse(issuedAt), Date.parse(validUntil)];
  if (now.getTime() >= until) return failed('validity', `It was valid until ${validUntil}. Certify again.`);
  if (now.getTime() + clockToleranceMs < from) {
    return failed('validity', `It is valid from ${issuedAt}, which is in the future by the clock of this machine.`);
  }
  return passed('validity', `Valid until ${validUntil}.`);
}

function passed(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'valid', words };
}

function failed(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'invalid', words };
}

function unknown(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'unknown', words };
}
