import { readFile } from 'node:fs/promises';
import { contractFile } from '../generators/contracts/contract.ts';
import { apiV1Contract } from '../generators/contracts/api-v1.ts';
import { formatStateFault } from './api-states.ts';
import { replayContract } from './replay-contract.ts';

/** The simulated service's result for one interaction of the contract of API v1. */
export interface SimulatorVerdict {
  readonly description: string;
  /** One line for each unmet expectation, or why it could not be tested; empty: it passes. */
  readonly troubles: readonly string[];
}

/** Reads the checked-in contract of API v1. */
export async function readApiV1Contract(): Promise<string> {
  return await readFile(
    new URL(`../specs/generated/contracts/${contractFile(apiV1Contract)}`, import.meta.url),
    'utf8',
  );
}

/**
 * Verifies a contract of API v1 with Pact's verifier against the simulated service, each interaction in a new inbox in
 * its states. Returns a verdict for each, in the order of the file.
 *
 * @param text of the Pact file; default: the one that is checked in
 * @throws ContractFault for an invalid contract; HarnessFault `engine-failed` when the verifier cannot be run
 */
export async function verifySimulator(text?: string): Promise<SimulatorVerdict[]> {
  const contract = text ?? (await readApiV1Contract());
  const replayed = await replayContract(contract);
  const { interactions } = JSON.parse(contract) as { interactions: readonly { readonly description: string }[] };
  return replayed.map(({ index, skipped, mismatches, answer }) => {
    const answered = answer === undefined ? '' : ` (answered ${answer.status} ${answer.body})`;
    const troubles = mismatches.map(({ path = '', mismatch = 'does not match' }) =>
      `${path} ${mismatch}${answered}`.trim(),
    );
    return {
      description: interactions[index]?.description ?? String(index),
      troubles: skipped === undefined ? troubles : [formatStateFault(skipped)],
    };
  });
}
