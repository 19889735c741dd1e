import type { ResolvedConfig } from '../harness/config/settings.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { configKeyOf } from '../specs/surfaces.ts';

/** Milliseconds to wait beyond a limit of the interface, to measure how late an answer is. */
const beyondLimitMs = 2_000;
/** Milliseconds for an answer without a `timeoutSeconds`: shorter than the usual timeout of a proxy. */
const unlimitedTimeoutMs = 8_000;

/** Milliseconds for an answer of this surface: its limit, and some more to measure how late an answer is. */
export function usualTimeoutMs(surface: DiagnosedSurface, config: ResolvedConfig): number {
  const { [configKeyOf(surface)]: endpoint } = config;
  const seconds = endpoint && 'timeoutSeconds' in endpoint ? endpoint.timeoutSeconds : undefined;
  return (seconds === undefined ? unlimitedTimeoutMs : seconds * 1000) + beyondLimitMs;
}
