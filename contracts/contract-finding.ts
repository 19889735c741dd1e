import type { OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';

/**
 * Kinds of findings about an expectation.
 *
 * - `not-provided`: the interface specifies something else, or does not promise it
 * - `not-in-document`: it concerns something that the interface does not have
 * - `not-shown`: the interface leaves it open; never a failure
 * - `not-judged`: it could not be tested
 * - `note`: worth knowing
 */
export const findingKinds = ['not-provided', 'not-in-document', 'not-judged', 'not-shown', 'note'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** The part of an interaction that a finding concerns. */
export type ContractPlace =
  'state' | 'path' | 'query' | 'request-header' | 'request-body' | 'status' | 'response-header' | 'response-body';

/** A finding about one expectation of a contract. */
export interface ContractFinding {
  readonly kind: FindingKind;
  readonly place: ContractPlace;
  /** JSON Pointer into the Pact file, if it is there. */
  readonly pointer: string;
  /** Follows "expected"; the expectation of the contract. */
  readonly expected: string;
  /** Follows "received"; the interface's rule, or the answer of the simulated service. */
  readonly received: string;
  /** For the place `status`: the status that the simulated service answered with. */
  readonly status?: number;
  /** How to fix it. */
  readonly advice: string;
  /** For `not-shown`: the open point of the interface. */
  readonly assumption?: AssumptionId;
}

/** Verdict of an interaction. `assumed` and `provided` both pass. */
export const interactionVerdicts = ['not-provided', 'not-judged', 'assumed', 'provided'] as const;
export type InteractionVerdict = (typeof interactionVerdicts)[number];

/** The verdict on one interaction of a contract. */
export interface JudgedInteraction {
  /** Its index in the file. */
  readonly index: number;
  readonly description: string;
  readonly states: readonly string[];
  /** Method and path. */
  readonly request: string;
  /** Omitted where the interface has none. */
  readonly operation?: OperationId;
  readonly verdict: InteractionVerdict;
  /** Whether the simulated service received the request. */
  readonly replayed: boolean;
  readonly findings: readonly ContractFinding[];
}

/** The verdict on one contract. */
export interface JudgedContract {
  readonly consumer: string;
  readonly provider: string;
  readonly pactVersion: number;
  /** The worst of its interactions. */
  readonly verdict: InteractionVerdict;
  readonly interactions: readonly JudgedInteraction[];
}

/** The verdict that follows from findings. */
export function verdictOf(findings: readonly ContractFinding[]): InteractionVerdict {
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has('not-provided') || kinds.has('not-in-document')) return 'not-provided';
  if (kinds.has('not-judged')) return 'not-judged';
  return kinds.has('not-shown') ? 'assumed' : 'provided';
}

/** The worst of several verdicts. */
export function worstInteractionVerdict(verdicts: readonly InteractionVerdict[]): InteractionVerdict {
  return interactionVerdicts.find((verdict) => verdicts.includes(verdict)) ?? 'provided';
}

/** A field in readable notation: `skills[0].key`; the whole body for no steps. */
export function fieldName(steps: readonly (string | number)[]): string {
  const name = steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
  return name || 'the body';
}
