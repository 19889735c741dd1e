import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { sayIn, situations } from './situations.ts';
import { judgeTime } from './timed-messages.ts';
import { saySentence, sentenceNames } from './typical-answers.ts';

describe.concurrent('own-ai-chat situation times', () => {
  for (const situation of situations) {
    check('own-ai-chat/answers-in-time', `${situation.name} is answered within timeoutSeconds`, async (kit) => {
      await judgeTime(kit, await sayIn(kit, situation));
    });
  }

  for (const name of sentenceNames) {
    check(
      'own-ai-chat/answers-in-time',
      `the sentence stimuli.chat.${name} is answered within timeoutSeconds`,
      async (kit) => {
        const message = await saySentence(kit, name);
        if (!message) return kit.notExercised(`No stimuli.chat.${name} is configured.`);
        await judgeTime(kit, message);
      },
    );
  }
});
