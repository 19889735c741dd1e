import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { ChatCase } from '../../harness/wire/chat-driver.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { isRefusal } from '../../harness/wire/answer-status.ts';
import { conclude } from '../matchers/expect.ts';
import { reliabilityCheck } from '../reliable-acceptance.ts';
import { addRemark } from '../remark.ts';
import { lateStalenessCheck } from '../signed-deliveries.ts';
import { watchUntilTheEnd } from '../watch-until-the-end.ts';
import { notDerivedReason } from '../wrong-secrets.ts';
import { collectAnswers } from './collect-answers.ts';
import { playConversation } from './conversation.ts';
import { generatedMessages } from './generated-messages.ts';
import { judgeHandBack } from './hand-back.ts';
import {
  nextMessage,
  notRefusedReason,
  refused,
  repeatedAfter409,
  repeatedReply,
  replayed,
  sentAsMessage,
} from './repeated-replies.ts';
import { judgeRepliesInOnePlace } from './replies-in-one-place.ts';
import { awaitReplies } from './replies.ts';
import { postRefused, refusedSignatures, signedMessages } from './signed-messages.ts';
import { judgeTimes } from './timed-messages.ts';

describe.concurrent('own-ai-chat until the end', () => {
  lateStalenessCheck(signedMessages);
  reliabilityCheck('own-ai-chat');

  check(
    'own-ai-chat/answers-in-time',
    'every message of a longer conversation is answered within timeoutSeconds',
    async (kit) => await judgeTimes(kit, await playConversation(kit), { areOfOne: true }),
  );

  check(
    'own-ai-chat/answers-in-time',
    'every generated message is answered within timeoutSeconds',
    async (kit) => await judgeTimes(kit, await generatedMessages(kit)),
  );

  check(
    'own-ai-chat/answers-after-hand-back',
    'a conversation that the team hands back is answered again',
    judgeHandBack,
  );

  check('own-ai-chat/drops-the-reply-after-409', 'a reply that was refused with 409 is not sent again', async (kit) => {
    const reply = await refused(kit, 409);
    const { observation } = reply;
    if (!reply.came) return kit.notExercised(notRefusedReason(reply));
    const next = await nextMessage(kit, reply);
    const refusal = repeatedAfter409(observation, next);
    if (!refusal) return kit.notExercised('No reply was refused with 409.');
    const watched = await watchUntilTheEnd(kit, refusal.refusedAt);
    const repeated = repeatedAfter409(observation, next) ?? refusal;
    const { first, refusedAt, again = sentAsMessage(kit, observation, repeated, next) } = repeated;
    const what = again?.label === first.label ? 'it again' : 'its text in a POST to /v1/messages';
    conclude(
      again ?? first,
      again && {
        expected: 'the reply to be dropped after 409 project_not_with_agent',
        received: `${what} after ${Math.round(again.at - refusedAt)} ms`,
        hint: '409 is not a temporary error: the team has the conversation.',
      },
    );
    addRemark(`Watched for ${watched} after the refusal, and it was not repeated.`);
  });

  check(
    'own-ai-chat/replayed-event-brings-no-second-reply',
    'an event that comes again causes no second reply',
    async (kit) => {
      const event = await replayed(kit);
      const watched = await watchUntilTheEnd(kit, event.answeredAt);
      const second = repeatedReply(event, kit.settings);
      conclude(
        second ?? event.first,
        second ? { expected: 'one reply to one event, though it came twice', received: 'a second reply' } : undefined,
      );
      addRemark(`Watched replyUrl for ${watched} after the second delivery.`);
    },
  );

  for (const signature of refusedSignatures) {
    check('own-ai-chat/refused-message-has-no-effect', `${signature.what} has no effect`, async (kit) => {
      const replies = await awaitReplies(kit);
      if (replies.length === 0) {
        return kit.notExercised('No accepted message led to a reply, so no effect of a refused one would be visible.');
      }
      const refused = await postRefused(kit, signature);
      if (!refused) return kit.notExercised(notDerivedReason);
      if (!isRefusal(refused.observation.answer)) {
        return kit.notExercised('It was not refused; another check judges that.');
      }
      const watched = await watchUntilTheEnd(kit, refused.answeredAt);
      const effect = effectOf(kit, refused.message);
      conclude(
        effect?.arrival ?? refused.observation,
        effect && {
          expected: `no effect of ${signature.what}, which was refused`,
          received: effect.what,
          hint: 'Verify the signature and the time before anything else runs, also before work is queued.',
        },
      );
      addRemark(`Watched replyUrl and API v1 for ${watched} after the refusal.`);
    });
  }

  check('own-ai-chat/answers-at-least-one-message', 'a message is answered, at once or later', async (kit) => {
    const { accepted, answer, textElsewhere, unknown, afterMs } = await collectAnswers(kit);
    const last = accepted.at(-1);
    if (!last) return kit.notExercised('No message was accepted.');
    if (!answer && unknown !== undefined) return kit.notExercised(unknown);
    conclude(
      answer ?? last,
      answer
        ? undefined
        : {
            expected: 'an answer to at least one message: a 200 with content, or a reply to replyUrl',
            received: `none to ${accepted.length} accepted messages within ${inSeconds(afterMs)} of the first one`,
            hint: textElsewhere ?? 'Staying quiet is permitted for a message, but this AI was quiet for all of them.',
          },
    );
  });

  check(
    'own-ai-chat/keeps-conversations-apart',
    'replies do not all go to the conversation of one message',
    judgeRepliesInOnePlace,
  );

  check('own-ai-chat/sends-text-when-asked', 'the AI sends text to the customer', async (kit) => {
    if (kit.settings.config.stimuli.chat?.answer === undefined) {
      return kit.notExercised('No stimuli.chat.answer is configured: a sentence that the AI answers.');
    }
    const { accepted, answer, text, textElsewhere, unknown, afterMs } = await collectAnswers(kit);
    const last = accepted.at(-1);
    if (!last) return kit.notExercised('No message was accepted.');
    if (!text && unknown !== undefined) return kit.notExercised(unknown);
    if (!answer) return kit.notExercised('No message was answered at all; another check judges that.');
    conclude(
      text ?? last,
      text
        ? undefined
        : {
            expected: 'text in at least one answer or reply, since stimuli.chat.answer is a sentence that is answered',
            received: `none in the answers to ${accepted.length} accepted messages within ${inSeconds(afterMs)} of the first one`,
            hint: textElsewhere,
          },
    );
  });
});

/** A request of the endpoint about the conversation of this message. */
function effectOf({ inbox }: CheckKit, { event, replies }: ChatCase): { what: string; arrival: Arrival } | undefined {
  const [reply] = replies.arrivals;
  if (reply) return { what: `a ${reply.request.method} to its replyUrl`, arrival: reply };
  const { projectId } = event.data as { projectId: number };
  const ofProject = new RegExp(`/projects/${projectId}/|"projectId":${projectId}\\b`);
  const effect = inbox.apiEffects.after(0).find(({ signature }) => ofProject.test(signature));
  return effect && { what: `a request to API v1 about its project: ${effect.signature}`, arrival: effect.arrival };
}

function inSeconds(ms: number): string {
  return `${Math.round(ms / 1000)} s`;
}
