import type { RunSettings } from '../harness/settings.ts';

/** Milliseconds that one answer of an endpoint is waited for at the most. */
export function answerPatience({ patienceMs, config }: RunSettings): number {
  return Math.max(patienceMs, 1000 * (config.chat?.timeoutSeconds ?? 0), 1000 * (config.phone?.timeoutSeconds ?? 0));
}
