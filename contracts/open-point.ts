import type { AssumptionId } from '../specs/assumptions.ts';
import type { ContractPlace } from './contract-finding.ts';

/** Something of an interaction that the interface leaves open. */
export interface OpenPoint {
  readonly assumption: AssumptionId;
  readonly place: ContractPlace;
  /** JSON Pointer from the interaction. */
  readonly pointer: string;
  /** To be read after "expected". */
  readonly expected: string;
}
