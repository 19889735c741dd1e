import type { StageName, StageRecord } from '../specs/generated/types.ts';
import type { Found, Suspect } from './outcome.ts';
import type { StageNotes } from './stages/stage.ts';

/** A possible cause, and the stage that suspects it; the configuration has none. */
export interface StagedSuspect extends Suspect {
  stage?: StageName;
}

/** What the stages have shown. */
interface PassedStages {
  cause: Found | undefined;
  notes: StageNotes;
  records: readonly StageRecord[];
}

/**
 * The suspicions that later stages have not ruled out, each once. Once the endpoint has distinguished a valid signature from an
 * invalid one, a suspicion from the HTTP stage no longer applies.
 */
export function remainingSuspects(suspects: readonly StagedSuspect[], stages: PassedStages): StagedSuspect[] {
  const ids = new Set<string>(stages.cause ? [stages.cause.id] : []);
  return notRuledOut(suspects, stages).filter(({ id }) => !ids.has(id) && ids.add(id));
}

function notRuledOut(
  suspects: readonly StagedSuspect[],
  { cause, notes, records }: PassedStages,
): readonly StagedSuspect[] {
  const isDistinguished = suspects.some(({ id }) => id === 'signature/refused-afterwards');
  // The later code that rejects them is what a cause behind the signature is about.
  const isFound = cause !== undefined && !cause.id.startsWith('signature/');
  const isExplained = ({ id, stage }: StagedSuspect) =>
    stage === 'http' || (isFound && id === 'signature/refused-afterwards');
  if (cause || isDistinguished) return suspects.filter((suspect) => !isExplained(suspect));
  const isAccepted = records.some(({ name, result }) => name === 'authentication' && result === 'passed');
  if (!notes.ifRefused || isAccepted) return suspects;
  // What refuses every request alike is more likely than a secret that only may differ, but not than one that looks odd.
  if (!notes.ifRefused.isLikely) return [...suspects, notes.ifRefused];
  const odd = suspects.filter((suspect) => notes.doubts.includes(suspect));
  return [...odd, notes.ifRefused, ...suspects.filter((suspect) => !odd.includes(suspect))];
}
