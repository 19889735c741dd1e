import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { Call } from '../../harness/wire/call.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { judgeEffectsAtOnce, judgeSimilarEffects } from '../judge-similar-effects.ts';
import { toBeAnswered } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { noEffectReason } from '../observed-effects.ts';
import { holdCall, isEffective, talk } from './effective-call.ts';
import { requirePlainCall } from './talk.ts';

/** A pair in which one call is not answered is made once more: an AI may have stayed quiet by chance. */
const attempts = 2;
const hint = 'Recognise a call by its callId (X-Svc-Call-Id) alone, not by contact, project, number or sentence.';
const oneCallReason = 'Calls at once are refused or mixed up, which is reported elsewhere.';
/** A sentence of an earlier call of the same contact. */
const earlierSentence = 'Hello, I have a question about my last invoice.';

describe.concurrent('own-ai-phone similar calls', () => {
  for (const atOnce of [false, true]) {
    const when = atOnce ? 'at once' : 'one after the other';
    check(
      'own-ai-phone/handles-similar-calls',
      `two calls of one contact in one project with the same sentence, ${when}, are each answered`,
      async (kit) => {
        await requirePlainCall(kit);
        if (atOnce && !kit.phone.acceptsConcurrentCalls) return kit.notExercised(oneCallReason);
        for (let attempt = 1; ; attempt++) {
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
                    hint,
                  }
                : undefined,
            );
          }
          return;
        }
      },
    );
  }

  check(
    'own-ai-phone/handles-similar-calls',
    'two calls of one contact in one project with the same sentence each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      await judgeSimilarEffects(kit, {
        what: 'calls of one contact in one project with the same sentence',
        other: () => holdCall(kit, 'another call'),
        pair: () => {
          const started = similarTo(kit);
          return {
            before: () => holdCall(kit, 'an earlier call of one contact', { started, sentence: earlierSentence }),
            first: () => holdCall(kit, 'the first of two similar calls', { started }),
            second: () => holdCall(kit, 'the second of two similar calls', { started }),
          };
        },
        hint,
      });
    },
    { alone: true },
  );

  check(
    'own-ai-phone/handles-similar-calls',
    'two calls of one contact in one project at once each have an effect',
    async (kit) => {
      if (!(await isEffective(kit))) return kit.notExercised(noEffectReason(kit));
      if (!kit.phone.acceptsConcurrentCalls) return kit.notExercised(oneCallReason);
      await judgeEffectsAtOnce(kit, {
        what: 'calls of one contact in one project at once',
        make: ({ alike }) => {
          const started = similarTo(kit);
          return {
            before: () => holdCall(kit, 'an earlier call of one contact', { started, sentence: earlierSentence }),
            single: () => holdCall(kit, 'one call of one contact', { started }),
            both: () => holdCallsAtOnce(kit, [started, alike ? started : similarTo(kit)]),
          };
        },
        hint,
      });
    },
    { alone: true },
  );
});

/** The common fields of the calls of one contact in one project. */
function similarTo({ sample }: CheckKit): Partial<SessionStarted> {
  const { contact, from, projectId } = sample.sessionStarted();
  return { contact, from, projectId };
}

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

/** Two calls at once, in each of which the same sentence is said at the same moment. */
async function holdCallsAtOnce(
  kit: CheckKit,
  [ofFirst, ofSecond]: readonly [Partial<SessionStarted>, Partial<SessionStarted>],
): Promise<CallObservation[]> {
  const neverAnswers = (await kit.phone.silentCall()) !== undefined;
  return await kit.phone.holdSeveral(2, async (dial) => {
    const first = await dial({ label: 'one of two calls at once', started: ofFirst, needsNoAnswer: neverAnswers });
    const second = await dialAlongside(kit, dial, {
      label: 'the other of two calls at once',
      started: ofSecond,
      needsNoAnswer: neverAnswers,
    });
    return await Promise.all([first, second].map((held) => talk(held, kit.sample.callerSentence, neverAnswers)));
  });
}

/** Dials a second call. How many calls an endpoint accepts is not stated, so it may also refuse one of the same number. */
async function dialAlongside(
  { notExercised }: CheckKit,
  dial: (options: HoldOptions) => Promise<Call>,
  options: HoldOptions,
): Promise<Call> {
  try {
    return await dial(options);
  } catch (error) {
    if (!(error instanceof HarnessFault) || error.code !== 'control-failed') throw error;
    return notExercised('The endpoint accepted no second call of this number alongside the first one.');
  }
}
