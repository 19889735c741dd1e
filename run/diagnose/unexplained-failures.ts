import { runSuites } from '../../harness/checks/engine.ts';
import { runDefaults, type ResolvedConfig } from '../../harness/config/settings.ts';
import type { DiagnosedSurface, Diagnosis } from '../../specs/generated/types.ts';
import { limits } from '../../specs/limits.ts';
import { isRequirementId, requirement as requirementOf } from '../../specs/requirements/catalogue.ts';

/** Milliseconds for a callback: the probe of callbacks has waited as long and met none that is missing. */
const callbackWaitMs = 10_000;

export interface UnexplainedOptions {
  seed: number;
  /** Requirements to check; empty: all of the surface. */
  only: readonly string[];
  /** Milliseconds for the checks. */
  withinMs: number;
  runChecks?: typeof runSuites;
}

/**
 * What the checks of a surface find although no probe does, as suspects with the ids of requirements: some faults show only
 * in several conversations, in the order of events or in what an AI decides. Advice does not count.
 */
export async function unexplainedFailures(
  surface: DiagnosedSurface,
  config: ResolvedConfig,
  { seed, only, withinMs, runChecks = runSuites }: UnexplainedOptions,
): Promise<Diagnosis['suspects']> {
  const settings = {
    ...runDefaults,
    config,
    seed,
    only: [...only],
    callbackWaitMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    budgetMs: withinMs,
  };
  const checks = await runChecks({ settings, surfaces: [surface] });
  const byRequirement = new Map<string, Diagnosis['suspects'][number]>();
  for (const { requirement: id, verdict, message = '', title } of checks) {
    const isFound = verdict === 'fail' || verdict === 'blocked';
    if (!isFound || !isRequirementId(id) || byRequirement.has(id)) continue;
    const { level, statement } = requirementOf(id);
    if (level === 'advice') continue;
    const how = verdict === 'fail' ? 'fails' : 'could not be judged';
    byRequirement.set(id, { id, summary: statement, why: `The check that ${title} ${how}: ${message}` });
  }
  return [...byRequirement.values()];
}
