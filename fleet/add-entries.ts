import { HarnessFault } from '../harness/checks/faults.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';

/** Adds finished entries of another ledger. Throws {@link HarnessFault} if this one has another result of one of them. */
export function addEntries(ledger: Ledger, entries: readonly LedgerEntry[]): void {
  const conflict = ledger.add(entries);
  if (!conflict) return;
  const reason = `The target ${conflict.target} has two certifications for the night of ${conflict.night}`;
  throw new HarnessFault('shards-not-mergeable', { reason });
}
