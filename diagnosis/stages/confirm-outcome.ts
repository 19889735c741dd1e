import type { Answer } from '../../harness/wire/observation.ts';
import { knownPage } from './known-pages.ts';
import type { StageOutcome } from './stage.ts';

/**
 * Confirms an outcome with a second request, since proxies and gateways may fail briefly. An unconfirmed outcome stays a
 * suspicion.
 */
export async function confirmOutcome(
  first: Answer,
  outcome: StageOutcome,
  again: () => Promise<Answer>,
): Promise<StageOutcome> {
  const { found, ...others } = outcome;
  if (!found) return outcome;
  const second = await again();
  if (isAlike(first, second)) return outcome;
  const isTaken = second.outcome === 'answered' && second.status >= 200 && second.status < 300;
  const received = second.outcome === 'answered' ? `status ${second.status}` : 'no readable answer';
  const why = `It was observed once; the repeated request got ${received}.`;
  return {
    ...others,
    ...(isTaken && { isAccepted: isTaken }),
    suspects: [{ ...found, why }, ...others.suspects],
    passed: isTaken ? [...others.passed, `A repeated valid request got ${second.status}.`] : others.passed,
    seen: [...others.seen, why],
  };
}

function isAlike(one: Answer, other: Answer): boolean {
  if (one.outcome !== 'answered' || other.outcome !== 'answered') return one.outcome === other.outcome;
  return one.status === other.status && knownPage(one)?.id === knownPage(other)?.id;
}
