import type { RunSettings } from '../harness/config/settings.ts';

/** Milliseconds that one answer of an endpoint is waited for at the most. */
export function answerTimeoutMs({ patienceMs, config }: RunSettings): number {
  return Math.max(patienceMs, 1000 * (config.chat?.timeoutSeconds ?? 0), 1000 * (config.phone?.timeoutSeconds ?? 0));
}

/** Milliseconds for the integrator's address that sets states up: a test system may have to write to its database. */
export const setUpTimeoutMs = 30_000;

/** Milliseconds that the states of one interaction take at the most, before it and after it. */
export function statesTimeoutMs({ config }: RunSettings): number {
  return config.pact?.providerStates === undefined ? 0 : 2 * setUpTimeoutMs;
}
