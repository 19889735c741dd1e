import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallAnswer, CallObservation } from '../../harness/wire/observation.ts';
import { ownDelayFault, timelinessOf, type MeasuredTime } from '../../harness/wire/timeliness.ts';
import { limits } from '../../specs/limits.ts';
import { lateFirst, recordTime, timed, untilCertain } from '../certain-time.ts';
import { labelSentence } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { withoutTraffic } from '../without-traffic.ts';
import { silentReason } from './talk.ts';

/** Number of consecutive calls whose set-up is timed, and of sentences in one call whose answers are timed. */
const inARow = 3;
/** Number of timed sentences if each answer lasts seconds, since no other call may run meanwhile. */
const inARowIfLong = 2;

describe.concurrent('own-ai-phone call times', () => {
  check(
    'own-ai-phone/connects-within-5-seconds',
    'a call is connected within 5 s',
    async (kit) => {
      for (let at = 0; at < inARow; at++) {
        const ring = () => kit.phone.ring('a call, timed', { limitMs: limits.phoneSetupMs });
        expect(await timed(kit, 'own-ai-phone/set-up', ring)).toBeConnectedInTime();
      }
    },
    { alone: 'surface-first' },
  );

  check(
    'own-ai-phone/first-piece-within-timeout',
    'the first piece of an answer comes within timeoutSeconds',
    async (kit) => {
      if (await kit.phone.silentCall()) kit.notExercised(silentReason);
      await withoutTraffic(kit, () => judgeFirstPieces(kit), 'surface-first');
    },
  );
});

async function judgeFirstPieces(kit: CheckKit): Promise<void> {
  const { timeoutMs } = kit.phone;
  const judgedTime = (answer: CallAnswer) => (answer.outcome === 'call-ended' ? undefined : timeOf(answer, timeoutMs));
  const call = await untilCertain(
    kit,
    () => timeSentences(kit),
    ({ answers }) => answers.map(judgedTime),
  );
  if (call.answers.length === 0) throw new HarnessFault('control-failed:ended-unanswered');
  for (const answer of lateFirst(call.answers, judgedTime)) {
    const { firstPieceMs } = answer;
    if (answer.outcome === 'call-ended') throw new HarnessFault('control-failed:ended-unanswered');
    const time = timeOf(answer, timeoutMs);
    if (firstPieceMs !== null) recordTime('own-ai-phone/first-piece', time);
    if (timelinessOf(time) === 'uncertain') throw ownDelayFault(time);
    conclude(
      call,
      firstPieceMs !== null && timelinessOf(time) === 'in-time'
        ? undefined
        : {
            expected: `the first piece of the answer to ${labelSentence(call, answer)} within ${timeoutMs} ms`,
            received:
              firstPieceMs === null
                ? `none within ${Math.round(answer.waitedMs)} ms`
                : `the first one after ${Math.round(firstPieceMs)} ms`,
            frame: answer.toFrame,
          },
    );
  }
}

/** A call of several sentences; of the last answer, only the beginning is heard. */
function timeSentences({ phone, sample }: CheckKit): Promise<CallObservation> {
  return phone.hold({ label: 'sentences, timed' }, async (call) => {
    for (let nth = 1; call.isUp; nth++) {
      const isLast = nth === (phone.speaksLong ? inARowIfLong : inARow);
      const said = call.speak(sample.callerSentence);
      const { outcome } = await (isLast ? call.answerStart(said) : call.answer(said));
      if (isLast || outcome === 'nothing') break;
    }
    return call.observation;
  });
}

function timeOf({ firstPieceMs, waitedMs, lagMs, proxyMs }: CallAnswer, limitMs: number): MeasuredTime {
  return { ms: firstPieceMs ?? waitedMs, lagMs, proxyMs, limitMs };
}
