import { describe } from 'vitest';
import { apiKeyOf, keyHeaderOf } from '../../harness/wire/agent-replies.ts';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import { bodyOfArrival, judgeJsonObject, unreadBody, type ReceivedBody } from '../json-object.ts';
import { judgeAll } from '../judgement.ts';
import { notReadFault } from '../not-read-fault.ts';
import { conclude } from '../matchers/expect.ts';
import { chatAnswerAspects } from './answer-aspects.ts';
import { judgeTexts } from './repeated-replies.ts';
import { awaitReplies, bodiesOf, misdirectedReplies, noReplyReason, type ReplyArrival } from './replies.ts';

describe.concurrent('own-ai-chat replies', () => {
  check(
    'own-ai-chat/reply-uses-the-address-given',
    'a reply goes to replyUrl, or to the documented address of agent-replies',
    async (kit) => {
      const replies = await awaitReplies(kit);
      const elsewhere = misdirectedReplies(kit);
      if (replies.length + elsewhere.length === 0) kit.notExercised(noReplyReason);
      for (const arrival of elsewhere) {
        conclude(arrival, {
          expected: 'the reply at replyUrl',
          received: `a ${arrival.request.method} to ${arrival.request.url}`,
          hint: 'Use replyUrl from the event unchanged, or {base_url}/v1/projects/{id}/agent-replies with its projectId.',
        });
      }
      for (const { arrival } of replies) conclude(arrival, undefined);
    },
  );

  check('own-ai-chat/reply-is-a-post', 'a reply is a POST', async (kit) => {
    for (const { arrival } of await repliesTo(kit)) {
      const { method } = arrival.request;
      conclude(arrival, method === 'POST' ? undefined : { expected: 'a POST to replyUrl', received: method });
    }
  });

  check('own-ai-chat/reply-carries-the-api-key', 'a reply carries the API key of the inbox', async (kit) => {
    const { apiKey } = kit.settings.config.service;
    const replies = await repliesTo(kit);
    if (apiKey === undefined && replies.every(({ arrival }) => apiKeyOf(arrival.request) !== undefined)) {
      kit.notExercised('A key was sent, but without service.apiKey in the config it cannot be verified.');
    }
    for (const { arrival } of replies) {
      const key = apiKeyOf(arrival.request);
      const received =
        key === undefined
          ? 'neither'
          : apiKey !== undefined && key !== apiKey
            ? 'another key than service.apiKey'
            : undefined;
      conclude(
        arrival,
        received === undefined
          ? undefined
          : {
              expected: 'X-Api-Key, or Authorization: Bearer, with the API key',
              received,
              hint: 'Replies are API requests.',
              part: { header: keyHeaderOf(arrival.request) },
            },
      );
    }
  });

  check('own-ai-chat/reply-is-a-json-object', 'the body of a reply is a JSON object', async (kit) => {
    judgeAll(
      kit,
      { needs: noReplyReason, judge: (read: ReceivedBody) => judgeJsonObject(read, 'the body of a reply') },
      (await repliesTo(kit)).map(({ arrival }) => ({ exchange: arrival, body: bodyOfArrival(arrival) })),
    );
  });

  for (const aspect of chatAnswerAspects) {
    check(aspect.requirement, `in later replies, ${aspect.title}`, async (kit) => {
      const replies = await repliesTo(kit);
      const bodies = bodiesOf(replies).map(({ arrival, observation, value }) => ({
        exchange: arrival,
        body: { value, event: observation.event, skills: kit.chat.skills },
      }));
      judgeAll(kit, aspect, [...bodies, ...unreadReplies(replies)]);
    });
  }

  check('own-ai-chat/same-text-sent-once', 'one message is not answered twice with the same text', async (kit) => {
    // A refused reply did not take effect, so it may come again; an event that we sent twice may be answered twice.
    const replies = bodiesOf(await repliesTo(kit)).filter(
      ({ arrival, observation }) => arrival.response.status === 202 && !kit.chat.repeatable.has(observation.replies),
    );
    if (replies.length === 0) {
      const [unread] = unreadReplies(await repliesTo(kit));
      if (unread) throw notReadFault(unread.unread, unread.exchange);
      kit.notExercised('No reply that could be read was accepted.');
    }
    for (const { arrival, finding } of judgeTexts(replies)) conclude(arrival, finding);
  });
});

function unreadReplies(replies: readonly ReplyArrival[]): { exchange: Arrival; unread: string }[] {
  return replies.flatMap(({ arrival }) => {
    const unread = unreadBody(bodyOfArrival(arrival));
    return unread ? [{ exchange: arrival, ...unread }] : [];
  });
}

async function repliesTo(kit: CheckKit): Promise<ReplyArrival[]> {
  const replies = await awaitReplies(kit);
  if (replies.length === 0) endWithoutReply(kit);
  return replies;
}

/** Ends a check without a reply to judge; an incomplete reply is unknown. */
function endWithoutReply({ chat, notExercised }: CheckKit): never {
  for (const observation of chat.delivered) {
    const [begun] = observation.replies.unfinished;
    if (begun)
      throw notReadFault(
        `at replyUrl a body that had not ended after ${begun.bodyBytes} bytes, for the event sent`,
        observation,
      );
  }
  return notExercised(noReplyReason);
}
