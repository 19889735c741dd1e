import type { Session } from '../harness/checks/session.ts';

const kept = new WeakMap<Session, Map<string, Promise<unknown>>>();

/**
 * Brings an observation about once in a run and gives it to every check that judges another side of it. One delivery
 * then serves many requirements, and the endpoint is not flooded.
 */
export function once<T>(session: Session, name: string, bring: () => Promise<T>): Promise<T> {
  let observations = kept.get(session);
  if (!observations) kept.set(session, (observations = new Map<string, Promise<unknown>>()));
  let observation = observations.get(name) as Promise<T> | undefined;
  if (!observation) observations.set(name, (observation = bring()));
  return observation;
}
