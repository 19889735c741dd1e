import { limits } from '../specs/limits.ts';

/** Timeout of an own AI in seconds, within the bounds of the interface (Limits). */
export function waitingSeconds(timeoutSeconds: number = limits.ownAiTimeoutSecondsDefault): number {
  return Math.min(Math.max(timeoutSeconds, limits.ownAiTimeoutSecondsMin), limits.ownAiTimeoutSecondsMax);
}
