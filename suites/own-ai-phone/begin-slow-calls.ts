import type { CheckKit } from '../../harness/checks/check.ts';
import { beginForOthers } from '../../harness/checks/check-record.ts';
import {
  closedByService,
  endedInAnswer,
  interrupted,
  interruptedAgain,
  interruptionTimes,
  longAnswer,
  longGreeting,
  promptedInAnswer,
  quietCall,
} from './slow-calls.ts';
import { longCalls } from './long-calls.ts';
import { holdLateRefusal } from './skill-calls.ts';
import { takeover, takeoverReasons } from './takeovers.ts';
import { typicalCalls } from './typical-calls.ts';

/**
 * Starts the calls that take seconds, so that they run alongside everything else and the checks that judge them need
 * not wait. In a partial run, each check starts the ones it needs.
 */
export function beginSlowCalls(kit: CheckKit): void {
  if (kit.settings.only.length > 0) return;
  const takeovers = takeoverReasons.map((reason) => () => takeover(kit, reason));
  const interruptedCalls = interruptionTimes.map((when) => () => interrupted(kit, when));
  const hasLongAnswer = kit.settings.config.stimuli.phone?.long !== undefined;
  const calls = [
    // Those with a long silence take longest.
    quietCall,
    holdLateRefusal,
    longCalls,
    ...interruptedCalls,
    interruptedAgain,
    endedInAnswer,
    longAnswer,
    longGreeting,
    ...takeovers,
    typicalCalls,
    closedByService,
  ];
  for (const begin of hasLongAnswer ? [...calls, promptedInAnswer] : calls) beginForOthers(() => begin(kit));
}
