import type { LoadStep } from '../specs/generated/types.ts';

/** The counts of a step while it lasts. */
export interface StepTally {
  sent: number;
  late: number;
  failed: number;
  uncertain: number;
  failure?: string;
  /** Set once the limits of the config, or those of this process, permit no more. */
  cut?: 'limit' | 'own-lag';
}

/** The outcome of a complete step. While this process is too slow, an endpoint misses nothing. */
export function outcomeOf({ late, failed, uncertain }: StepTally, isLagging: boolean): LoadStep['outcome'] {
  const isMissed = late + failed > 0;
  if (isMissed) return isLagging ? 'own-lag' : 'missed';
  return uncertain > 0 || isLagging ? 'own-lag' : 'met';
}
