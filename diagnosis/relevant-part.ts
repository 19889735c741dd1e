import type { CauseId } from './causes.ts';
import type { Found, ProbeOutcome } from './outcome.ts';

/** All requirements of the probe. */
const everything = /./;
const refusals = /^refuses-/;
const acceptances = /^accepts-/;
const parallel = /at-once|in-parallel/;

/**
 * The requirements that fail for a cause, by slug. A cause that is missing here only explains the requirement for which
 * the probe ran.
 */
const reasonFor: Readonly<Partial<Record<CauseId, RegExp>>> = {
  'token/not-checked': refusals,
  'token/inverted': everything,
  'token/refused-with-2xx': refusals,
  'token/only-presence': /^refuses-(?!missing)/,
  'token/only-scheme': /^refuses-(?!missing|other-scheme)/,
  'token/only-length': /^refuses-(?:wrong|differently-cased)-token$/,
  'token/optional': /^refuses-missing-token$/,
  'token/first-characters-compared': /^refuses-(?:prefixed|truncated)-token$/,
  'token/last-characters-compared': /^refuses-prefixed-token$/,
  'token/contains-compared': /^refuses-prefixed-token$/,
  'token/part-suffices': /^refuses-truncated-token$/,
  'token/case-ignored': /^refuses-differently-cased-token$/,
  'token/scheme-ignored': /^refuses-other-scheme$/,
  'signature/not-checked': refusals,
  'signature/presence-only': /^refuses-(?!missing)/,
  'signature/form-only': refusals,
  'signature/only-t-checked': refusals,
  'signature/refused-with-2xx': refusals,
  'signature/clock-off': everything,
  'signature/time-zone': everything,
  'signature/window-in-wrong-unit': everything,
  'signature/window-missing': refusals,
  'signature/window-too-wide': refusals,
  'signature/window-too-tight': acceptances,
  'signature/past-only': acceptances,
  'signature/future-only': acceptances,
  'timing/always-slow': everything,
  'timing/slow-before-the-work': everything,
  'timing/never-answers': everything,
  'timing/answer-never-ends': everything,
  'timing/one-of-several-instances': everything,
  'timing/at-random': everything,
  'timing/slow-for-unknown-callers': everything,
  'timing/slow-for-known-callers': everything,
  'timing/slow-for-an-event-type': everything,
  'timing/slow-by-size': everything,
  'timing/slow-by-history': everything,
  'timing/slow-at-first': /^(?!.*(?:at-once|in-parallel))/,
  'timing/slow-on-new-connections': everything,
  'timing/slow-on-kept-connections': /^(?!.*fresh-connection)/,
  'timing/pool-too-small': parallel,
  'timing/one-at-a-time-per-caller': parallel,
  'timing/slow-in-parallel': parallel,
  'timing/fails-in-parallel': parallel,
  'deduplication/none': everything,
};

function explains(cause: CauseId, requirement: string, askedFor: string): boolean {
  const slug = requirement.slice(requirement.indexOf('/') + 1);
  return reasonFor[cause]?.test(slug) ?? requirement === askedFor;
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
