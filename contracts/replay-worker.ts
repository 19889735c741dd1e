import type { ProviderState } from '../generators/contracts/contract.ts';
import { ContractFault } from './contract-fault.ts';
import { replayInteractions, type ReplayedInteraction } from './replay-interactions.ts';

/** The worker's input, sent once. `words`: entries of the state translations. */
export interface ReplayOrder {
  readonly text: string;
  readonly words: readonly (readonly [name: string, states: readonly ProviderState[]])[];
}

/** The worker's result, sent once. */
export type ReplayMessage =
  { readonly replayed: readonly ReplayedInteraction[] } | { readonly fault: string; readonly isContract: boolean };

/**
 * Replays the contract that its parent sends. Runs in a separate process because Pact's verifier writes to the standard
 * output of its process, and is native code.
 */
process.once('message', (order: ReplayOrder) => {
  void answer(order).then((message) => process.send?.(message, () => process.disconnect()));
});

async function answer({ text, words }: ReplayOrder): Promise<ReplayMessage> {
  try {
    return { replayed: await replayInteractions(text, new Map(words)) };
  } catch (error) {
    return { fault: (error as Error).message, isContract: error instanceof ContractFault };
  }
}
