import { applyGate } from '../../reports/model/apply-gate.ts';
import type { Report, Waiver } from '../../specs/generated/types.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';

/** The gate flags of `report merge`. */
export interface GateFlags {
  baseline?: Report | undefined;
  failOn?: 'must' | 'should' | undefined;
}

/**
 * Applies the gate to the merged report: each shard applied the waivers of the config and the level of `--fail-on` to its
 * own part only. The report is unchanged if neither the shards nor the flags request a gate. Waivers are judged on the
 * day on which the run began.
 *
 * @throws HarnessFault when the shards were compared with a baseline that was not given here
 */
export function gateMerged(merged: Report, shards: readonly Report[], { baseline, failOn }: GateFlags): Report {
  const gates = shards.flatMap(({ gate }) => gate ?? []);
  if (!baseline && gates.some((gate) => gate.baseline)) {
    throw new HarnessFault('flag-missing:baseline');
  }
  const waivers = new Map<string, Waiver>();
  for (const { requirement, reason, until } of gates.flatMap((gate) => gate.waivers ?? [])) {
    waivers.set(JSON.stringify([requirement, until]), { requirement, reason, until });
  }
  if (gates.length === 0 && !baseline && failOn === undefined) return merged;
  return applyGate(merged, {
    failOn: failOn ?? (gates.some((gate) => gate.failOn === 'should') ? 'should' : 'must'),
    baseline,
    waivers: [...waivers.values()],
    today: merged.startedAt.slice(0, 10),
  });
}
