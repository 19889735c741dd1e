import { Claims, exampleFacts } from './claims.ts';
import { hypotheses, type Suspected } from './hypotheses.ts';
import type { Questioner } from './questioner.ts';

let latest: { of: string; claims: Claims } | undefined;

/**
 * What all hypotheses claim for the bodies of a questioner. To make it takes about a second, so the latest is kept: two
 * probes of one connection need the same.
 */
export function claimsFor(suspected: Suspected, questioner: Questioner): Claims {
  const { secret, oldSecret, isCall, url } = suspected;
  // Contents take the address when they are signed; only what stands for the id of a call is made of it before.
  const of = JSON.stringify([secret, oldSecret, questioner.kind, isCall && url]);
  if (latest?.of !== of) {
    const claims = new Claims(hypotheses(suspected), questioner.examples(), exampleFacts(url, questioner.method));
    latest = { of, claims };
  }
  return latest.claims;
}
