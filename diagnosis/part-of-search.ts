import type { CheckResult } from '../specs/generated/types.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import { causeOf } from './causes.ts';
import type { CauseSearch, StagedCause } from './diagnose.ts';
import type { ProbedCause } from './in-time.ts';
import { isWeakness } from './is-weakness.ts';
import type { ProbeOutcome } from './outcome.ts';
import { isBlockedByConnection, isOfAuthentication, isOfSameSubject, probeFor, slugOf } from './probe-for.ts';

/** The result of a diagnosis for one check. */
export type Explanation = Pick<ProbeOutcome, 'found' | 'suspects'>;

/** Whether there is a cause, or a possible one. */
export function hasExplanation({ found, suspects }: Explanation): boolean {
  return found !== undefined || suspects.length > 0;
}

/** A confirmed cause that rejects valid requests, before anything else is judged. */
export function isEntranceCause({ id, stage }: StagedCause): boolean {
  return (stage === 'authentication' || stage === 'refusals') && !isWeakness(id);
}

/** The first explanation why valid requests fail. */
function likeliestOf({ confirmed, suspects }: CauseSearch): Explanation | undefined {
  const found = confirmed.find(({ id }) => !isWeakness(id));
  if (found) return { found, suspects: [] };
  const others = suspects.filter(({ id }) => !isWeakness(id));
  return others.length > 0 ? { suspects: others } : undefined;
}

/**
 * What a search says about one check without its own probe: what nothing gets past, if it is behind that; a cause of its
 * subject, or of authentication, that names its requirement; or else the only one that its own probe has found.
 */
export function partFor(check: CheckResult, whole: CauseSearch): Explanation | undefined {
  const { confirmed, suspects, closedAt } = whole;
  if (isBlockedByConnection(check)) return likeliestOf(whole);
  const own = probeFor(check.requirement);
  const named = confirmed.find(
    (cause) =>
      isNamedBy(cause, check.requirement) && (isOfSameSubject(cause.probe, own) || isOfAuthentication(cause.probe)),
  );
  if (named) return { found: named, suspects: [] };
  // Which invalid requests are accepted, an endpoint shows even if it rejects the content of valid ones.
  if (closedAt !== undefined && (closedAt !== 'protocol' || !isOfAuthentication(own))) return likeliestOf(whole);
  const [found, ...others] = confirmed.filter(({ stage }) => stage === 'protocol');
  const isOnly = others.length === 0 && !suspects.some(({ stage }) => stage === 'protocol');
  return found && isOnly && found.probe === own ? { found, suspects: [] } : undefined;
}

/**
 * What a search says about one check whose own probe has found nothing: a cause of another subject, or a possible one,
 * that names its requirement.
 */
export function remainderFor(
  { requirement }: CheckResult,
  { confirmed, suspects }: CauseSearch,
): Explanation | undefined {
  const found = confirmed.find((cause) => isNamedBy(cause, requirement));
  if (found) return { found, suspects: [] };
  const possible = suspects.find((suspect) => isNamedBy(suspect, requirement));
  return possible && { suspects: [possible] };
}

/** Whether a cause names this requirement: one that its probe examines, or with `explainsOtherProbes` any. */
function isNamedBy({ id, probe }: ProbedCause, requirement: string): boolean {
  const { explains, explainsOtherProbes } = causeOf(id);
  const isReached = explainsOtherProbes === true || isOfSameSubject(probe, probeFor(requirement));
  return isReached && explains?.test(slugOf(requirement)) === true;
}

/** Whether a cause, certain or possible, is that valid signatures are rejected. */
function isOfSignature({ id }: Pick<StagedCause, 'id'>): boolean {
  return id.startsWith('signature/') && !isWeakness(id);
}

/**
 * The cause that the same probe has found in the search, if that did not find the narrower one too: the event that failed
 * may only show a symptom. A cause of rejected signatures takes precedence over a possible one of the content. A possible
 * cause of authentication that the search has ruled out does not count.
 */
export function agreeing(part: Explanation, name: ProbeName, whole: CauseSearch | undefined): Explanation {
  const { confirmed = [], suspects = [] } = whole ?? {};
  const isKnown = [...confirmed, ...suspects].some(({ id }) => id === (part.found ?? part.suspects[0])?.id);
  const found = confirmed.find(({ stage, probe }) => stage === 'protocol' && probe === name);
  if (isKnown || !hasExplanation(part)) return part;
  if (found) return { found, suspects: [] };
  // A signature that fails for some bodies makes their content look refused.
  if (name === 'payload' && !part.found) {
    const why = 'The signature of some bodies is rejected, which may be why this one was.';
    const ofSignature = [...confirmed.map((cause) => ({ ...cause, why })), ...suspects].filter(isOfSignature);
    if (ofSignature.length > 0) return { suspects: ofSignature };
  }
  const isFinished = whole?.finished.has('authentication') === true && whole.finished.has('refusals');
  const isRuledOut = isFinished && isOfAuthentication(name);
  return isRuledOut && !part.found ? { suspects: [] } : part;
}
