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

/** What is held together. Everything is bytes as they lie in the files. */
export interface VerificationInput {
  readonly certificate: Uint8Array;
  readonly report: Uint8Array;
  /** Ed25519 public key of whom the reader trusts. */
  readonly publicKey: KeyObject;
  /** kill-matrix.json as it is in this package, if it has one. */
  readonly killMatrix: string | Uint8Array | undefined;
  /** Version of this program. */
  readonly version: string;
  readonly now: Date;
  readonly catalogue?: Catalogue | undefined;
}

/** One thing that was looked at. `unknown` is what this version cannot tell; it takes nothing away. */
export interface VerifiedPoint {
  readonly what: 'signature' | 'statement' | 'report.json' | 'verdict' | 'catalogue' | 'kill matrix' | 'validity';
  readonly state: 'holds' | 'broken' | 'unknown';
  readonly words: string;
}

export interface Verification {
  /** `outdated`: signed and unchanged, and not valid at this time. */
  readonly outcome: 'genuine' | 'outdated' | 'not-genuine';
  readonly points: readonly VerifiedPoint[];
  readonly keyId: string;
  /** What the key's owner signed; only once the signature was verified. */
  readonly statement?: CertificateStatement;
  /** Only where it is the one that was certified. */
  readonly report?: Report;
}

/** Verifies a certificate against the report that it certifies. Needs nothing but what it is given. */
export function verifyCertificate(input: VerificationInput): Verification {
  const keyId = keyIdOf(input.publicKey);
  const opened = openEnvelope(input.certificate, input.publicKey);
  if ('problem' in opened) return concluded({ keyId, points: [broken('signature', opened.problem)] });
  const signature = holds('signature', 'Made with the private key of this public key, and unchanged since.');
  const statement = readStatement(opened.payload);
  if (!statement) {
    const words = `What was signed is not a certificate of this kind (${statementType}, ${predicateType}, layout ${statementLayout}).`;
    return concluded({ keyId, points: [signature, broken('statement', words)] });
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

function concluded(verification: Omit<Verification, 'outcome'>): Verification {
  const wrong = verification.points.filter(({ state }) => state === 'broken');
  if (wrong.length === 0) return { outcome: 'genuine', ...verification };
  return { outcome: wrong.every(({ what }) => what === 'validity') ? 'outdated' : 'not-genuine', ...verification };
}

function readReport(bytes: Uint8Array, statement: CertificateStatement): { report?: Report; point: VerifiedPoint } {
  const digest = sha256(bytes);
  const signed = statement.predicate.svcConform.report.digest?.['sha256'];
  if (digest !== signed) {
    const words = `It is not the report that was certified, or was changed: expected SHA-256 ${signed}, received ${digest}.`;
    return { point: broken('report.json', words) };
  }
  const read = readBoundedJson(bytes, fileBounds);
  if ('error' in read)
    return { point: broken('report.json', `The certified file is not a report: it is ${read.error}.`) };
  const [violation] = validate('report', read.value);
  if (violation) {
    const words = `The certified file is not a report as this version knows it: ${formatViolation(violation)}. Verify it with svc-conform ${statement.predicate.svcConform.harnessVersion}.`;
    return { point: broken('report.json', words) };
  }
  return { report: read.value as Report, point: holds('report.json', 'Byte for byte the report that was certified.') };
}

/** All that a certificate says follows from its report, so all of it is made again and compared. */
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
    return broken('verdict', 'The certificate says something else than its report.');
  }
  // Of another version's catalogue nothing is known here but its digest.
  const isOwn = svcConform.harnessVersion === input.version;
  const catalogue = isOwn ? (input.catalogue ?? requirements) : catalogueOf(report);
  const [refusal] = certificateRefusals(report, catalogue, new Date(svcConform.issuedAt));
  if (refusal !== undefined) return broken('verdict', `The report cannot be certified. ${refusal}`);
  return holds('verdict', 'Follows from the checks of the report, and everything that the certificate says is in it.');
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
    if (own === undefined || own === '') return unknown(what, 'This build of svc-conform comes without one.');
    if (signed === own) return holds(what, `The one of svc-conform ${input.version}, which verifies this.`);
    return harnessVersion === input.version
      ? broken(what, `It is not that of svc-conform ${input.version}: expected SHA-256 ${own}, received ${signed}.`)
      : unknown(what, `That of svc-conform ${harnessVersion}; this is ${input.version}, which has another one.`);
  });
}

/** Times that svc-conform does not sign, whatever the time is now. */
function impossibleTimes({ predicate }: CertificateStatement): VerifiedPoint[] {
  const { ranAt, issuedAt, validUntil } = predicate.svcConform;
  const [ran, from, until] = [Date.parse(ranAt), Date.parse(issuedAt), Date.parse(validUntil)];
  if (!(from < until)) {
    return [broken('statement', `It has no time in which it is valid: ${issuedAt} to ${validUntil}.`)];
  }
  if (!(ran <= from + clockToleranceMs)) {
    return [
      broken('statement', `The run began at ${ranAt}, which is still to come at ${issuedAt}, when it was signed.`),
    ];
  }
  return until - ran <= mostValidDays * dayMs
    ? []
    : [
        broken(
          'statement',
          `It is valid for too long: expected at most ${mostValidDays} days from ${ranAt}, received ${validUntil}.`,
        ),
      ];
}

function validityPoint({ predicate }: CertificateStatement, now: Date): VerifiedPoint {
  const { issuedAt, validUntil } = predicate.svcConform;
  const [from, until] = [Date.parse(issuedAt), Date.parse(validUntil)];
  if (now.getTime() >= until) return broken('validity', `It was valid until ${validUntil}. Certify again.`);
  if (now.getTime() + clockToleranceMs < from) {
    return broken('validity', `It is valid from ${issuedAt}, which is still to come by the clock of this machine.`);
  }
  return holds('validity', `Valid until ${validUntil}.`);
}

function holds(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'holds', words };
}

function broken(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'broken', words };
}

function unknown(what: VerifiedPoint['what'], words: string): VerifiedPoint {
  return { what, state: 'unknown', words };
}
