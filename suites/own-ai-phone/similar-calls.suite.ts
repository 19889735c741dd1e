import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { toBeAnswered } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { holdCall } from './effective-call.ts';
import { holdCallsAtOnce, oneCallReason, similarCallsHint, similarTo } from './similar-callers.ts';
import { requirePlainCall } from './talk.ts';

/** A pair in which one call is not answered is made once more: an AI may have stayed quiet by chance. */
const attempts = 2;

describe.concurrent('own-ai-phone similar calls', () => {
  for (const atOnce of [false, true]) {
    const when = atOnce ? 'at once' : 'one after the other';
    check(
      'own-ai-phone/handles-similar-calls',
      `two calls of one contact in one project with the same sentence, ${when}, are each answered`,
      async (kit) => {
        await requirePlainCall(kit);
        for (let attempt = 1; ; attempt++) {
          // Another check may find it meanwhile.
          if (atOnce && !kit.phone.acceptsConcurrentCalls) return kit.notExercised(oneCallReason);
          const calls = await (atOnce ? holdCallsAtOnce(kit, alikeCalls(kit)) : holdCallsInOrder(kit));
          const isAnswered = calls.map(isAnsweredCall);
          if (isAnswered.every((one) => !one)) return kit.notExercised('Neither of the two calls was answered.');
          const silent = calls[isAnswered.indexOf(false)];
          if (silent?.answers.some(({ outcome }) => outcome === 'call-ended')) {
            return kit.notExercised('One of the two calls ended before its answer; other checks judge that.');
          }
          if (silent && attempt < attempts) continue;
          if (silent && atOnce && !(await holdCallsAtOnce(kit, differentCalls(kit))).every(isAnsweredCall))
            return kit.notExercised('Two simultaneous calls of different contacts have the same result.');
          for (const call of calls) {
            conclude(
              call,
              call === silent
                ? {
                    expected: `an answer in each of two similar calls, ${when}`,
                    received: `none in the ${isAnswered[0] ? 'second' : 'first'} one, ${attempts} times`,
                    hint: similarCallsHint,
                  }
                : undefined,
            );
          }
          return;
        }
      },
    );
  }
});

function isAnsweredCall(call: CallObservation): boolean {
  return toBeAnswered(call) === undefined;
}

async function holdCallsInOrder(kit: CheckKit): Promise<CallObservation[]> {
  const started = similarTo(kit);
  const first = await holdCall(kit, 'the first of two similar calls', { started });
  return [first, await holdCall(kit, 'the second of two similar calls', { started })];
}

/** The beginnings of two calls of one contact in one project. */
function alikeCalls(kit: CheckKit): [Partial<SessionStarted>, Partial<SessionStarted>] {
  const started = similarTo(kit);
  return [started, started];
}

/** The beginnings of two calls of different contacts and projects. */
function differentCalls(kit: CheckKit): [Partial<SessionStarted>, Partial<SessionStarted>] {
  return [similarTo(kit), similarTo(kit)];
}
