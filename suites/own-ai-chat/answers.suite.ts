import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { ChatObservation } from '../../harness/wire/chat-driver.ts';
import type { Answered } from '../../harness/wire/observation.ts';
import { limits, smallKilobytes } from '../../specs/limits.ts';
import { answersWith, bodyWith, type JudgedAnswer } from '../answer-bodies.ts';
import { jsonObjectOf, judgeByteOrderMark, judgeJsonObject, unreadBody } from '../json-object.ts';
import { judgeAll, type JudgeableBody, type Judgement } from '../judgement.ts';
import { expect } from '../matchers/expect.ts';
import { chatAnswerAspects, type ReplyBody } from './answer-aspects.ts';
import { continueAfterEnd, playConversation } from './conversation.ts';
import { lostAnswer } from './lost-answer.ts';
import { handOverAfterLongHistory, typicalAnswers } from './typical-answers.ts';
import { judgeQuotes } from './whole-characters.ts';

const noBody = 'No message was answered 200 with a body.';

describe.concurrent('own-ai-chat answers', () => {
  check(
    'own-ai-chat/answers-messages',
    'every message of a longer conversation is answered with a 2xx status',
    async (kit) => {
      for (const answer of await playConversation(kit)) expect(answer).toBeAccepted();
    },
  );

  check(
    'own-ai-chat/answers-messages',
    'messages after the one that ends a request are answered with a 2xx status',
    async (kit) => {
      const messages = await continueAfterEnd(kit);
      if (!messages) return kit.notExercised('No stimuli.chat.end is configured.');
      for (const answer of messages) expect(answer).toBeAccepted();
    },
  );

  check('own-ai-chat/answer-is-a-json-object', 'the body of a 200 answer is a JSON object', async (kit) => {
    const hint = 'An answer without text is 204, or 200 without a body.';
    judgeAll(
      kit,
      { needs: noBody, judge: (answer: Answered) => judgeJsonObject(answer, 'the body of a 200 answer', hint) },
      await withBody(kit),
    );
  });

  check('own-ai-chat/no-byte-order-mark', 'the body of a 200 answer begins without a byte order mark', async (kit) => {
    judgeAll(
      kit,
      {
        needs: 'No message was answered 200 with a JSON object that has fields.',
        judge: (answer: Answered) => judgeByteOrderMark(answer, 'the body of a 200 answer'),
      },
      await withBody(kit),
    );
  });

  check('own-ai-chat/answer-within-64-kb', 'the body of an answer has at most 64 KB', async (kit) => {
    const bodies = (await withBody(kit)).map((one): JudgeableBody<Sized> => {
      // An answer that had not ended in time may have been over the limit by then.
      const { answer } = one.exchange;
      const begun = answer.outcome === 'no-answer' ? (answer.bodyBytes ?? 0) : 0;
      return begun > limits.ownAiAnswerBytes ? { exchange: one.exchange, body: { bodyBytes: begun } } : one;
    });
    judgeAll(kit, { needs: noBody, judge: (body: Sized) => withinBytes(body, limits.ownAiAnswerBytes) }, bodies);
  });

  check(
    'own-ai-chat/answer-within-64000-bytes',
    'the body of an answer keeps clear of the limit of 64 KB',
    async (kit) => {
      const inLimit = (answer: Answered) => answer.bodyBytes <= limits.ownAiAnswerBytes;
      judgeAll(
        kit,
        {
          needs: `No message was answered 200 with a body of at most ${limits.ownAiAnswerBytes} bytes.`,
          judge: (answer: Answered) => (inLimit(answer) ? withinBytes(answer, smallKilobytes) : 'nothing'),
        },
        await withBody(kit),
      );
    },
  );

  check('own-ai-chat/answer-is-not-in-202-or-204', 'an answer is not put into a 202 or 204', async (kit) => {
    const answers = await everyAnswer(kit);
    const judge = (answer: Answered) => {
      const lost = lostAnswer({ answer });
      if (lost === undefined) return unreadBody(answer) ?? true;
      return {
        expected: 'text or action in a 200 answer or a reply, where it is read',
        received: lost,
        hint: 'The body of a 202 or 204 is not read.',
        part: { status: true } as const,
      };
    };
    const later = [...answersWith(202, answers), ...answersWith(204, answers)];
    judgeAll(kit, { needs: 'No message was answered 202 or 204.', judge }, later);
  });

  check('own-ai-chat/keeps-characters-whole', 'a quote does not divide characters', judgeQuotes);

  for (const aspect of chatAnswerAspects) {
    check(aspect.requirement, `in 200 answers, ${aspect.title}`, async (kit) => {
      const bodies = (await everyAnswer(kit)).flatMap((exchange): JudgeableBody<ReplyBody>[] => {
        const { answer, event } = exchange;
        const read = bodyWith(200, answer);
        if (!read) return [];
        if ('unread' in read) return [{ exchange, unread: read.unread }];
        const value = jsonObjectOf(read.body);
        return value ? [{ exchange, body: { value, event, skills: kit.chat.skills } }] : [];
      });
      judgeAll(kit, aspect, bodies);
    });
  }
});

/** Every answer of the run: to typical messages, and to all other deliveries. */
async function everyAnswer(kit: CheckKit): Promise<readonly ChatObservation[]> {
  await Promise.all([typicalAnswers(kit), handOverAfterLongHistory(kit)]);
  return kit.chat.delivered;
}

/** Every 200 answer with a body, and those that may have one. */
async function withBody(kit: CheckKit): Promise<JudgedAnswer<ChatObservation>[]> {
  return answersWith(200, await everyAnswer(kit)).filter((one) => 'unread' in one || one.body.bodyBytes > 0);
}

type Sized = Pick<Answered, 'bodyBytes'>;

function withinBytes({ bodyBytes }: Sized, most: number): Judgement {
  return (
    bodyBytes <= most || {
      expected: `a body of at most ${most} bytes`,
      received: `${bodyBytes} bytes`,
      part: { body: [] },
    }
  );
}
