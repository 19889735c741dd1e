import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/check.ts';
import type { ChatObservation } from '../../harness/own-ai-chat.ts';
import { limits } from '../../specs/limits.ts';
import { jsonObjectFinding, jsonObjectOf } from '../json-object.ts';
import { judgeAll } from '../judgement.ts';
import { conclude } from '../matchers/expect.ts';
import { answerFacets } from './answer-facets.ts';
import { lostAnswer } from './lost-answer.ts';
import { typicalAnswers } from './typical-answers.ts';

/** Bytes from which on an answer is close to the limit: 64 KB may also be read as 64,000 bytes. */
const closeToLimitBytes = 64_000;
const noBody = 'No message was answered 200 with a body.';

describe.concurrent('own-ai-chat answers', () => {
  check('own-ai-chat/answer-is-a-json-object', 'the body of a 200 answer is a JSON object', async (kit) => {
    // What goes on past the limit cannot be read whole; its size is a requirement of its own.
    const whole = (await withBody(kit)).filter(({ answer }) => answer.outcome === 'answered' && !answer.truncated);
    if (whole.length === 0) kit.notExercised('Every answer was too large to be read whole.');
    for (const observation of whole) {
      const { answer } = observation;
      if (answer.outcome !== 'answered') continue;
      const hint = 'An answer without a text is 204, or 200 without a body.';
      conclude(observation, jsonObjectFinding(answer.body, 'the body of a 200 answer', hint));
    }
  });

  check('own-ai-chat/answer-within-64-kb', 'the body of an answer has at most 64 KB', async (kit) => {
    for (const observation of await withBody(kit)) {
      const { answer } = observation;
      if (answer.outcome !== 'answered') continue;
      conclude(
        observation,
        answer.bodyBytes <= limits.ownAiAnswerBytes
          ? undefined
          : {
              expected: `a body of at most ${limits.ownAiAnswerBytes} bytes`,
              received: `${answer.truncated ? 'more than ' : ''}${answer.bodyBytes} bytes`,
              part: { body: [] },
            },
      );
    }
  });

  check(
    'own-ai-chat/answer-within-64000-bytes',
    'the body of an answer keeps clear of the limit of 64 KB',
    async (kit) => {
      const inLimit = (await withBody(kit)).filter(
        ({ answer }) => answer.outcome === 'answered' && answer.bodyBytes <= limits.ownAiAnswerBytes,
      );
      if (inLimit.length === 0) kit.notExercised(noBody);
      for (const observation of inLimit) {
        const { answer } = observation;
        const bytes = answer.outcome === 'answered' ? answer.bodyBytes : 0;
        conclude(
          observation,
          bytes <= closeToLimitBytes
            ? undefined
            : {
                expected: `a body of at most ${closeToLimitBytes} bytes`,
                received: `${bytes} bytes`,
                part: { body: [] },
              },
        );
      }
    },
  );

  check('own-ai-chat/answer-is-not-in-202-or-204', 'an answer is not put into a 202 or 204', async (kit) => {
    const later = (await everyAnswer(kit)).filter(
      ({ answer }) => answer.outcome === 'answered' && (answer.status === 202 || answer.status === 204),
    );
    if (later.length === 0) kit.notExercised('No message was answered 202 or 204.');
    for (const observation of later) {
      const lost = lostAnswer(observation);
      conclude(
        observation,
        lost === undefined
          ? undefined
          : {
              expected: 'a text or action in a 200 answer or a reply, where it counts',
              received: lost,
              hint: 'The body of a 202 or 204 is not read.',
              part: { status: true },
            },
      );
    }
  });

  for (const facet of answerFacets) {
    check(facet.requirement, `in 200 answers, ${facet.title}`, async (kit) => {
      const bodies = (await everyAnswer(kit)).flatMap((exchange) => {
        const { answer, event } = exchange;
        if (answer.outcome !== 'answered' || answer.status !== 200) return [];
        const value = jsonObjectOf(answer.body);
        return value ? [{ exchange, body: { value, event, skills: kit.chat.skills } }] : [];
      });
      judgeAll(kit, facet, bodies);
    });
  }
});

/** Every answer of the run: to typical messages, and to whatever else was delivered. */
async function everyAnswer(kit: CheckKit): Promise<readonly ChatObservation[]> {
  await typicalAnswers(kit);
  return kit.chat.delivered;
}

async function withBody(kit: CheckKit): Promise<ChatObservation[]> {
  const answers = (await everyAnswer(kit)).filter(
    ({ answer }) => answer.outcome === 'answered' && answer.status === 200 && answer.bodyBytes > 0,
  );
  if (answers.length === 0) kit.notExercised(noBody);
  return answers;
}
