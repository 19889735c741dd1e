import type { Answer } from '../../harness/wire/observation.ts';
import { knownPage } from './known-pages.ts';
import type { StageOutcome } from './stage.ts';

/**
 * What the answer to something right has told, once another answer tells the same: whatever stands between us and the
 * endpoint fails for a moment now and then. Otherwise it stays a suspicion.
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
  const came = second.outcome === 'answered' ? `status ${second.status}` : 'no answer that can be read';
  const why = `It was so once; when the same was sent again, ${came} came.`;
  return {
    ...others,
    ...(isTaken && { isAccepted: isTaken }),
    suspects: [{ ...found, why }, ...others.suspects],
    passed: isTaken
      ? [...others.passed, `What is right was answered with ${second.status} when it was sent again.`]
      : others.passed,
    seen: [...others.seen, why],
  };
}

function isAlike(one: Answer, other: Answer): boolean {
  if (one.outcome !== 'answered' || other.outcome !== 'answered') return one.outcome === other.outcome;
  return one.status === other.status && knownPage(one)?.id === knownPage(other)?.id;
}
