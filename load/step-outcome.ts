import type { LoadStep } from '../specs/generated/types.ts';

/** The counts of a step while it lasts. */
export interface StepTally {
  sent: number;
  late: number;
  /** Of {@link late}: connections of calls. */
  lateSetUps?: number;
  failed: number;
  uncertain: number;
  failure?: string;
  /** Set once the limits of the config, or those of this process, permit no more. */
  cut?: 'limit' | 'process-limit';
}

/**
 * The outcome of a complete step. While this process is too slow, an endpoint misses nothing; and a step that timed no
 * answer shows nothing about it.
 */
export function outcomeOf(
  { late, failed, uncertain }: StepTally,
  { timed, isLagging }: { timed: number; isLagging: boolean },
): LoadStep['outcome'] {
  const isMissed = late + failed > 0;
  if (isMissed) return isLagging ? 'own-lag' : 'missed';
  if (uncertain > 0 || isLagging) return 'own-lag';
  return timed === 0 ? 'nothing-timed' : 'met';
}
