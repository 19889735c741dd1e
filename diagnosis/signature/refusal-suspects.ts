import type { DiagnosedSurface } from '../../specs/generated/types.ts';
import type { Suspect } from '../outcome.ts';
import type { Differential } from './differential.ts';
import { knownSchemes } from './name-scheme.ts';
import { answerBody, describeReception, type Offer } from './reception.ts';

/** Statuses of whoever never comes to a signature: no such path, another method, somewhere else, nobody behind it. */
const statusesOfNobody: ReadonlySet<number> = new Set([301, 302, 303, 307, 308, 404, 405, 410, 502, 503, 504]);
/** What is said of a `t` that is not taken. */
const wordsOfTime = /expired|stale|too old|in the (?:past|future)|timestamp|tolerance|clock|replay/i;
const wordsOfSignature = /signature|hmac|secret|mismatch/i;

/** Whether a refusal says that it is for the time, and for nothing else. */
export function mentionsTime(offer: Offer): boolean {
  const text = answerBody(offer);
  return wordsOfTime.test(text) && !wordsOfSignature.test(text.replaceAll(/signature\s+(?:has\s+)?expired/gi, ''));
}

/** Whether every answer so far is one and the same of those that nobody gives who looks at signatures. */
export function isUnanswered(right: Offer, { answers, asked }: Differential): boolean {
  const { answer } = right.observation;
  const isOfNobody = answer.outcome === 'answered' && statusesOfNobody.has(answer.status);
  return isOfNobody && asked > 0 && [...answers].every((one) => one === describeReception(right));
}

/** What is told when {@link isUnanswered}. */
export function notVerifiedSuspect(right: Offer, { asked }: Differential): Suspect {
  return {
    id: 'signature/unknown-scheme',
    summary: 'Nothing behind this address seems to look at signatures.',
    remediation: 'See whether the address is the one of your endpoint, and whether requests reach your code at all.',
    why: `${asked} signatures of wrong schemes, a forged one and the right one all got the same: ${describeReception(right)}.`,
  };
}

/** What is left when no known scheme is accepted. */
export function unknownSchemeSuspects(surface: DiagnosedSurface, { asked }: Differential): Suspect[] {
  const none = `none of the ${knownSchemes(surface)} known schemes`;
  const why = `${asked} signatures of wrong schemes and pairs of them were tried, and it is ${none}.`;
  return [
    { id: 'signature/other-secret', why: `${why} A secret that is wrong on one side looks just so.` },
    { id: 'signature/unknown-scheme', summary: `Your endpoint checks signatures by ${none}.`, why },
  ];
}

/** The same where right signatures are accepted over bodies in which nothing can be changed. */
export function unknownBodySuspects(surface: DiagnosedSurface, { asked }: Differential): Suspect[] {
  const none = `none of the ${knownSchemes(surface)} known schemes`;
  return [
    {
      id: 'signature/unknown-scheme',
      summary: `Right signatures are accepted over plain bodies only: either your endpoint signs something else than the body as it came, by ${none}, or it refuses what stands in the others.`,
      remediation:
        'Sign the raw bytes of the body as they came, before any parser or filter: keep them aside when the body is read.',
      why: `${asked} signatures of wrong schemes and pairs of them were tried, and it is ${none}.`,
    },
  ];
}

/** What is told where every further answer was another than those to wrong signatures. */
export function lockoutSuspects({ asked, locked }: Differential, right: Offer): Suspect[] {
  const why = `After ${asked} signatures of wrong schemes every answer was another (${locked ?? ''} in place of ${describeReception(right)}), so what was asked then tells nothing.`;
  return [
    { id: 'signature/locks-out', why },
    { id: 'signature/other-secret', why: `${why} Up to then a secret that is wrong on one side looks just so.` },
  ];
}

/** What is left when the time was over before everything was tried. */
export function timeoutSuspects({ asked, accepted }: Differential): Suspect[] {
  const why = `Only ${asked} signatures of wrong schemes could be tried in the time, ${accepted.length} of them accepted; --within gives more.`;
  return [
    {
      id: 'signature/other-secret',
      why: `${why} A secret that is wrong on one side is the commonest of what is left.`,
    },
    { id: 'signature/unknown-scheme', summary: 'Your endpoint may check signatures by another scheme.', why },
  ];
}

/** What was refused first and is accepted at last. */
export function inconsistentSuspect(first: Offer): Suspect {
  return {
    id: 'signature/not-always-the-same',
    why: `The right signature was refused at first (${describeReception(first)}) and accepted later.`,
  };
}
