import { Claims, exampleFacts } from './claims.ts';
import { hypotheses, type Suspected } from './hypotheses.ts';
import type { Questioner } from './questioner.ts';

/** Models that are kept: as many as there are kinds of questions. */
const mostKept = 4;
const kept = new Map<string, Claims>();

/**
 * What all hypotheses claim for the bodies of a questioner. To make it takes about a second, so the latest are kept: two
 * probes of one connection need the same.
 */
export function claimsFor(suspected: Suspected, questioner: Questioner): Claims {
  const { secret, oldSecret, isCall, url } = suspected;
  // Contents take the address when they are signed; only what stands for the id of a call is made of it before.
  const of = JSON.stringify([secret, oldSecret, questioner.kind, isCall && url]);
  const claims =
    kept.get(of) ?? new Claims(hypotheses(suspected), questioner.examples(), exampleFacts(url, questioner.method));
  // The latest stands last, so the first is the one that was not needed for longest.
  kept.delete(of);
  kept.set(of, claims);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
  return claims;
}
