import type { CheckKit } from '../harness/checks/check.ts';
import { HarnessFault } from '../harness/checks/faults.ts';

/** The limit of the config that keeps a property from sending more; `undefined` if none does. */
export function describeConfigLimit(
  { session }: Pick<CheckKit, 'session'>,
  broken: Error | undefined,
): string | undefined {
  if (broken instanceof HarnessFault && broken.code === 'limit-used') return 'the limits of the config allow no more';
  return session.limits.isPaced ? 'limits.perMinute of the config delays them' : undefined;
}
