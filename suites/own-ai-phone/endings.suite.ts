import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { quoted } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { endedInAnswer, greetsByItself, greetsReason, isLong, isUnderWay, longAnswer } from './slow-calls.ts';
import { interruptGraceMs, speechIn, completeAtOnceReason } from './speech.ts';
import { requireAnswer, requireAnswers } from './talk.ts';

describe.concurrent('own-ai-phone endings', () => {
  check('own-ai-phone/stops-at-session-ended', 'nothing is said after session.ended', async (kit) => {
    await requireAnswers(kit);
    const [whole, ended] = await Promise.all([longAnswer(kit), endedInAnswer(kit)]);
    if (await greetsByItself(kit)) kit.notExercised(greetsReason);
    const { observation, at, graceMs } = ended;
    const { frames } = observation;
    const since = frames[at]?.atMs ?? 0;
    const late = frames.findIndex(
      (frame, index) => index > at && frame.atMs - since > graceMs && speechIn(frame) !== '',
    );
    const frame = frames[late];
    if (!frame && (!isUnderWay(ended, whole) || !isLong(whole))) kit.notExercised(completeAtOnceReason);
    conclude(
      observation,
      frame && {
        expected: `nothing later than ${interruptGraceMs} ms after session.ended`,
        received: `${quoted(speechIn(frame))} after ${Math.round(frame.atMs - since)} ms`,
        frame: late,
        hint: 'Cancel the running generation at session.ended; the caller no longer hears it.',
      },
    );
  });

  check('own-ai-phone/closes-with-the-service', 'the connection comes down when the service closes it', async (kit) => {
    const call = await kit.phone.hold(
      { label: 'a call that the service closes', needsNoAnswer: true },
      async (held) => {
        await requireAnswer(kit, held);
        await held.end();
        return held.observation;
      },
    );
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
