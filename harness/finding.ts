import type { Counterexample } from '../specs/types.ts';

/** What is wrong about the endpoint, in the one form of every message: expected X, received Y. */
export interface Finding {
  expected: string;
  received: string;
  /** What probably causes it or what to look at, where we know. */
  hint?: string | undefined;
  /** Index of the frame of the deciding call at which the rule broke. */
  frame?: number | undefined;
  counterexample?: Counterexample;
}

/** Carries a finding out of a check. It is about the endpoint, never about the harness. */
export class FindingError extends Error {
  override readonly name = 'FindingError';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(messageOf(finding));
    this.finding = finding;
  }
}

/** `expected X, received Y`. */
export function messageOf({ expected, received }: Finding): string {
  return `expected ${expected}, received ${received}`;
}
