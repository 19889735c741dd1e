import type { ContractFinding, InteractionVerdict } from '../../contracts/contract-finding.ts';
import type { Expectation } from './consumer-contracts.ts';

/** What a consumer expects, and a finding to report about it, with its pointer from the interaction. */
export type JudgedExpectation = Expectation & { told?: Partial<ContractFinding> };

/** Expectations by the verdict that each has to get. */
export type Expectations = Readonly<Partial<Record<InteractionVerdict, readonly JudgedExpectation[]>>>;

/** Matches by type. */
export const like = { match: 'type' };
