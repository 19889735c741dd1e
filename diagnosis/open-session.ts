import { Session } from '../harness/checks/session.ts';
import { runDefaults, type ResolvedConfig } from '../harness/config/settings.ts';
import type { DiagnosedSurface } from '../specs/generated/types.ts';
import { limits } from '../specs/limits.ts';
import { usualTimeoutMs } from './usual-timeout.ts';

/** Opens the session of a diagnosis. Throws HarnessFault if it cannot listen. */
export async function openSession(surface: DiagnosedSurface, config: ResolvedConfig, seed: number): Promise<Session> {
  return await Session.open({
    ...runDefaults,
    config,
    seed,
    callbackWaitMs: limits.crmCallbackWithinMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    // The diagnosed endpoint may not answer at all.
    answerTimeoutMs: usualTimeoutMs(surface, config),
    only: [],
  });
}
