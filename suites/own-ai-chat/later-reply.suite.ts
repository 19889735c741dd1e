import { describe } from 'vitest';
import { apiKeyOf } from '../../harness/agent-replies.ts';
import { check, type CheckKit } from '../../harness/check.ts';
import { isJsonObject, parseJson } from '../../harness/json.ts';
import { judgeAll } from '../judgement.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { answerFacets } from './answer-facets.ts';
import { askForLater, awaitReplies, bodiesOf, firstReply, misdirected, type ReplyArrival } from './replies.ts';
import { say } from './typical-answers.ts';

const noReply = 'No later reply came. With stimuli.chat.async in the config a sentence can ask for one.';

/** Milliseconds that a slow answer to a reply takes: long beside any usual one, short beside a client's time limit. */
const slowAnswerMs = 1_200;

describe.concurrent('own-ai-chat later replies', () => {
  check('own-ai-chat/reply-uses-the-address-given', 'a reply goes to replyUrl exactly as given', async (kit) => {
    const replies = await awaitReplies(kit);
    const elsewhere = misdirected(kit);
    if (replies.length + elsewhere.length === 0) kit.notExercised(noReply);
    for (const arrival of elsewhere) {
      conclude(arrival, {
        expected: 'the reply at replyUrl exactly as given',
        received: `a ${arrival.request.method} to ${arrival.request.url}`,
        hint: 'Take replyUrl from the event as it is; do not build it from a base address and the project id.',
      });
    }
    for (const { arrival } of replies) conclude(arrival, undefined);
  });

  check('own-ai-chat/reply-is-a-post', 'a reply is a POST', async (kit) => {
    for (const { arrival } of await cameTo(kit)) {
      const { method } = arrival.request;
      conclude(arrival, method === 'POST' ? undefined : { expected: 'a POST to replyUrl', received: method });
    }
  });

  check('own-ai-chat/reply-carries-the-api-key', 'a reply carries the API key of the inbox', async (kit) => {
    const { apiKey } = kit.settings.config.service;
    for (const { arrival } of await cameTo(kit)) {
      const key = apiKeyOf(arrival.request);
      const received =
        key === undefined ? 'neither' : apiKey !== undefined && key !== apiKey ? 'another key than service.apiKey' : undefined;
      conclude(
        arrival,
        received === undefined
          ? undefined
          : { expected: 'X-Api-Key, or Authorization: Bearer, with the API key', received, hint: 'Replies are API requests.' },
      );
    }
  });

  check('own-ai-chat/reply-is-a-json-object', 'the body of a reply is a JSON object', async (kit) => {
    for (const { arrival } of await cameTo(kit)) {
      const parsed = parseJson(arrival.request.body);
      const value = 'error' in parsed ? undefined : parsed.value;
      conclude(
        arrival,
        isJsonObject(value)
          ? undefined
          : { expected: 'a JSON object as the body of a reply', received: 'error' in parsed ? parsed.error : JSON.stringify(value) },
      );
    }
  });

  for (const facet of answerFacets) {
    check(facet.requirement, `in later replies, ${facet.title}`, async (kit) => {
      const bodies = bodiesOf(await cameTo(kit)).map(({ arrival, observation, value }) => ({
        exchange: arrival,
        body: { value, event: observation.event, skills: kit.chat.skills },
      }));
      judgeAll(kit, facet, bodies);
    });
  }

  check('own-ai-chat/same-text-sent-once', 'one message is not answered twice with the same text', async (kit) => {
    const replies = bodiesOf(await cameTo(kit));
    const seen = new Map<object, string[]>();
    for (const { arrival, observation, value } of replies) {
      const texts = seen.get(observation.replies) ?? textOfAnswer(observation.answer);
      const text = typeof value.text === 'string' ? value.text : '';
      conclude(
        arrival,
        text !== '' && texts.includes(text)
          ? { expected: 'each text once for one message', received: `${JSON.stringify(text.slice(0, 80))} again` }
          : undefined,
      );
      seen.set(observation.replies, [...texts, text]);
    }
  });

  check('own-ai-chat/replayed-event-brings-no-second-reply', 'an event that comes again brings no second reply', async (kit) => {
    const { chat, settings } = kit;
    const first = await askForLater(kit, 'a message to be answered later');
    if (!(await firstReply(kit, first))) return kit.notExercised(noReply);
    const before = first.replies.arrivals.length;
    const { delivery } = chat.reopen(first);
    await chat.post(delivery, { label: 'the same event again' });
    await first.replies.atLeast(before + 1, { withinMs: settings.retryWatchMs });
    const [, second] = first.replies.arrivals;
    conclude(second ?? first, second ? { expected: 'one reply to one event, though it came twice', received: 'a second reply' } : undefined);
  });

  check('own-ai-chat/drops-the-reply-after-409', 'a reply that was refused with 409 is not sent again', async (kit) => {
    const { observation, came } = await refused(kit, 409);
    if (!came) return kit.notExercised(noReply);
    const [, second] = observation.replies.arrivals;
    conclude(
      second ?? observation,
      second
        ? {
            expected: 'the reply to be dropped after 409 project_not_with_agent',
            received: `it again after ${Math.round(second.at - (observation.replies.arrivals[0]?.at ?? second.at))} ms`,
            hint: '409 is no passing fault: the team has the conversation.',
          }
        : undefined,
    );
  });

  for (const status of [404, 409, 422] as const) {
    check('own-ai-chat/stays-well-after-a-refused-reply', `messages are answered after a reply was refused with ${status}`, async (kit) => {
      const { came } = await refused(kit, status);
      if (!came) return kit.notExercised(noReply);
      expect(await say(kit, `a message after a reply was refused with ${status}`)).toBeAccepted();
    });
  }

  check('own-ai-chat/stays-well-while-a-reply-is-slow', 'messages are answered while the answer to a reply is slow', async (kit) => {
    const replies = { afterMs: slowAnswerMs };
    const observation = await askForLater(kit, 'a message whose reply is answered slowly', { replies });
    if (!(await firstReply(kit, observation))) return kit.notExercised(noReply);
    expect(await say(kit, 'a message while the answer to a reply is slow')).toBeAccepted();
  });
});

async function cameTo(kit: CheckKit): Promise<ReplyArrival[]> {
  const replies = await awaitReplies(kit);
  if (replies.length === 0) kit.notExercised(noReply);
  return replies;
}

/** A message whose reply is refused, after the time in which it must not come again. */
function refused(kit: CheckKit, refuse: 404 | 409 | 422) {
  return once(kit.session, `chat refused ${refuse}`, async () => {
    const observation = await askForLater(kit, `a message whose reply is refused with ${refuse}`, { replies: { refuse } });
    const came = (await firstReply(kit, observation)) !== undefined;
    if (came) await observation.replies.atLeast(2, { withinMs: kit.settings.retryWatchMs });
    return { observation, came };
  });
}

function textOfAnswer(answer: ReplyArrival['observation']['answer']): string[] {
  if (answer.outcome !== 'answered' || answer.status !== 200) return [];
  const parsed = parseJson(answer.body);
  if ('error' in parsed || !isJsonObject(parsed.value)) return [];
  const { text } = parsed.value;
  return typeof text === 'string' && text !== '' ? [text] : [];
}
