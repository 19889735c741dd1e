import { currentRecord } from '../harness/checks/check-record.ts';
import { isCutOff } from '../harness/checks/time-budget.ts';
import type { Session } from '../harness/checks/session.ts';
import type { CallObservation, Observation } from '../harness/wire/observation.ts';
import { stopOf } from './matchers/endpoint-stop.ts';

interface Kept {
  observation: Promise<unknown>;
  isPending: boolean;
  /** Made by a check that confirms a failure, with no other traffic. */
  confirms: boolean;
}

const kept = new WeakMap<Session, Map<string, Kept>>();

/**
 * Makes an observation once in a run and shares it with every check that judges an aspect of it, so that one delivery
 * serves many requirements. An exclusive check cannot wait for an observation that another check is making, which waits
 * for the endpoint: it makes its own. So does one that confirms a failure.
 */
export function once<T>(session: Session, name: string, bring: () => Promise<T>): Promise<T> {
  let observations = kept.get(session);
  if (!observations) kept.set(session, (observations = new Map<string, Kept>()));
  const { alone = false, confirms = false } = currentRecord() ?? {};
  const known = observations.get(name);
  const isStale = confirms && known?.confirms === false;
  if (known && !isStale && !(known.isPending && alone)) return known.observation as Promise<T>;
  const observation = bring();
  if (known && !isStale) return observation;
  const made: Kept = { observation, isPending: true, confirms };
  observations.set(name, made);
  const ended = () => {
    made.isPending = false;
  };
  observation.then(ended, (error: unknown) => {
    ended();
    // A later part of the run has its own time for it.
    if (isCutOff(error) && observations.get(name) === made) observations.delete(name);
  });
  return observation;
}

/**
 * Makes an observation before all others. The checks share it if it shows an answer, or that the endpoint stopped, which
 * may happen only once. Otherwise they choose another event, or find out whether the answer is always missing.
 */
export async function first<T extends Observation | CallObservation>(
  session: Session,
  name: string,
  bring: () => Promise<T>,
): Promise<T> {
  const observation = await bring();
  const isShared = observation.answer.outcome === 'answered' || stopOf(observation) !== undefined;
  if (isShared) await once(session, name, () => Promise.resolve(observation));
  return observation;
}
