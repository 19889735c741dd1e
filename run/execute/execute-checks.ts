import { runSuites, type FinishedCheck } from '../../harness/checks/engine.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { isCrashRequirement } from '../../specs/crash-requirements.ts';
import type { RunContext } from '../run-context.ts';
import type { RunPlan } from '../run-plan.ts';
import { confirmFailures, type ConfirmedCheck } from './confirm-failures.ts';

/** Whether --bail stopped the run before all of these checks had a verdict. */
export function isStopped(finished: readonly FinishedCheck[]): boolean {
  return finished.some(({ code }) => code === 'run-stopped');
}

/**
 * Runs the checks of the plan once. Throws {@link HarnessFault} `selection-empty` when there was none.
 *
 * @param onJudged called with each check that has a verdict
 */
export async function executeChecks(
  { settings, output }: RunContext,
  { selected, shard, runChecks = runSuites }: RunPlan,
  onJudged: (check: FinishedCheck) => void,
): Promise<FinishedCheck[]> {
  const finished = await runChecks({
    settings,
    surfaces: selected.surfaces,
    ...(shard && { shard }),
    onStart: ({ id, title }) => output.emit({ step: 'check-started', id, title }),
    onCheck: (check) => {
      if (isStopped([check])) return;
      onJudged(check);
      output.emit({ step: 'check-finished', check });
    },
  });
  if (finished.length > 0) return finished;
  const where = shard ? `Shard ${shard.index}/${shard.of} has` : 'The selection leaves';
  throw new HarnessFault('selection-empty:nothing-run', { where });
}

/** Repeats the failed checks as often as the plan demands. Returns all checks. */
export async function confirmChecks(
  { settings: { chaos, bail: _, preflightMs: __, ...others }, output }: RunContext,
  { confirm = 0, runChecks = runSuites }: RunPlan,
  finished: readonly FinishedCheck[],
  isDecisive: (check: FinishedCheck) => boolean,
): Promise<ConfirmedCheck[]> {
  // The endpoint is killed again only if a crash check failed.
  const isCrashRepeated = finished.some(
    ({ verdict, requirement }) => verdict === 'fail' && isCrashRequirement(requirement),
  );
  const settings = { ...others, ...(chaos && isCrashRepeated && { chaos }) };
  const confirmed = await confirmFailures(finished, {
    times: confirm,
    isDecisive,
    note: (text) => output.emit({ step: 'note', text }),
    rerun: (only, surfaces) =>
      runChecks({ settings: { ...settings, only: only.length > 0 ? only : settings.only }, surfaces }),
  });
  for (const check of confirmed) {
    if (check.repeats) output.emit({ step: 'check-repeated', check, repeats: check.repeats });
  }
  return confirmed;
}
