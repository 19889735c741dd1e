import type { Connection } from '../connection.ts';

/** Requests signed with incorrect schemes that a thorough search sends, including pairs of mistakes. */
const thoroughQuestions = 400;
/** The same of any other search if a valid signature is accepted over some bodies, so that the secret is known to be right. */
const questionsWithEvidence = 300;
/** Deliveries of a search without evidence, and how many of them try times or repeat a result instead of trying a scheme. */
const usualDeliveries = 60;
const otherDeliveries = 18;
/** How many of those try distant times, which only an endpoint needs whose Date header does not show its clock. */
const farDeliveries = 6;
/** Incorrect schemes that are tried even after many other deliveries: the frequent mistakes. */
const leastQuestions = 31;
/** The same where something in front of the endpoint may refuse every request. */
const questionsBehindGate = 26;

/**
 * Maximum number of requests signed with incorrect schemes from now on. With evidence that the secret is right, the
 * search is worth more of them.
 */
export function mostQuestions(
  {
    mostQuestions: given,
    isThorough,
    deliveries,
    mayBeGated,
  }: Pick<Connection, 'mostQuestions' | 'isThorough' | 'deliveries' | 'mayBeGated'>,
  { hasEvidence, isClockRight }: { hasEvidence: boolean; isClockRight: boolean },
): number {
  if (given !== undefined) return given;
  if (isThorough) return thoroughQuestions;
  if (hasEvidence) return questionsWithEvidence;
  if (mayBeGated) return questionsBehindGate;
  const others = otherDeliveries - (isClockRight ? farDeliveries : 0);
  return Math.max(leastQuestions, usualDeliveries - others - deliveries);
}
