import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { lateSpeech } from './late-speech.ts';
import {
  closedByService,
  endedInAnswer,
  greetsByItself,
  greetsReason,
  isLong,
  isUnderWay,
  longAnswer,
} from './slow-calls.ts';
import { completeAtOnceReason } from './speech.ts';
import { judgeSameCallId, takeover, takeoverReasons } from './takeovers.ts';
import { requireAnswers, requirePlainCall } from './talk.ts';

describe.concurrent('own-ai-phone endings', () => {
  check('own-ai-phone/stops-at-session-ended', 'nothing is said after session.ended', async (kit) => {
    await requireAnswers(kit);
    const [whole, ended] = await Promise.all([longAnswer(kit), endedInAnswer(kit)]);
    if (await greetsByItself(kit)) kit.notExercised(greetsReason);
    const finding = lateSpeech(ended);
    if (!finding && (!isUnderWay(ended, whole) || !isLong(whole))) kit.notExercised(completeAtOnceReason);
    conclude(ended.observation, finding);
  });

  for (const reason of takeoverReasons) {
    const title = `after a takeover that ended in ${reason}`;
    check('own-ai-phone/goes-on-after-failed-takeover', `a call that comes back ${title} continues`, async (kit) => {
      await requirePlainCall(kit);
      const { after } = await takeover(kit, reason);
      expect(after).toStayUp();
      // An action, such as ending the call, is an answer too.
      if (after.answers.length > 0) expect(after).toBeAnswered();
    });
  }

  check(
    'own-ai-phone/goes-on-after-takeover-with-the-same-id',
    'a call that comes back after a takeover with the same call id continues',
    async (kit) => {
      await requirePlainCall(kit);
      await judgeSameCallId(kit);
    },
  );

  check('own-ai-phone/stops-at-session-ended', 'nothing is said while the team takes a call over', async (kit) => {
    await requirePlainCall(kit);
    for (const reason of takeoverReasons) {
      const { before } = await takeover(kit, reason);
      conclude(before.observation, lateSpeech(before));
    }
  });

  check('own-ai-phone/closes-with-the-service', 'the connection comes down when the service closes it', async (kit) => {
    const call = await closedByService(kit);
    const { end } = call;
    conclude(
      call,
      end?.clean === true
        ? undefined
        : {
            expected: 'the closing of the connection to be answered',
            received: `nothing for ${Math.round((end?.atMs ?? 0) - (call.frames.at(-1)?.atMs ?? 0))} ms, until we cut it`,
            frame: call.frames.length - 1,
            hint: 'Answer a WebSocket close frame with one, which every library does as long as its loop is not blocked.',
          },
    );
  });
});
