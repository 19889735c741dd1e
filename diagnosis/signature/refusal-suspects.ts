import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Connection } from '../connection.ts';
import type { Suspect } from '../outcome.ts';
import type { Differential } from './differential.ts';
import { knownSchemes } from './name-scheme.ts';
import { answerBody, describeReception, type Offer } from './reception.ts';

/** Statuses that precede any verification: unknown path, other method, redirect, no application. */
const unverifiedStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410, 502, 503, 504]);
/** Messages about a refused `t`. */
const timePattern = /expired|stale|too old|in the (?:past|future)|timestamp|tolerance|clock|replay/i;
const signaturePattern = /signature|hmac|secret|mismatch/i;

/** Whether a refusal blames only the time. */
export function mentionsTime(offer: Offer): boolean {
  const text = answerBody(offer);
  return timePattern.test(text) && !signaturePattern.test(text.replaceAll(/signature\s+(?:has\s+)?expired/gi, ''));
}

/** Whether all answers are equal and usually precede any verification. */
function isUnverified(right: Offer, { answers, asked }: Differential): boolean {
  const { answer } = right.observation;
  const precedes = answer.outcome === 'answered' && unverifiedStatuses.has(answer.status);
  return precedes && asked > 0 && [...answers].every((one) => one === describeReception(right));
}

/** The suspects if no known scheme is accepted. */
export function unknownSchemeSuspects(
  { surface, isThorough }: Pick<Connection, 'surface' | 'isThorough'>,
  differential: Differential,
  { right, isClockRight }: { right: Offer; isClockRight: boolean },
): Suspect[] {
  const { asked } = differential;
  const clock =
    isClockRight && !isThorough
      ? 'its clock is off, although the Date header is right (a proxy or CDN in front of it may write that header)'
      : 'its clock is off by more than half an hour';
  const isOutside = isUnverified(right, differential);
  const none = isThorough ? `none of the ${knownSchemes(surface)} known schemes` : 'none of the frequent schemes';
  const tried = isThorough
    ? `${asked} requests signed with incorrect schemes and with pairs of them were sent; none was accepted.`
    : `${asked} requests signed with the most frequent incorrect schemes were sent; none was accepted. diagnose --thorough tries the others, pairs of them, and more times.`;
  return [
    {
      id: 'signature/unknown-scheme',
      summary: `${isOutside ? 'Requests do not reach the code that verifies signatures, or your' : 'Your'} endpoint has another secret, computes the signature in a way that is ${none}, or ${clock}.`,
      remediation: `${isOutside ? 'Check that the URL is the one of your endpoint, and that requests reach your code at all. ' : ''}${comparison}`,
      why: `${tried} ${isOutside ? `Every request got the same answer (${describeReception(right)}), which few endpoints use for a refused signature. ` : ''}${questionsForDeveloper}`,
    },
    {
      id: 'signature/other-secret',
      why: 'It is the most common of these causes, which cannot be distinguished from outside.',
    },
  ];
}

const comparison =
  'Compare the secret of the running process with the one that the service showed, and its clock with the real time; if they are equal, compare your code with the example step by step: key, content, digest and header.';

/** The question that only the developer can answer. */
const questionsForDeveloper =
  'Ask the developer: What are the length and the last four characters of the secret that the running process uses? Which bytes are signed, and are they logged before any parser? Is the key derived from the secret, for example with HKDF? Does the endpoint prefer another header to X-Svc-Signature? By how much may t differ from the clock: could it be less than a second?';

/** The suspects if valid signatures are accepted only over bodies that no serialiser changes. */
export function unknownBodySuspects(surface: DiagnosedSurface, { asked }: Differential): Suspect[] {
  const none = `none of the ${knownSchemes(surface)} known schemes`;
  return [
    {
      id: 'signature/unknown-scheme',
      summary: `Valid signatures are accepted over plain bodies only: either your endpoint does not sign the raw body, by ${none}, or it refuses the content of the other bodies.`,
      remediation: 'Sign the raw bytes of the body, before any parser or filter: keep them when the body is read.',
      why: `${asked} requests signed with incorrect schemes and with pairs of them were sent: it is ${none}.`,
    },
  ];
}

/** The suspects after a lockout. */
export function lockoutSuspects({ asked, locked }: Differential, right: Offer): Suspect[] {
  const why = `After ${asked} requests signed with incorrect schemes every answer changed (${locked ?? ''} instead of ${describeReception(right)}), so later answers are inconclusive.`;
  return [
    { id: 'signature/locks-out', why },
    { id: 'signature/other-secret', why: `${why} Until then this is what a mismatched secret looks like.` },
  ];
}

/** The suspects if the time ran out before all schemes were tried. */
export function timeoutSuspects({ asked, accepted }: Differential): Suspect[] {
  const why = `Only ${asked} requests signed with incorrect schemes could be sent in time, ${accepted.length} of them accepted; --within allows more.`;
  return [
    {
      id: 'signature/unknown-scheme',
      summary:
        'Your endpoint has another secret, or computes the signature by another scheme: the time was too short to find out.',
      remediation: comparison,
      why,
    },
    {
      id: 'signature/other-secret',
      why: 'It is the most common of these causes, which cannot be distinguished from outside.',
    },
  ];
}

/** The suspect if a signature is first refused and later accepted. */
export function inconsistentSuspect(first: Offer): Suspect {
  return {
    id: 'signature/not-always-the-same',
    why: `The valid signature was refused at first (${describeReception(first)}) and accepted later.`,
  };
}
