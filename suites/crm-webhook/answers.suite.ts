import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import type { CrmObservation } from '../../harness/crm-webhook.ts';
import { parseJson } from '../../harness/json.ts';
import { jsonObjectFinding } from '../json-object.ts';
import { judgeAll } from '../judgement.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { answerFacets } from './answer-facets.ts';
import { typicalAnswers } from './typical-answers.ts';

describe.concurrent('crm-webhook answers', () => {
  check('crm-webhook/answer-is-a-json-object', 'the body of a 200 answer is a JSON object', async (kit) => {
    let judged = 0;
    for (const observation of await answersOf(kit, 200)) {
      const { answer } = observation;
      if (answer.outcome !== 'answered') continue;
      judged++;
      const hint = answer.bodyBytes === 0 ? 'Nothing to add is answered 204.' : undefined;
      conclude(observation, jsonObjectFinding(answer.body, 'the body of a 200 answer', hint));
    }
    if (judged === 0) kit.notExercised('No event was answered 200.');
  });

  check('crm-webhook/no-content-has-no-body', 'a 204 answer has no body', async (kit) => {
    let judged = 0;
    for (const observation of await answersOf(kit, 204)) {
      judged++;
      expect(observation).toHaveNoBody();
    }
    if (judged === 0) kit.notExercised('No event was answered 204.');
  });

  for (const facet of answerFacets) {
    check(facet.requirement, `in 200 answers, ${facet.title}`, async (kit) => {
      const bodies = (await answersOf(kit, 200)).flatMap((exchange) => {
        const { answer, event } = exchange;
        if (answer.outcome !== 'answered') return [];
        const parsed = parseJson(answer.body);
        return 'error' in parsed ? [] : [{ exchange, body: { value: parsed.value, event } }];
      });
      judgeAll(kit, facet, bodies);
    });
  }
});

/** Every answer of the run with this status: typical events, and whatever else was delivered. */
async function answersOf(kit: CheckKit, status: 200 | 204): Promise<readonly CrmObservation[]> {
  await typicalAnswers(kit);
  // What goes on past our bound cannot be judged: the interface gives no size.
  return kit.crm.answeredNow.filter(
    ({ answer }) => answer.outcome === 'answered' && answer.status === status && !answer.truncated,
  );
}
