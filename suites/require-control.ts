import { HarnessFault } from '../harness/checks/faults.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { stopFault } from './matchers/endpoint-stop.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';

/**
 * A negative case proves something only together with its correct counterpart: an endpoint that refuses everything
 * detects no fault. Throws {@link HarnessFault} `control-failed` when the counterpart was not accepted.
 */
export function requireControl(control: Observation, counterpart: string): void {
  const stop = stopFault(control);
  if (stop) throw stop;
  const finding = toBeAccepted(control);
  if (!finding) return;
  throw new HarnessFault('control-failed:counterpart', { counterpart, received: finding.received });
}
