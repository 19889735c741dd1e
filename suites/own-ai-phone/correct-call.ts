import type { CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { toBeConnected } from '../matchers/call-matchers.ts';
import { first, once } from '../once.ts';

const name = 'phone correct call';

function ring({ phone }: CheckKit): Promise<CallObservation> {
  return phone.ring('a correctly signed call');
}

/** The correct counterpart of every bad call. */
export function correctCall(kit: CheckKit): Promise<CallObservation> {
  return once(kit.session, name, () => ring(kit));
}

/** The correct counterpart. Throws {@link HarnessFault} `control-failed` when it was not accepted. */
export async function requireCorrectCall(kit: CheckKit): Promise<CallObservation> {
  const call = await correctCall(kit);
  const finding = toBeConnected(call);
  if (!finding) return call;
  throw new HarnessFault('control-failed:counterpart', {
    counterpart: 'the same call with its correct signature',
    received: finding.received,
  });
}

/** Makes the correct counterpart before all other calls. */
export function firstCorrectCall(kit: CheckKit): Promise<CallObservation> {
  return first(kit.session, name, () => ring(kit));
}
