import { fileBounds, readBoundedJson } from '../../specs/bounded-json.ts';
import { predicateType, statementLayout, statementType, type CertificateStatement } from './statement.ts';
import { isJsonObject } from '../../specs/json-object.ts';

type Predicate = (value: unknown) => boolean;

const isText: Predicate = (value) => typeof value === 'string';
const isNumber: Predicate = (value) => typeof value === 'number';
const isAbsentOr =
  (matches: Predicate): Predicate =>
  (value) =>
    value === undefined || matches(value);
const isListOf =
  (matches: Predicate): Predicate =>
  (value) =>
    Array.isArray(value) && value.every(matches);
const isMapOf =
  (matches: Predicate): Predicate =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(matches);
const has =
  (fields: Readonly<Record<string, Predicate>>): Predicate =>
  (value) =>
    isJsonObject(value) && Object.entries(fields).every(([name, matches]) => matches(value[name]));
const is =
  (wanted: unknown): Predicate =>
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
      surfaces: isMapOf(
        has({ passed: isNumber, exercised: isNumber, notExercised: isNumber, notObservable: isNumber }),
      ),
      advice: isListOf(isText),
      notExercised: isListOf(isText),
    }),
  }),
});

/** Parses a signed statement. `undefined` unless it has all fields of this layout. */
export function readStatement(payload: string): CertificateStatement | undefined {
  const read = readBoundedJson(Buffer.from(payload), fileBounds);
  if ('error' in read || !isStatement(read.value)) return undefined;
  const certificate = read.value as CertificateStatement;
  const isProven = ['requirement-catalogue', 'kill-matrix.json'].every((name) => configuredDigest(certificate, name));
  return isProven ? certificate : undefined;
}

/** SHA-256 in hex of a named resource of the configuration; empty when it is missing. */
export function configuredDigest({ predicate }: CertificateStatement, name: string): string {
  return predicate.configuration.find((entry) => entry.name === name)?.digest?.['sha256'] ?? '';
}
