import fc from 'fast-check';
import { withUnknownMembers } from '../generators/with-unknown-members.ts';
import type { RunSettings } from '../harness/config/settings.ts';

/** Events with unknown members that are sent: each has others, at other depths. */
const mixtures = 6;

/** The same event with members that nobody knows yet, at every depth. */
export function unknownMembers<T>(event: T, { seed }: RunSettings): T[] {
  return fc.sample(withUnknownMembers(event), { seed, numRuns: mixtures });
}
