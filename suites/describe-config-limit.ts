import type { CheckKit } from '../harness/checks/check.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** What in the config would let a property send more; `undefined` if its limits make no difference. */
export function describeConfigLimit(
  { session }: Pick<CheckKit, 'session'>,
  broken: Error | undefined,
): string | undefined {
  if (broken instanceof HarnessFault && broken.code === 'limit-used') return 'limits of the config allow no more';
  return session.limits.isPaced ? 'limits.perMinute of the config delays them' : undefined;
}
