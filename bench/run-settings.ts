import { runDefaults, type ResolvedConfig, type RunSettings } from '../harness/config/settings.ts';
import { limits } from '../specs/limits.ts';

export const secret = 'whsec_bench-secret-0123456789';

export function resolvedConfig(addresses: Partial<ResolvedConfig>): ResolvedConfig {
  return { skills: [], stimuli: {}, service: { host: '127.0.0.1', port: 0 }, ...addresses };
}

/** Settings of a run with so many generated events, which no time ends earlier. */
export function runSettings(addresses: Partial<ResolvedConfig>, runs: number): RunSettings {
  return {
    ...runDefaults,
    config: resolvedConfig(addresses),
    seed: 1,
    runs,
    callbackWaitMs: limits.crmCallbackWithinMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    propertyMs: runDefaults.thoroughPropertyMs,
    only: [],
  };
}
