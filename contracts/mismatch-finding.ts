import type { Finding, FindingPart } from '../harness/checks/finding.ts';
import { cutText } from './cut-text.ts';
import { pactPathSteps } from './pact-path-steps.ts';
import { missingKeys, pactSentence } from './pact-sentence.ts';

/** A difference that Pact's verifier found, as its result has it. */
export interface PactMismatch {
  readonly type: string;
  /** Pact's message for it. */
  readonly mismatch?: string;
  /** Pact's path of a field: `$.data.text`, `$['first name']`, `$.list[0]`. */
  readonly path?: string;
  /** Name of a header. */
  readonly key?: string;
  readonly expected?: unknown;
  readonly actual?: unknown;
}

/** Decisive parts of an answer: an unexpected status causes an unexpected body. */
const order = ['StatusMismatch', 'HeaderMismatch', 'MetadataMismatch', 'BodyTypeMismatch', 'BodyMismatch'];
/** Number of further differences in the hint. */
const mostOthers = 4;
/** Characters of the expected value, which may be a pattern, and of the received one. */
const mostCharacters = { expected: 240, received: 80 };

/**
 * The fault of an answer, from the differences that Pact found: the first of the decisive part, with the others in the
 * hint.
 *
 * @param where the interaction and its contract, for the hint
 */
export function mismatchFinding(mismatches: readonly PactMismatch[], where: string): Finding {
  const rank = ({ type }: PactMismatch) => (order.includes(type) ? order.indexOf(type) : order.length);
  const sorted = mismatches.toSorted((a, b) => rank(a) - rank(b));
  const [first] = sorted;
  if (!first) return { expected: 'the answer of the contract', received: 'a different answer', hint: where };
  const others = first.type === 'StatusMismatch' ? [] : sorted.slice(1);
  const reported = others.slice(0, mostOthers).map((other) => {
    const { expected, received } = compared(other);
    return `expected ${expected}, received ${received}`;
  });
  const left = others.length - reported.length;
  return {
    ...compared(first),
    hint: [
      where,
      ...(reported.length > 0 ? [`Also ${reported.join('; ')}${left > 0 ? `; and ${left} more` : ''}.`] : []),
    ].join(' '),
    ...partOf(first),
  };
}

/** How a contract expresses that a string has a maximum length. */
const lengthRule = /^to match '\^\[\\s\\S\]\{0,(\d+)\}\$'$/;
const typeRule = /^to be the same type as [^]* \((\w+)\)$/;

/** Expected and received values, shortened: an answer has no limit, and messages also go to brokers. */
function compared(found: PactMismatch): Pick<Finding, 'expected' | 'received'> {
  const { expected, received } = inFull(found);
  return {
    expected: cutText(expected, mostCharacters.expected),
    received: cutText(received, mostCharacters.received),
  };
}

function inFull(found: PactMismatch): { expected: string; received: string } {
  const { type, mismatch = '', expected, actual } = found;
  if (type === 'StatusMismatch') {
    return { expected: `status ${describeStatus(mismatch, expected)}`, received: `status ${plain(actual)}` };
  }
  if (type === 'BodyTypeMismatch') return { expected: `a body of type ${plain(expected)}`, received: plain(actual) };
  const place = placeOf(found);
  const missing = missingKeys(found);
  if (missing.length > 0) return { expected: `${place} with ${missing.join(', ')}`, received: 'none' };
  const reported = pactSentence(mismatch);
  if (reported) {
    const { received, rule } = reported;
    const longest = lengthRule.exec(rule)?.[1];
    if (longest !== undefined) {
      const text = received.replace(/^'([^]*)'$/, '$1');
      return { expected: `${place} to have at most ${longest} characters`, received: `${[...text].length}` };
    }
    const sameType = typeRule.exec(rule)?.[1]?.toLowerCase();
    return { expected: `${place} ${sameType === undefined ? rule : `to be of the type ${sameType}`}`, received };
  }
  const words = mismatch === '' ? '' : ` (${mismatch})`;
  return { expected: `${place} like ${plain(expected)}${words}`, received: plain(actual) };
}

function placeOf({ path, key }: PactMismatch): string {
  if (key !== undefined) return `header ${key}`;
  const steps = path === undefined ? [] : pactPathSteps(path);
  return steps.length === 0 ? 'the body' : `${steps.join('.')} in the body`;
}

/** `a Success (200–299)` for a class of statuses, else the number. */
function describeStatus(mismatch: string, expected: unknown): string {
  return /to be (?:an? )?(.+)$/.exec(mismatch)?.[1] ?? plain(expected);
}

function plain(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function partOf({ type, path, key }: PactMismatch): { part: FindingPart } | Record<string, never> {
  if (type === 'StatusMismatch') return { part: { status: true } };
  if (key !== undefined) return { part: { header: key.toLowerCase() } };
  return type === 'BodyMismatch' && path !== undefined ? { part: { body: pactPathSteps(path) } } : {};
}
