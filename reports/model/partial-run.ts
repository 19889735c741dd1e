import type { PartialRun, Report, Selection } from '../../specs/generated/types.ts';

/** Whether a selection omits checks of the config. Fewer generated events or a shorter wait omit none. */
export function isPartialSelection({ surfaces, only, shard, contracts, capture, stopped }: Selection = {}): boolean {
  return [surfaces, only, shard, contracts, capture, stopped].some((part) => part !== undefined);
}

/** How many of all requirements a partial run checked; `undefined` for a complete run. */
export function partialRun({
  selection,
  requirements,
}: {
  selection?: Selection | undefined;
  requirements: Report['requirements'];
}): PartialRun | undefined {
  if (!isPartialSelection(selection)) return undefined;
  return { checked: requirements.filter(({ checks }) => checks.length > 0).length, of: requirements.length };
}
