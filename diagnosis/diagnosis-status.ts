import type { Diagnosis } from '../specs/generated/types.ts';

/** The result of a diagnosis: a cause, a failure without a certain cause, an unfinished diagnosis, or no failure. */
export type DiagnosisStatus = 'cause' | 'suspect' | 'incomplete' | 'passed';

/** Derives the status. A failed connection test of the app never passes. */
export function diagnosisStatus({
  cause,
  suspects,
  stages,
  agentTest,
}: Pick<Diagnosis, 'cause' | 'suspects' | 'stages' | 'agentTest'>): DiagnosisStatus {
  if (cause) return 'cause';
  const isWrong = suspects.length > 0 || stages.some(({ result }) => result === 'suspect');
  if (isWrong || agentTest?.success === false) return 'suspect';
  return stages.some(({ result }) => result === 'not-reached') ? 'incomplete' : 'passed';
}
