import type { RunSettings } from '../harness/config/settings.ts';

/** Maximum wait for one answer of an endpoint in milliseconds. */
export function maxAnswerWaitMs({ answerTimeoutMs, config }: RunSettings): number {
  return Math.max(
    answerTimeoutMs,
    1000 * (config.chat?.timeoutSeconds ?? 0),
    1000 * (config.phone?.timeoutSeconds ?? 0),
  );
}

/** Milliseconds for the integrator's state handler: a test system may have to write to its database. */
export const setUpTimeoutMs = 30_000;

/** Maximum time in milliseconds for the states of one interaction, before and after it. */
export function statesTimeoutMs({ config }: RunSettings): number {
  return config.pact?.providerStates === undefined ? 0 : 2 * setUpTimeoutMs;
}
