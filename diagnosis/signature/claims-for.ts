import { Claims, exampleFacts } from './claims.ts';
import { hypotheses, type Suspected } from './hypotheses.ts';
import type { Questioner } from './questioner.ts';

/** Models in the cache: one for each kind of question. */
const mostKept = 4;
const kept = new Map<string, Claims>();

/**
 * The claims of all hypotheses for the bodies of a questioner. Creating them takes about a second, so the latest are
 * cached: two probes of one connection need the same.
 */
export function claimsFor(suspected: Suspected, questioner: Questioner): Claims {
  const { secret, oldSecret, isCall, url } = suspected;
  // Contents read the address when they are signed; only the substitute for a call id is derived from it here.
  const of = JSON.stringify([secret, oldSecret, questioner.kind, isCall && url]);
  const claims =
    kept.get(of) ?? new Claims(hypotheses(suspected), questioner.examples(), exampleFacts(url, questioner.method));
  // The latest is last, so the first is the least recently used.
  kept.delete(of);
  kept.set(of, claims);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
  return claims;
}
