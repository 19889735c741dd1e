import type { Outcome } from '../outcome.ts';
import { describeAnswer, describeReception, type Offer } from './reception.ts';

/** What is told where right signatures are refused after wrong ones; empty where that is about how many were sent. */
export type Lockout = Pick<Outcome, 'found' | 'suspects' | 'ends'>;

/**
 * A lock that answers as a wrong signature is answered cannot be told from one; where it says otherwise (a page of a
 * firewall), it is meant, and may be right.
 */
export function lockoutOutcome(wrong: Offer | undefined, last: Offer): Lockout {
  const id = 'signature/locks-out';
  if (last.reception === 'throttled') return { suspects: [] };
  if (wrong === undefined || describeAnswer(wrong) === describeAnswer(last))
    return { found: { id }, suspects: [], ends: true };
  const why = `Wrong signatures of this diagnosis got: ${describeReception(wrong)}; a right one after them: ${describeReception(last)}. The service sends no wrong ones, but whether the lock counts those of others as well cannot be seen from here.`;
  return { suspects: [{ id, why }], ends: true };
}

/** What is told where right signatures are refused and accepted by turns: nothing else can be told from refusals then. */
export function inconsistentOutcome(refused: Offer): Lockout {
  const why = `Right signatures were accepted and refused by turns (${describeReception(refused)}), of the same kind and one after the other.`;
  return { suspects: [{ id: 'signature/not-always-the-same', why }], ends: true };
}
