import { readFile } from 'node:fs/promises';
import { contractFile } from '../generators/contracts/contract.ts';
import { apiV1Contract } from '../generators/contracts/api-v1.ts';
import { replayContract } from './replay-contract.ts';

/** What the simulated service made of one interaction of the contract of API v1. */
export interface SimulatorVerdict {
  readonly description: string;
  /** One line for each expectation that its answer does not meet, or why it could not be tried; empty: it holds. */
  readonly troubles: readonly string[];
}

/** The checked-in contract of API v1, as it is. */
export async function apiV1ContractText(): Promise<string> {
  return await readFile(new URL(`../specs/contracts/${contractFile(apiV1Contract)}`, import.meta.url), 'utf8');
}

/**
 * Verifies a contract of API v1 with Pact's verifier against the simulated service, each interaction in a fresh inbox
 * that is in its states. A verdict for each, in the order of the file.
 *
 * @param text of the Pact file; default: the one that is checked in
 * @throws ContractFault for a text that is not a contract; HarnessFault `engine-failed` when the verifier cannot be run
 */
export async function verifySimulator(text?: string): Promise<SimulatorVerdict[]> {
  const contract = text ?? (await apiV1ContractText());
  const replayed = await replayContract(contract);
  const { interactions } = JSON.parse(contract) as { interactions: readonly { readonly description: string }[] };
  return replayed.map(({ index, skipped, mismatches, answer }) => {
    const told = answer === undefined ? '' : ` (answered ${answer.status} ${answer.body})`;
    const troubles = mismatches.map(({ path = '', mismatch = 'does not match' }) =>
      `${path} ${mismatch}${told}`.trim(),
    );
    return {
      description: interactions[index]?.description ?? String(index),
      troubles: skipped === undefined ? troubles : [skipped],
    };
  });
}
