import type { RequirementResult } from '../../specs/generated/types.ts';

/** The fields that identify a requirement. */
export type Identified = Pick<RequirementResult, 'id' | 'surface' | 'statement'>;

/** One requirement in two reports; on one side only where the other report's catalogue does not have it. */
export interface RequirementPair<
  Before extends Identified = RequirementResult,
  After extends Identified = RequirementResult,
> {
  readonly before: Before | undefined;
  readonly after: After | undefined;
}

/**
 * Pairs the requirements of two reports, or of a report and a catalogue, by id, in the order of the second; those that only
 * the first has come last. A requirement that differs only in its id (same surface, same statement) was renamed.
 */
export function requirementPairs<Before extends Identified, After extends Identified>(
  before: readonly Before[],
  after: readonly After[],
): RequirementPair<Before, After>[] {
  const known = new Map(before.map((row) => [row.id, row]));
  const now = new Set(after.map(({ id }) => id));
  const orphans = new Map(before.filter(({ id }) => !now.has(id)).map((row) => [identityWithoutId(row), row]));
  const paired = after.map((row) => {
    const renamed = known.has(row.id) ? undefined : orphans.get(identityWithoutId(row));
    if (renamed) orphans.delete(identityWithoutId(row));
    return { before: known.get(row.id) ?? renamed, after: row };
  });
  const taken = new Set(paired.map((pair) => pair.before));
  const gone = before.filter((row) => !taken.has(row) && !now.has(row.id));
  return [...paired, ...gone.map((row) => ({ before: row, after: undefined }))];
}

function identityWithoutId({ surface, statement }: Identified): string {
  return JSON.stringify([surface, statement]);
}
