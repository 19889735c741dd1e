import { randomInt } from 'node:crypto';
import { runDefaults, type ResolvedConfig, type RunSettings } from '../../harness/config/settings.ts';
import { limits } from '../../specs/limits.ts';
import { largestSeed, type RunOptions } from '../run-input.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The options of a run that decide how much is sent and how long it waits. */
type SettingsOptions = Pick<
  RunOptions,
  'seed' | 'runs' | 'thorough' | 'path' | 'only' | 'callbackWait' | 'answerTimeout' | 'budget' | 'trouble' | 'chaos'
>;

/** Makes the settings of a run from config and flags. Throws {@link HarnessFault} for `path` without one check and a seed. */
export function runSettings(config: ResolvedConfig, options: SettingsOptions): RunSettings {
  const { seed, runs, thorough = false, path, only } = options;
  if (path !== undefined && (only.length !== 1 || seed === undefined)) {
    throw new HarnessFault('flag-missing:replay');
  }
  return {
    config,
    seed: seed ?? randomInt(largestSeed),
    runs: runs ?? (thorough ? runDefaults.thoroughRuns : runDefaults.runs),
    callbackWaitMs: inMs(options.callbackWait) ?? limits.crmCallbackWithinMs,
    callbackLimitMs: limits.crmCallbackWithinMs,
    answerTimeoutMs: inMs(options.answerTimeout) ?? runDefaults.answerTimeoutMs,
    quietMs: runDefaults.quietMs,
    retryWatchMs: thorough ? runDefaults.thoroughRetryWatchMs : runDefaults.retryWatchMs,
    propertyMs: thorough ? runDefaults.thoroughPropertyMs : runDefaults.propertyMs,
    shrinkMs: runDefaults.shrinkMs,
    budgetMs: inMs(options.budget) ?? (thorough ? runDefaults.thoroughBudgetMs : runDefaults.budgetMs),
    ...(options.budget === undefined && !thorough && { answeringBudgetMs: runDefaults.answeringBudgetMs }),
    only,
    ...(options.trouble === false && { withoutTrouble: true as const }),
    ...(options.chaos === true && { chaos: true as const }),
    ...(path !== undefined && { path }),
  };
}

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
