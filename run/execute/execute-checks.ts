import { runSuites, type FinishedCheck } from '../../harness/checks/engine.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { RunContext } from '../run-context.ts';
import type { RunPlan } from '../run-plan.ts';
import { confirmFailures, type ConfirmedCheck } from './confirm-failures.ts';

/** Requirements of which the checks kill the endpoint. */
const afterCrashes: readonly string[] = [
  'api-webhooks/one-effect-after-a-crash',
  'crm-webhook/one-effect-after-a-crash',
] satisfies RequirementId[];

/** Runs the checks of the plan once. Throws {@link HarnessFault} `selection-empty` when there was none. */
export async function executeChecks(
  { settings, output }: RunContext,
  { selected, shard, runChecks = runSuites }: RunPlan,
): Promise<FinishedCheck[]> {
  const { chaos, ...usual } = settings;
  const { surfaces } = selected;
  const isHeld = (check: FinishedCheck) => chaos === true && afterCrashes.includes(check.requirement);
  const emit = (check: FinishedCheck) => output.emit({ step: 'check-finished', check });
  const finished = await runChecks({
    settings: usual,
    surfaces,
    ...(shard && { shard }),
    onCheck: (check) => {
      if (!isHeld(check)) emit(check);
    },
  });
  const held = finished.filter(isHeld);
  if (held.length > 0) {
    // After and apart from the others: what the endpoint had to do later is lost with its process.
    const only = held.map(({ id }) => id);
    const judged = await runSuites({ settings: { ...settings, only }, surfaces, onCheck: emit });
    return finished.map((check) => judged.find(({ id }) => id === check.id) ?? check);
  }
  if (finished.length > 0) return finished;
  const where = shard ? `Shard ${shard.index}/${shard.of} has` : 'The selection leaves';
  throw new HarnessFault('selection-empty:nothing-run', { where });
}

/** Repeats the failed checks as often as the plan demands. Returns all checks. */
export async function confirmChecks(
  { settings: { chaos: _, ...settings }, output }: RunContext,
  { confirm = 0, runChecks = runSuites }: RunPlan,
  finished: readonly FinishedCheck[],
  isDecisive: (check: FinishedCheck) => boolean,
): Promise<ConfirmedCheck[]> {
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
