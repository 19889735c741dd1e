import type { ProviderState } from '../generators/contracts/contract.ts';
import { ContractFault } from './contract-fault.ts';
import { replayInteractions, type ReplayedInteraction } from './replay-interactions.ts';

/** What the worker gets, once. `words`: entries of what its states mean. */
export interface ReplayOrder {
  readonly text: string;
  readonly words: readonly (readonly [name: string, states: readonly ProviderState[]])[];
}

/** What the worker sends back, once. */
export type ReplayMessage =
  { readonly replayed: readonly ReplayedInteraction[] } | { readonly fault: string; readonly isContract: boolean };

/**
 * Replays the contract that its parent sends. In a process of its own because Pact's verifier writes to the standard output
 * of its process, and is native code.
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
