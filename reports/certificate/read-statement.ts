import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { predicateType, statementLayout, statementType, type CertificateStatement } from './statement.ts';

type Fields = Readonly<Record<string, unknown>>;
type Holds = (value: unknown) => boolean;

const isText: Holds = (value) => typeof value === 'string';
const isNumber: Holds = (value) => typeof value === 'number';
const isAbsentOr =
  (holds: Holds): Holds =>
  (value) =>
    value === undefined || holds(value);
const isListOf =
  (holds: Holds): Holds =>
  (value) =>
    Array.isArray(value) && value.every(holds);
const isMapOf =
  (holds: Holds): Holds =>
  (value) =>
    isFields(value) && Object.values(value).every(holds);
const has =
  (fields: Readonly<Record<string, Holds>>): Holds =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, holds]) => holds(value[name]));
const is =
  (wanted: unknown): Holds =>
  (value) =>
    value === wanted;

const isResource = has({
  name: isText,
  uri: isAbsentOr(isText),
  digest: isAbsentOr(isMapOf(isText)),
  annotations: isAbsentOr(isMapOf(isText)),
});

const isStatement = has({
  _type: is(statementType),
  predicateType: is(predicateType),
  subject: isListOf(isResource),
  predicate: has({
    result: isText,
    configuration: isListOf(isResource),
    passedTests: isListOf(isText),
    warnedTests: isListOf(isText),
    failedTests: isListOf(isText),
    svcConform: has({
      layout: is(statementLayout),
      harnessVersion: isText,
      protocol: isText,
      verdict: isText,
      ranAt: isText,
      seed: isNumber,
      issuedAt: isText,
      validUntil: isText,
      report: has({ name: isText, digest: has({ sha256: isText }) }),
      surfaces: isMapOf(has({ holds: isNumber, exercised: isNumber, notExercised: isNumber, notObservable: isNumber })),
      advice: isListOf(isText),
      notExercised: isListOf(isText),
    }),
  }),
});

/** Reads what was signed. `undefined` unless it has every field that a certificate of this layout has. */
export function readStatement(payload: string): CertificateStatement | undefined {
  const read = readBoundedJson(Buffer.from(payload), fileBounds);
  if ('error' in read || !isStatement(read.value)) return undefined;
  const certificate = read.value as CertificateStatement;
  const isProven = ['requirement-catalogue', 'kill-matrix.json'].every((name) => configuredDigest(certificate, name));
  return isProven ? certificate : undefined;
}

/** SHA-256 in hex of what is named so in the configuration; empty where there is none. */
export function configuredDigest({ predicate }: CertificateStatement, name: string): string {
  return predicate.configuration.find((entry) => entry.name === name)?.digest?.['sha256'] ?? '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
