import { describe } from 'vitest';
import { check } from '../../harness/check.ts';
import { currentRecord } from '../../harness/check-record.ts';
import { HarnessFault } from '../../harness/faults.ts';
import { limits } from '../../specs/limits.ts';
import { measuringErrorMs } from '../matchers/answer-matchers.ts';
import { sentenceOf } from '../matchers/call-matchers.ts';
import { conclude, expect } from '../matchers/expect.ts';

/** Calls one after the other whose set-up is timed, and sentences whose answers are. */
const inARow = 3;

describe.concurrent('own-ai-phone call times', () => {
  check(
    'own-ai-phone/connects-within-5-seconds',
    'a call is connected within 5 s',
    async ({ phone }) => {
      for (let at = 0; at < inARow; at++) {
        const call = await phone.ring('a call, timed', { limitMs: limits.phoneSetupMs });
        const { totalMs } = call.times;
        if (totalMs !== null) {
          currentRecord()?.samples.push({ name: 'own-ai-phone/set-up', limit: limits.phoneSetupMs, ms: totalMs });
        }
        expect(call).toBeConnectedInTime();
      }
    },
    { alone: true },
  );

  check(
    'own-ai-phone/answers-a-prompt',
    'the first sentence of a call is answered',
    async ({ phone, sample }) => {
      await phone.hold({ label: 'a call with one sentence' }, async (call) => {
        // Silence may be meant once; an AI that has a word for none of several plain sentences has none for a caller.
        for (let at = 0; at < inARow && call.isUp; at++) {
          const { outcome, pieces } = await call.ask(sample.callerSentence);
          if (outcome !== 'closed' || pieces > 0) break;
        }
        expect(call.observation).toBeAnswered();
        expect(call.observation).toHaveSaidSomething();
      });
    },
    { alone: true },
  );

  check(
    'own-ai-phone/first-piece-within-timeout',
    'the first piece of an answer comes within timeoutSeconds',
    async ({ phone, sample }) => {
      const { timeoutMs } = phone;
      await phone.hold({ label: 'sentences, timed' }, async (call) => {
        for (let at = 0; at < inARow && call.isUp; at++) {
          const answer = await call.ask(sample.callerSentence);
          const { firstPieceMs, lagMs, outcome } = answer;
          if (outcome === 'call-ended') {
            throw new HarnessFault('control-failed', 'Not timed: the call came down before it was answered.');
          }
          if (firstPieceMs !== null) {
            currentRecord()?.samples.push({ name: 'own-ai-phone/first-piece', limit: timeoutMs, ms: firstPieceMs });
          }
          const inTime = firstPieceMs !== null && firstPieceMs - lagMs - measuringErrorMs <= timeoutMs;
          conclude(
            call.observation,
            inTime
              ? undefined
              : {
                  expected: `the first piece of the answer to ${sentenceOf(call.observation, answer)} within ${timeoutMs} ms`,
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
