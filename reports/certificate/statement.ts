import { createHash } from 'node:crypto';
import type { Report, RequirementResult, RunVerdict } from '../../specs/generated/types.ts';
import { groupOf } from '../model/groups.ts';
import { outcomeOf } from '../model/verdict.ts';
import { surfaceOf } from '../../specs/surfaces.ts';

export const statementType = 'https://in-toto.io/Statement/v1';
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';
/** Layout of `predicate.svcConform`; another one would be another number. */
export const statementLayout = 1;

/** Content of a certificate that does not come from its report. Times in ISO 8601, UTC; digests are SHA-256 in hex. */
export interface CertificateTerms {
  readonly issuedAt: string;
  readonly validUntil: string;
  /** Digest of the bytes of report.json. */
  readonly reportDigest: string;
  /** Digest of the requirement catalogue, by `catalogueDigest`. */
  readonly catalogueDigest: string;
  /** Digest of the bytes of kill-matrix.json. */
  readonly killMatrixDigest: string;
}

/** A named resource with its digest (in-toto: ResourceDescriptor). */
export interface ResourceDescriptor {
  readonly name: string;
  readonly uri?: string;
  readonly digest?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** Coverage of one surface in requirements; each is exercised, not exercised or not observable. */
export interface SurfaceScope {
  /** The exercised requirements that passed. */
  readonly passed: number;
  readonly exercised: number;
  readonly notExercised: number;
  readonly notObservable: number;
}

/** The fields of the predicate that are ours; in-toto lets a predicate be extended. */
export interface CertificateScope {
  readonly layout: typeof statementLayout;
  readonly harnessVersion: string;
  readonly protocol: string;
  readonly verdict: RunVerdict;
  readonly ranAt: string;
  readonly seed: number;
  readonly issuedAt: string;
  readonly validUntil: string;
  readonly report: ResourceDescriptor;
  readonly surfaces: Readonly<Record<string, SurfaceScope>>;
  /** Ids of advice that failed. */
  readonly advice: readonly string[];
  /** Ids of requirements for which the endpoint gave nothing to judge. */
  readonly notExercised: readonly string[];
}

/** An in-toto Statement with a test-result predicate. Names of tests are ids of requirements. */
export interface CertificateStatement {
  readonly _type: typeof statementType;
  readonly subject: readonly ResourceDescriptor[];
  readonly predicateType: typeof predicateType;
  readonly predicate: {
    readonly result: 'PASSED' | 'WARNED' | 'FAILED';
    readonly configuration: readonly ResourceDescriptor[];
    readonly passedTests: readonly string[];
    readonly warnedTests: readonly string[];
    readonly failedTests: readonly string[];
    readonly svcConform: CertificateScope;
  };
}

/** The statement of a certificate for a report. */
export function statementOf(report: Report, terms: CertificateTerms): CertificateStatement {
  const ids = (outcome: ReturnType<typeof outcomeOf>) =>
    report.requirements.filter((row) => outcomeOf(row) === outcome).map(({ id }) => id);
  return {
    _type: statementType,
    subject: subjectsOf(report),
    predicateType,
    predicate: {
      result: resultOf(report.verdict),
      configuration: [
        { name: 'svc-conform', uri: `pkg:npm/svc-conform@${report.harness.version}` },
        { name: 'requirement-catalogue', digest: { sha256: terms.catalogueDigest } },
        { name: 'kill-matrix.json', digest: { sha256: terms.killMatrixDigest } },
      ],
      passedTests: ids('pass'),
      warnedTests: ids('warn'),
      failedTests: ids('fail'),
      svcConform: {
        layout: statementLayout,
        harnessVersion: report.harness.version,
        protocol: report.protocol,
        verdict: report.verdict,
        ranAt: report.startedAt,
        seed: report.seed,
        issuedAt: terms.issuedAt,
        validUntil: terms.validUntil,
        report: { name: 'report.json', digest: { sha256: terms.reportDigest } },
        surfaces: scopeOf(report),
        advice: ids('advice'),
        notExercised: notExercisedIn(report),
      },
    },
  };
}

/** SHA-256 in hex, of bytes or of a string in UTF-8. */
export function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}

/**
 * The judged resources: an address, command or file for each surface, and the image that was run. in-toto requires a
 * digest of each; for an address it is the digest of the URL, since the program behind it is not accessible.
 */
function subjectsOf({ target, container }: Report): ResourceDescriptor[] {
  const judged = Object.entries(target).map(([name, { url, command, file }]): ResourceDescriptor => {
    if (url?.includes('{container}')) {
      const annotations = { digestOf: 'the address as text, in the image', address: url };
      return { name, digest: { sha256: sha256(url) }, annotations };
    }
    if (url !== undefined) {
      return { name, uri: url, digest: { sha256: sha256(url) }, annotations: { digestOf: 'the address as text' } };
    }
    if (command !== undefined) {
      return { name, digest: { sha256: sha256(command) }, annotations: { digestOf: 'the command as text', command } };
    }
    const text = file ?? '';
    return { name, digest: { sha256: sha256(text) }, annotations: { digestOf: 'the name of the file', file: text } };
  });
  const image = imageDigest(container);
  if (!container || image === undefined) return judged;
  const annotations = { digestOf: imageDigestOf[container.digestOf ?? 'image'], image: container.image };
  return [...judged, { name: 'image', digest: { sha256: image }, annotations }];
}

const imageDigestOf: Readonly<Record<'manifest' | 'image', string>> = {
  manifest: 'the manifest, by which registries name the image',
  image: 'the image id, which no registry knows',
};

/** The hex part of the image's `sha256:…`, if it and its kind are known. */
export function imageDigest(container: Report['container']): string | undefined {
  if (container?.digestOf === undefined) return undefined;
  return /^(?:.*@)?sha256:([0-9a-f]{64})$/.exec(container.digest ?? '')?.[1];
}

function resultOf(verdict: RunVerdict): CertificateStatement['predicate']['result'] {
  if (verdict === 'conformant') return 'PASSED';
  return verdict === 'conformant-with-warnings' ? 'WARNED' : 'FAILED';
}

/** The surfaces with any applicable requirement, without one of which only requests of the endpoint were judged. */
export function judgedSurfaces({ requirements, checks }: Report): string[] {
  const observed = new Set(checks.filter(({ source }) => source === 'observed').map(({ id }) => id));
  const isJudged = (row: RequirementResult) =>
    row.verdict !== 'not-applicable' && (row.checks.length === 0 || row.checks.some((id) => !observed.has(id)));
  return [...new Set(requirements.filter(isJudged).map(({ id }) => surfaceOf(id)))];
}

/** Requirements that are not applicable on a judged surface count as not exercised. */
function notExercisedIn(report: Report): string[] {
  const judged = judgedSurfaces(report);
  const isUnseen = (row: RequirementResult) =>
    groupOf(row) === 'not-exercised' || (groupOf(row) === 'not-applicable' && judged.includes(surfaceOf(row.id)));
  return report.requirements.filter(isUnseen).map(({ id }) => id);
}

function scopeOf(report: Report): Record<string, SurfaceScope> {
  const scope: Record<string, SurfaceScope> = {};
  for (const surface of judgedSurfaces(report)) {
    const groups = report.requirements.filter(({ id }) => surfaceOf(id) === surface).map(groupOf);
    const count = (...wanted: (typeof groups)[number][]) => groups.filter((group) => wanted.includes(group)).length;
    scope[surface] = {
      passed: count('pass'),
      exercised: count('pass', 'fail', 'warn', 'advice'),
      notExercised: count('not-exercised', 'not-selected', 'not-applicable', 'blocked'),
      notObservable: count('unobservable'),
    };
  }
  return scope;
}
