import type { Connection } from './connection.ts';
import type { ProbeName } from '../specs/requirements/probe.ts';
import type { ProbeOutcome } from './outcome.ts';

/** Explains why a probe had nothing to judge. */
export interface Unobserved {
  sentences: readonly string[];
  /** Nothing of this kind exists here, so nothing stays unknown. */
  isNotApplicable: boolean;
  /** Something of this kind may still be wrong, and a diagnosis with more configuration could observe it. */
  isGap: boolean;
}

/** Legitimate reasons why a probe observed nothing; `undefined` if it should have observed something. */
const reasons: Partial<Record<ProbeName, (connection: Connection) => string | undefined>> = {
  upgrade: () => 'The upgrade was rejected like one with an invalid signature, so the signature was examined instead.',
  callback: () => 'No callback or reply was due or arrived, so none was judged.',
  deduplication: ({ surface, config }) => {
    if (surface === 'own-ai-chat') return 'The service never repeats a chat event, so no event was repeated.';
    return config.observe
      ? 'No effect of an event was observed at observe, so the effect of repeated deliveries was not judged.'
      : 'The config has no observe, where effects can be observed, so the effect of repeated deliveries was not judged.';
  },
};

const subjects: Readonly<Record<ProbeName, string>> = {
  token: 'the check of the token',
  upgrade: 'the upgrade of a call',
  weakness: 'the handling of invalid signatures',
  signature: 'the check of signatures',
  window: 'the time window of signatures',
  answer: 'the form of answers',
  call: 'the set-up of calls',
  payload: 'which events are accepted',
  dialogue: 'the dialogue of calls',
  timing: 'the time of answers, and events at the same moment',
  deduplication: 'the effect of repeated deliveries',
  callback: 'callbacks and replies',
};

/** What a probe would have examined, had a run not judged it already. */
export function describeSettled(name: ProbeName): string {
  return `A run has already judged ${subjects[name]}, and nothing failed.`;
}

/** Nothing of this kind exists on the surface or is due, so no configuration could reveal more. */
function isByNature(name: ProbeName, { surface }: Connection): boolean {
  return ['upgrade', 'callback'].includes(name) || (name === 'deduplication' && surface === 'own-ai-chat');
}

/** Why a probe observed nothing; `undefined` if it did. */
export function explainUnobserved(
  name: ProbeName,
  outcome: ProbeOutcome,
  connection: Connection,
): Unobserved | undefined {
  const { found, suspects, passed, ends, notObserved = [] } = outcome;
  if (found || ends || suspects.length > 0 || passed.length > 0) return undefined;
  if (notObserved.length > 0) return { sentences: notObserved, isNotApplicable: true, isGap: true };
  const reason = reasons[name]?.(connection);
  return {
    sentences: [reason ?? `The answers reveal nothing about ${subjects[name]}.`],
    isNotApplicable: reason !== undefined,
    isGap: reason === undefined || !isByNature(name, connection),
  };
}
