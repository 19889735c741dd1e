import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { RequirementId } from '../../specs/requirements/catalogue.ts';
import { expect } from '../matchers/expect.ts';
import { settleMs } from './speech.ts';
import { expectToContinueAfter, requireAnswer, requireAnswers } from './talk.ts';

const aDigit = { type: 'dtmf', digit: '1' };

describe.concurrent('own-ai-phone sentences', () => {
  for (const digits of ['5', '0123456789*#']) {
    check('own-ai-phone/takes-dtmf', `a caller who presses ${digits} is answered afterwards`, async (kit) => {
      await expectToContinueAfter(kit, { label: `a caller who presses ${digits}` }, async (call) => {
        for (const digit of digits) call.press(digit);
        await call.settle(settleMs);
      });
    });
  }

  check(
    'own-ai-phone/answers-after-interrupt',
    'a sentence that arrives together with an interrupt is answered',
    async (kit) => {
      await requireAnswers(kit);
      await expectToContinueAfter(kit, { label: 'an interrupt and a sentence that arrive together' }, async (call) => {
        let said = 0;
        call.together(() => {
          call.interrupt();
          said = call.speak(kit.sample.callerSentence);
        });
        await call.answer(said);
        expect(call.observation).toBeAnswered();
      });
    },
  );

  const interrupt = { type: 'interrupt', spokenUntilInterrupt: '' };
  const laterFrame = deviating({ type: 'caller.mood', mood: 'calm' }, '');
  const unknown: readonly [requirement: RequirementId, what: string, frame: object, known?: object][] = [
    ['own-ai-phone/ignores-unknown-frames', 'a type of frame', laterFrame],
    ['own-ai-phone/ignores-unknown-frames', 'a type of prompt', deviating({ type: 'prompt.partial', text: 'Hel' }, '')],
    ['own-ai-phone/ignores-unknown-members', 'a field of dtmf', { ...aDigit, heldMs: 80 }, aDigit],
    ['own-ai-phone/ignores-unknown-members', 'a field of interrupt', { ...interrupt, atMs: 9 }, interrupt],
    ['own-ai-phone/ignores-unknown-values', 'a digit', deviating({ type: 'dtmf', digit: 'A' }, '/digit'), aDigit],
  ];
  for (const [requirement, what, frame, known] of unknown) {
    check(requirement, `${what} that came later is ignored`, async (kit) => {
      await expectToContinueAfter(kit, { label: `${what} that came later` }, async (call) => {
        if (known) {
          call.send(known);
          await call.settle(settleMs);
          // Whether the known form of the frame is accepted is judged elsewhere.
          await requireAnswer(kit, call);
        }
        call.send(frame);
        await call.settle(settleMs);
      });
    });
  }

  check(
    'own-ai-phone/ignores-unknown-frames',
    'a sentence is answered although a type of frame that came later follows it',
    async (kit) => {
      await requireAnswers(kit);
      await expectToContinueAfter(kit, { label: 'a type of frame that came later, after a sentence' }, async (call) => {
        const said = call.speak(kit.sample.callerSentence);
        call.send(laterFrame);
        await call.answer(said);
        expect(call.observation).toBeAnswered();
      });
    },
  );

  check('own-ai-phone/ignores-unknown-members', 'unknown fields of a prompt are ignored', async (kit) => {
    await requireAnswers(kit);
    await expectToContinueAfter(kit, { label: 'unknown fields in a prompt' }, async (call) => {
      const prompt = {
        type: 'prompt',
        text: kit.sample.callerSentence,
        confidence: 0.93,
        words: [{ at: 0, word: 'Hello' }],
      };
      await call.answer(call.send(prompt));
      expect(call.observation).toBeAnswered();
    });
  });
});
