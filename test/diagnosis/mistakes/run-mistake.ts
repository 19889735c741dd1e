import type { CauseId } from '../../../diagnosis/causes.ts';
import { Connection } from '../../../diagnosis/connection.ts';
import { search, type CauseSearch } from '../../../diagnosis/diagnose.ts';
import type { Diagnosis } from '../../../specs/generated/types.ts';
import type { Mistake } from './mistake.ts';
import { mistakeConfig } from './mistake-config.ts';

/** Milliseconds for one diagnosis: the default of `--within`. */
const withinMs = 120_000;

/** First suspects that name alternatives. */
const undetermined: readonly string[] = [
  'http/gate-or-secret',
  'callback/never-sent',
  'callback/not-yet',
] satisfies CauseId[];

export interface MistakeResult {
  /** `undetermined`: the mistake is one of two that the first suspect names. */
  verdict: 'correct' | 'undetermined' | 'partial' | 'silent' | 'wrong';
  found: CauseSearch;
}

/** Diagnoses an endpoint in full, as the command does. */
export async function runMistake(mistake: Mistake): Promise<MistakeResult> {
  await using running = await mistake.start();
  const config = mistakeConfig(mistake, running);
  await using connection = await Connection.open(mistake.surface, config, { seed: 3, withinMs });
  const found = await search(connection);
  return { verdict: verdictOf(mistake, found.diagnosis), found };
}

/**
 * The named cause must be correct, or without one the first suspect. An expected cause that is only suspected does not
 * count.
 */
function verdictOf(
  { causes, and = [], isSuspected, symptoms = [] }: Mistake,
  diagnosis: Diagnosis,
): MistakeResult['verdict'] {
  const { cause, suspects } = diagnosis;
  const first = cause?.id ?? suspects[0]?.id;
  if (causes.length === 0) return first === undefined ? 'correct' : 'wrong';
  if (first === undefined) return 'silent';
  if (!cause && symptoms.some((id) => id === first)) return 'undetermined';
  if (!causes.some((id) => id === first)) return and.some((id) => id === first) ? 'partial' : 'wrong';
  if (!cause && !isSuspected) return 'silent';
  if (undetermined.includes(first)) return 'undetermined';
  const reported: readonly string[] = [first, ...suspects.map(({ id }) => id)];
  return and.every((id) => reported.includes(id)) ? 'correct' : 'partial';
}
