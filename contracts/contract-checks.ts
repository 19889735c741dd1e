import type { CheckIdentity } from '../harness/checks/check-outcome.ts';
import { contractMark } from '../specs/contract-mark.ts';
import { isRequirementId, requirement } from '../specs/requirements/catalogue.ts';
import type { ServiceContract } from './contract-files.ts';
import type { PactInteraction } from './pact-file.ts';

/** An interaction of a contract as a check of the report. */
export interface ContractCheck {
  readonly contract: ServiceContract;
  readonly interaction: PactInteraction;
  readonly identity: CheckIdentity;
}

/**
 * The checks of contracts, in their order: one for each interaction.
 *
 * @param only requirement or check ids; empty: all
 * @throws Error when an interaction refers to no requirement of the catalogue: our own file is invalid
 */
export function contractChecks(contracts: readonly ServiceContract[], only: readonly string[] = []): ContractCheck[] {
  return contracts
    .flatMap((contract) =>
      contract.pact.interactions.map((interaction) => ({
        contract,
        interaction,
        identity: identityOf(contract, interaction),
      })),
    )
    .filter(({ identity: { id, requirement: of } }) => only.length === 0 || only.includes(of) || only.includes(id));
}

/** Whether a check is an interaction of a contract. */
export function isContractCheck({ source }: Pick<CheckIdentity, 'source'>): boolean {
  return source === 'contract';
}

function identityOf({ file }: ServiceContract, { description, comments }: PactInteraction): CheckIdentity {
  const of = comments?.requirement ?? '';
  if (!isRequirementId(of)) {
    throw new Error(
      `${file}: expected an interaction that refers to a requirement, received “${of}” of “${description}”`,
    );
  }
  const slug = description
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return {
    id: `${of}#${contractMark}${slug}`,
    requirement: of,
    title: `contract: ${description}`,
    level: requirement(of).level,
    source: 'contract',
  };
}
