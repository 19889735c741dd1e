import type { Connection } from './connection.ts';
import type { ProbeName } from './for-requirement.ts';
import type { Outcome } from './outcome.ts';

/** Why a probe had nothing to judge. */
export interface Unobserved {
  sentences: readonly string[];
  /** There was nothing of this kind to see, so that nothing is left open. */
  isNotApplicable: boolean;
  /** Something of this kind may be wrong all the same, and a diagnosis that is given more could see it. */
  isGap: boolean;
}

/** Why there is nothing to see for some probes, though nothing is wrong; `undefined` where there should have been something. */
const reasons: Partial<Record<ProbeName, (connection: Connection) => string | undefined>> = {
  timing: ({ limitMs }) =>
    limitMs === undefined ? 'The interface limits no time of an answer here, so none was judged.' : undefined,
  callback: () => 'No callback or reply was due or came, so none was judged.',
  deduplication: ({ surface, config }) => {
    if (surface === 'own-ai-chat') return 'The service sends no chat event twice, so no event was sent again.';
    return config.observe
      ? 'No effect of an event was seen at observe, so it was not judged what one brings that comes again.'
      : 'The config names no observe, where effects can be seen, so it was not judged what a delivery brings that comes again.';
  },
};

const subjects: Readonly<Record<ProbeName, string>> = {
  token: 'the check of the token',
  upgrade: 'the upgrade of a call',
  weakness: 'what wrong signatures bring',
  signature: 'the check of signatures',
  window: 'the time window of signatures',
  answer: 'the form of answers',
  call: 'the set-up of calls',
  payload: 'which events are taken',
  dialogue: 'the dialogue of calls',
  timing: 'the time of answers',
  deduplication: 'what a delivery brings that comes again',
  callback: 'callbacks and replies',
};

/** These have nothing to see on such a surface, or where nothing is due: nobody could see more. */
function isByNature(name: ProbeName, { surface }: Connection): boolean {
  return name === 'timing' || name === 'callback' || (name === 'deduplication' && surface === 'own-ai-chat');
}

/** Why a probe has told nothing; `undefined` when it has. */
export function explainUnobserved(name: ProbeName, outcome: Outcome, connection: Connection): Unobserved | undefined {
  const { found, suspects, passed, ends, notObserved = [] } = outcome;
  if (found || ends || suspects.length > 0 || passed.length > 0) return undefined;
  if (notObserved.length > 0) return { sentences: notObserved, isNotApplicable: true, isGap: true };
  const reason = reasons[name]?.(connection);
  return {
    sentences: [reason ?? `What came back did not show ${subjects[name]}.`],
    isNotApplicable: reason !== undefined,
    isGap: reason === undefined || !isByNature(name, connection),
  };
}
