import type { Counterexample } from '../../specs/generated/types.ts';

/**
 * The part of the endpoint's answer or request that broke a rule. `header` is a name in lower case; `body` is the path
 * of field names and indices in its JSON, empty for the whole body. It may point to a field that is missing.
 */
export type FindingPart =
  { status: true } | { time: true } | { header: string } | { body: readonly (string | number)[] };

/** A fault of the endpoint, in the form of every message: expected X, received Y. */
export interface Finding {
  expected: string;
  received: string;
  /** Probable cause or what to inspect, where known. */
  hint?: string | undefined;
  /** Index of the frame of the decisive call that broke the rule. */
  frame?: number | undefined;
  /** Part of the decisive exchange that broke the rule; a rule about a frame uses `frame` instead. */
  part?: FindingPart | undefined;
  counterexample?: Counterexample;
  /** The endpoint process stopped instead of answering. */
  stopped?: true | undefined;
}

/** Carries a finding out of a check. It concerns the endpoint, never the harness. */
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
