import fc from 'fast-check';
import { withUnknownFields } from '../generators/with-unknown-fields.ts';
import type { RunSettings } from '../harness/config/settings.ts';

/** Number of events with unknown fields, each with different fields at different depths. */
const mixtures = 6;

/** The same event with unknown fields at every depth. */
export function unknownFields<T>(event: T, { seed }: RunSettings): T[] {
  return fc.sample(withUnknownFields(event), { seed, numRuns: mixtures });
}
