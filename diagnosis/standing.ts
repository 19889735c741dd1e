import type { Diagnosis } from '../specs/generated/types.ts';

/** What a diagnosis comes to: a cause, something wrong without one, an end before the end, or nothing wrong. */
export type Standing = 'cause' | 'suspect' | 'cut' | 'fine';

/** How a diagnosis stands. What the app's connection test calls a failure is never fine. */
export function standingOf({
  cause,
  ranked,
  stages,
  agentTest,
}: Pick<Diagnosis, 'cause' | 'ranked' | 'stages' | 'agentTest'>): Standing {
  if (cause) return 'cause';
  const isWrong = ranked.length > 0 || stages.some(({ result }) => result === 'suspect');
  if (isWrong || agentTest?.success === false) return 'suspect';
  return stages.some(({ result }) => result === 'not-reached') ? 'cut' : 'fine';
}
