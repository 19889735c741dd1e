import { type CauseId, causeOf } from './causes.ts';
import type { Found, ProbeOutcome } from './outcome.ts';
import { slugOf } from './probe-for.ts';

function explains(cause: CauseId, requirement: string, askedFor: string): boolean {
  return causeOf(cause).explains?.test(slugOf(requirement)) ?? requirement === askedFor;
}

/**
 * The part of an outcome that explains a requirement: the cause, or else its suspects.
 *
 * @param askedFor the requirement for which the probe ran
 */
export function relevantPart(
  requirement: string,
  { found, suspects }: Pick<ProbeOutcome, 'found' | 'suspects'>,
  askedFor: string,
): Pick<ProbeOutcome, 'found' | 'suspects'> {
  const isAbout = ({ id }: Found) => explains(id, requirement, askedFor);
  return found && isAbout(found) ? { found, suspects: [] } : { suspects: suspects.filter(isAbout) };
}
