import type { OperationId } from '../specs/api-operations.ts';
import type { AssumptionId } from '../specs/assumptions.ts';

/**
 * What is found about an expectation.
 *
 * - `not-given`: the interface gives something else, or does not promise it
 * - `not-in-document`: it is about something that the interface does not have
 * - `not-shown`: the interface leaves it open; it fails nobody
 * - `not-judged`: it could not be tried
 * - `note`: worth knowing
 */
export const findingKinds = ['not-given', 'not-in-document', 'not-judged', 'not-shown', 'note'] as const;
export type FindingKind = (typeof findingKinds)[number];

/** What of an interaction a finding is about. */
export type ContractPlace =
  'state' | 'path' | 'query' | 'request-header' | 'request-body' | 'status' | 'response-header' | 'response-body';

/** Something about one expectation of a contract. */
export interface ContractFinding {
  readonly kind: FindingKind;
  readonly place: ContractPlace;
  /** JSON Pointer into the Pact file, where it stands there. */
  readonly pointer: string;
  /** To be read after "expected"; what the contract expects. */
  readonly expected: string;
  /** To be read after "received"; what the interface has, or what the simulated service answered. */
  readonly received: string;
  /** What to do. */
  readonly advice: string;
  /** Of `not-shown`: what the interface leaves open. */
  readonly assumption?: AssumptionId;
}

/** How an interaction came out. `rests-on-not-shown` and `holds` are both fine. */
export const interactionVerdicts = ['not-given', 'not-judged', 'rests-on-not-shown', 'holds'] as const;
export type InteractionVerdict = (typeof interactionVerdicts)[number];

/** One interaction of a contract, judged. */
export interface JudgedInteraction {
  /** Its place in the file, from 0. */
  readonly index: number;
  readonly description: string;
  readonly states: readonly string[];
  /** Method and path. */
  readonly request: string;
  /** Omitted where the interface has none. */
  readonly operation?: OperationId;
  readonly verdict: InteractionVerdict;
  /** Whether the simulated service was asked. */
  readonly replayed: boolean;
  readonly findings: readonly ContractFinding[];
}

/** One contract, judged. */
export interface JudgedContract {
  readonly consumer: string;
  readonly provider: string;
  readonly pactVersion: number;
  /** The worst of its interactions. */
  readonly verdict: InteractionVerdict;
  readonly interactions: readonly JudgedInteraction[];
}

/** The verdict that findings lead to. */
export function verdictOf(findings: readonly ContractFinding[]): InteractionVerdict {
  const kinds = new Set(findings.map(({ kind }) => kind));
  if (kinds.has('not-given') || kinds.has('not-in-document')) return 'not-given';
  if (kinds.has('not-judged')) return 'not-judged';
  return kinds.has('not-shown') ? 'rests-on-not-shown' : 'holds';
}

/** The worst of several verdicts. */
export function worstVerdict(verdicts: readonly InteractionVerdict[]): InteractionVerdict {
  return interactionVerdicts.find((verdict) => verdicts.includes(verdict)) ?? 'holds';
}

/** A field as people write it: `skills[0].key`; the whole body for no steps. */
export function fieldName(steps: readonly (string | number)[]): string {
  const name = steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
  return name || 'the body';
}

/** Steps as a JSON Pointer, to be put behind another. */
export function pointerOf(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
