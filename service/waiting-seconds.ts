import { limits } from '../specs/limits.ts';

/** How long an own AI is waited for: seconds, kept within the bounds of the interface (Limits). */
export function waitingSeconds(timeoutSeconds: number = limits.ownAiTimeoutSecondsDefault): number {
  return Math.min(Math.max(timeoutSeconds, limits.ownAiTimeoutSecondsMin), limits.ownAiTimeoutSecondsMax);
}
