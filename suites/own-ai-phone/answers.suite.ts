import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { answerFinding, toBeAnswered, toHaveSpoken, toStayUp } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { hasAnswered, isSpoken, meaningsAfterPrompts } from './heard-answers.ts';
import { longCalls, sentences } from './long-calls.ts';
import { plainCall, requireAnswers, requirePlainCall } from './talk.ts';
import { typicalCalls } from './typical-calls.ts';

describe.concurrent('own-ai-phone answers', () => {
  check('own-ai-phone/answers-a-prompt', 'sentences of callers are answered', async (kit) => {
    const plain = await plainCall(kit);
    const answered = await answeredCall(kit);
    if (answered) return conclude(answered, undefined);
    conclude(plain, toBeAnswered(plain) ?? toHaveSpoken(plain) ?? toStayUp(plain));
  });

  check('own-ai-phone/answers-the-first-prompt', 'the first sentence of a call is answered', async (kit) => {
    await requireAnswers(kit);
    const { lostFirstSentence: lost } = kit.phone;
    const [answer] = lost?.answers ?? [];
    conclude(lost ?? (await plainCall(kit)), lost && answer && answerFinding(lost, answer));
  });

  check(
    'own-ai-phone/speaks-to-the-caller',
    'the sentence that asks for an answer is answered by speech',
    async (kit) => {
      if (kit.settings.config.stimuli.phone?.answer === undefined) kit.notExercised(noSentence);
      const plain = await plainCall(kit);
      if (!(await answeredCall(kit))) kit.notExercised('No sentence at all is answered; another check reports that.');
      const spoken = kit.phone.calls.find((call) => meaningsAfterPrompts(call).some(isSpoken));
      conclude(
        spoken ?? plain,
        spoken
          ? undefined
          : {
              expected: 'speech in answer to some sentence of the run',
              received: 'actions and skills only, none with words',
              hint: 'The caller hears what is in text, or token, of a frame.',
            },
      );
    },
  );

  check('own-ai-phone/closes-each-answer', 'each answer is closed by a piece with last: true', async (kit) => {
    const calls = await longCalls(kit);
    const hasSpeech = calls.some(({ answers }) => answers.some(({ pieces }) => pieces > 0));
    if (!hasSpeech) kit.notExercised('No sentence was answered by speech.');
    for (const call of calls) expect(call).toHaveClosedItsAnswers();
  });

  for (const nth of [2, sentences]) {
    check('own-ai-phone/answers-later-prompts', `sentence ${nth} of a call is answered`, async (kit) => {
      await requirePlainCall(kit);
      const calls = await longCalls(kit);
      const observation = calls.find(({ answers }) => answers.length >= nth) ?? calls.at(-1);
      if (!observation) throw new TypeError('No call was held.');
      const { length } = observation.answers;
      const { outcome } = observation.answers.at(-1) ?? {};
      if (length < nth && (outcome === 'action' || outcome === 'skill') && toStayUp(observation) === undefined) {
        kit.notExercised(`The AI ended the call or put the caller through at sentence ${length}.`);
      }
      expect(observation).toHaveAnswered(nth);
    });
  }

  check('own-ai-phone/keeps-the-call-open', 'a call of many sentences stays up', async (kit) => {
    for (const call of await longCalls(kit)) expect(call).toStayUp();
  });
});

const noSentence = 'Set stimuli.phone.answer in the config to a sentence that the AI answers by speech.';

/** A call in which some sentence was answered; every sentence of the config is tried before there is none. */
async function answeredCall(kit: CheckKit) {
  const find = () => kit.phone.calls.find(hasAnswered);
  const known = find();
  if (known) return known;
  try {
    await typicalCalls(kit);
  } catch (error) {
    // A sentence that could not be said was not answered either; the plain call is judged then.
    if (!(error instanceof HarnessFault)) throw error;
  }
  return find();
}
