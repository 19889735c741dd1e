import type { Counterexample } from '../../specs/generated/types.ts';

/**
 * The part of what the endpoint sent, be it an answer or a request of its own, at which a rule broke. `header` is its name
 * in lower case; `body` are the field names and indices that lead to the place in its JSON, none for the whole body. It
 * may lead to what should be there and is not.
 */
export type FindingPart =
  { status: true } | { time: true } | { header: string } | { body: readonly (string | number)[] };

/** What is wrong about the endpoint, in the one form of every message: expected X, received Y. */
export interface Finding {
  expected: string;
  received: string;
  /** What probably causes it or what to look at, where we know. */
  hint?: string | undefined;
  /** Index of the frame of the deciding call at which the rule broke. */
  frame?: number | undefined;
  /** Part of the deciding exchange at which the rule broke, where it is one; a rule about a frame names that. */
  part?: FindingPart | undefined;
  counterexample?: Counterexample;
  /** The endpoint stopped instead of answering. */
  stopped?: true | undefined;
}

/** Carries a finding out of a check. It is about the endpoint, never about the harness. */
export class FindingError extends Error {
  override readonly name = 'FindingError';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(formatFinding(finding));
    this.finding = finding;
  }
}

/** `expected X, received Y`. */
export function formatFinding({ expected, received }: Finding): string {
  return `expected ${expected}, received ${received}`;
}
