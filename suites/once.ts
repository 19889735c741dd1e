import type { Session } from '../harness/checks/session.ts';

const kept = new WeakMap<Session, Map<string, Promise<unknown>>>();

/**
 * Makes an observation once in a run and shares it with every check that judges an aspect of it, so that one delivery
 * serves many requirements.
 */
export function once<T>(session: Session, name: string, bring: () => Promise<T>): Promise<T> {
  let observations = kept.get(session);
  if (!observations) kept.set(session, (observations = new Map<string, Promise<unknown>>()));
  let observation = observations.get(name) as Promise<T> | undefined;
  if (!observation) observations.set(name, (observation = bring()));
  return observation;
}
