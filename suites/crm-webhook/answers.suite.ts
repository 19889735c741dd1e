import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { parseJson } from '../../harness/checks/json.ts';
import type { Answered } from '../../harness/wire/observation.ts';
import { answersWith, bodyWith } from '../answer-bodies.ts';
import { judgeByteOrderMark, judgeJsonObject } from '../json-object.ts';
import { judgeAll, type JudgeableBody } from '../judgement.ts';
import { expect } from '../matchers/expect.ts';
import { crmAnswerAspects, type CrmAnswerBody } from './answer-aspects.ts';
import { typicalAnswers } from './typical-answers.ts';

describe.concurrent('crm-webhook answers', () => {
  check('crm-webhook/answer-is-a-json-object', 'the body of a 200 answer is a JSON object', async (kit) => {
    judgeAll(
      kit,
      {
        needs: 'No event was answered 200.',
        judge: (answer: Answered) => {
          const hint = answer.bodyBytes === 0 ? 'Answer 204 when there is nothing to add.' : undefined;
          return judgeJsonObject(answer, 'the body of a 200 answer', hint);
        },
      },
      answersWith(200, await everyAnswer(kit)),
    );
  });

  check('crm-webhook/no-byte-order-mark', 'the body of a 200 answer begins without a byte order mark', async (kit) => {
    judgeAll(
      kit,
      {
        needs: 'No event was answered 200 with a JSON object that has fields.',
        judge: (answer: Answered) => judgeByteOrderMark(answer, 'the body of a 200 answer'),
      },
      answersWith(200, await everyAnswer(kit)),
    );
  });

  check('crm-webhook/no-content-has-no-body', 'a 204 answer has no body', async (kit) => {
    let judged = 0;
    for (const observation of await everyAnswer(kit)) {
      if (observation.answer.outcome !== 'answered' || observation.answer.status !== 204) continue;
      judged++;
      expect(observation).toHaveNoBody();
    }
    if (judged === 0) kit.notExercised('No event was answered 204.');
  });

  for (const aspect of crmAnswerAspects) {
    check(aspect.requirement, `in 200 answers, ${aspect.title}`, async (kit) => {
      const bodies = (await everyAnswer(kit)).flatMap((exchange): JudgeableBody<CrmAnswerBody>[] => {
        const { answer, event } = exchange;
        const read = bodyWith(200, answer);
        if (!read) return [];
        if ('unread' in read) return [{ exchange, unread: read.unread }];
        const parsed = parseJson(read.body);
        return 'error' in parsed ? [] : [{ exchange, body: { value: parsed.value, event } }];
      });
      judgeAll(kit, aspect, bodies);
    });
  }
});

/** Every answer of the run: to typical events, and to all other deliveries. */
async function everyAnswer(kit: CheckKit): Promise<readonly CrmObservation[]> {
  await typicalAnswers(kit);
  return kit.crm.delivered;
}
