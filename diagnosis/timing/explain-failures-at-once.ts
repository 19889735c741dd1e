import type { Connection } from '../connection.ts';
import type { ProbeOutcome } from '../outcome.ts';
import type { Measurement } from './stopwatch.ts';

/** Concurrent events: as many as a check sends. */
const atOnceOf: Readonly<Record<string, number>> = { 'own-ai-chat': 5, 'api-webhooks': 5 };
const usualAtOnce = 10;
/** Concurrent events of a surface. */
export function concurrentEvents({ surface }: Connection): number {
  return atOnceOf[surface] ?? usualAtOnce;
}

/** The cause of deliveries that fail because others arrive at the same moment. */
export const failsInParallel = 'timing/fails-in-parallel';

/** Probability above which a result may be chance, so that it is only suspected. */
const mostByChance = 0.01;

/** An event, and whether it was accepted. */
type Tried = Pick<Measurement, 'accepted' | 'observation'>;

/** Finds out whether events fail because others are sent at the same time, or at random. */
export async function explainFailuresAtOnce<T extends Tried>(
  first: readonly T[],
  {
    alone,
    again,
    isFailed,
  }: { alone: () => Promise<T>; again: () => Promise<readonly T[]>; isFailed: (one: T) => boolean },
): Promise<Pick<ProbeOutcome, 'found' | 'suspects'>> {
  const id = failsInParallel;
  const most = first.length;
  const singles: T[] = [];
  while (singles.length < most) singles.push(await alone());
  const others = await again();
  const failed = [...first, ...others].filter(isFailed).length;
  const rate = failed / (2 * most);
  // Random failures would also occur for single events.
  const byChance = (1 - rate) ** (singles.length + 2);
  if (!singles.every(({ accepted }) => accepted) || !others.some(isFailed) || byChance > mostByChance) {
    return { suspects: [{ id, why: `${failed} of ${2 * most} concurrent events were not accepted.` }] };
  }
  const summary = `Of ${2 * most} events, ${most} at a time, ${failed} were ${troubleOf(others.find(isFailed))}; each alone is accepted.`;
  return { found: { id, summary }, suspects: [] };
}

function troubleOf(measured: Tried | undefined): string {
  const answer = measured?.observation.answer;
  if (answer?.outcome === 'answered') return `answered ${answer.status}`;
  return 'left without a complete answer';
}
