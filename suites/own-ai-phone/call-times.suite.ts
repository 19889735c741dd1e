import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallAnswer } from '../../harness/wire/observation.ts';
import { ownDelayFault, timelinessOf } from '../../harness/wire/timeliness.ts';
import { limits } from '../../specs/limits.ts';
import { recordTime, timed, untilCertain } from '../certain-time.ts';
import { labelSentence } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { silentReason } from './talk.ts';

/** Calls one after the other whose set-up is timed, and sentences whose answers are. */
const inARow = 3;

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
    { alone: true },
  );

  check(
    'own-ai-phone/first-piece-within-timeout',
    'the first piece of an answer comes within timeoutSeconds',
    async (kit) => {
      const { phone, sample } = kit;
      const { timeoutMs } = phone;
      const timeOf = ({ firstPieceMs, waitedMs, lagMs, proxyMs }: CallAnswer) => ({
        ms: firstPieceMs ?? waitedMs,
        lagMs,
        proxyMs,
        limitMs: timeoutMs,
      });
      if (await phone.silentCall()) kit.notExercised(silentReason);
      await phone.hold({ label: 'sentences, timed' }, async (call) => {
        for (let at = 0; at < inARow && call.isUp; at++) {
          const ask = () => call.ask(sample.callerSentence);
          const answer = await untilCertain(kit, ask, (one) => (call.isUp ? [timeOf(one)] : []));
          const { firstPieceMs, outcome } = answer;
          if (outcome === 'call-ended') {
            throw new HarnessFault('control-failed:ended-unanswered');
          }
          const time = timeOf(answer);
          if (firstPieceMs !== null) recordTime('own-ai-phone/first-piece', time);
          if (timelinessOf(time) === 'uncertain') throw ownDelayFault(time);
          conclude(
            call.observation,
            firstPieceMs !== null && timelinessOf(time) === 'in-time'
              ? undefined
              : {
                  expected: `the first piece of the answer to ${labelSentence(call.observation, answer)} within ${timeoutMs} ms`,
                  received:
                    firstPieceMs === null
                      ? `none within ${Math.round(answer.waitedMs)} ms`
                      : `the first one after ${Math.round(firstPieceMs)} ms`,
                  frame: answer.toFrame,
                },
          );
          if (firstPieceMs === null) return;
        }
      });
    },
    { alone: true },
  );
});
