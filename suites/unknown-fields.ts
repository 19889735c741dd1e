import fc from 'fast-check';
import { withUnknownFields } from '../generators/with-unknown-fields.ts';
import type { RunSettings } from '../harness/config/settings.ts';

/** Events with unknown fields that are sent: each has others, at other depths. */
const mixtures = 6;

/** The same event with unknown fields at every depth. */
export function unknownFields<T>(event: T, { seed }: RunSettings): T[] {
  return fc.sample(withUnknownFields(event), { seed, numRuns: mixtures });
}
