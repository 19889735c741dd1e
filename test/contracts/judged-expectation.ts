import type { ContractFinding, InteractionVerdict } from '../../contracts/contract-finding.ts';
import type { Expectation } from './consumer-contracts.ts';

/** An expectation of a consumer, and the finding about it, with its pointer into the interaction. */
export type JudgedExpectation = Expectation & { finding?: Partial<ContractFinding> };

/** Expectations by their required verdict. */
export type Expectations = Readonly<Partial<Record<InteractionVerdict, readonly JudgedExpectation[]>>>;

/** Matches by type. */
export const like = { match: 'type' };
