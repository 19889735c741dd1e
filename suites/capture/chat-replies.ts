import type { Capture, CapturedDelivery } from '../../harness/capture/capture.ts';
import { apiKeyOf, keyHeaderOf } from '../../harness/wire/agent-replies.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Arrival } from '../../harness/wire/observation.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import type { Skill } from '../../specs/generated/types.ts';
import { jsonObjectFinding, jsonObjectOf } from '../json-object.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { chatAnswerAspects } from '../own-ai-chat/answer-aspects.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { knowsSkills, offeredBy, skillsIn } from './recorded-skills.ts';

const noReply = 'The recording has no later reply to a message that it has, too.';

/** A later reply and the latest message of its conversation. */
interface RecordedReply {
  arrival: Arrival;
  delivery: CapturedDelivery;
}

/** Rules about recorded agent-replies (interface: Own-AI chat event, API v1). */
export const chatReplyRules: readonly CaptureRule[] = [
  {
    requirement: 'own-ai-chat/reply-uses-the-address-given',
    title: 'a reply goes to replyUrl, or to the documented address of agent-replies',
    needs: noReply,
    judge: (capture) => [
      ...capture.misdirectedReplies.map((exchange) => ({
        exchange,
        finding: {
          expected: 'the reply at replyUrl',
          received: `a ${exchange.request.method} to ${exchange.request.url}`,
          hint: 'Use replyUrl from the event unchanged, or {base_url}/v1/projects/{id}/agent-replies with its projectId.',
        },
      })),
      ...replies(capture).map(({ arrival }) => ({ exchange: arrival })),
    ],
  },
  {
    requirement: 'own-ai-chat/reply-is-a-post',
    title: 'a reply is a POST',
    needs: noReply,
    judge: (capture) =>
      replies(capture).map(({ arrival: exchange }) => {
        const { method } = exchange.request;
        return {
          exchange,
          finding: method === 'POST' ? undefined : { expected: 'a POST to replyUrl', received: method },
        };
      }),
  },
  {
    requirement: 'own-ai-chat/reply-carries-the-api-key',
    title: 'a reply carries the API key of the inbox',
    needs: `${noReply} Its key can be judged only if service.apiKey is in the config.`,
    judge: (capture, config) => replies(capture).flatMap(({ arrival }) => keyOf(arrival, capture, config)),
  },
  {
    requirement: 'own-ai-chat/reply-is-a-json-object',
    title: 'the body of a reply is a JSON object',
    needs: noReply,
    judge: (capture) =>
      whole(capture).map(({ arrival: exchange }) => ({
        exchange,
        finding: jsonObjectFinding(exchange.request.body, 'the body of a reply'),
      })),
  },
  ...chatAnswerAspects.map((facet): CaptureRule => ({
    requirement: facet.requirement,
    title: `in later replies ${facet.title}`,
    needs: `${noReply} ${facet.needs}`,
    judge: (capture, config) =>
      whole(capture).flatMap(({ arrival, delivery }): CaptureJudged[] => {
        const value = jsonObjectOf(arrival.request.body);
        const event = conversationOf(delivery, capture);
        if (!value || !event || !knowsSkills(facet.requirement, config)) return [];
        const judgement = facet.judge({ value, event, skills: skillsIn(capture, config) });
        if (judgement === 'nothing') return [];
        return [{ exchange: arrival, finding: judgement === true ? undefined : judgement }];
      }),
  })),
  {
    requirement: 'own-ai-chat/same-text-sent-once',
    title: 'one message is not answered twice with the same text',
    needs: 'The recording has no readable accepted reply to a message that is known to be the only one open.',
    judge: ({ chat }) => onlyMessages(chat).flatMap(sameTexts),
  },
  {
    requirement: 'own-ai-chat/drops-the-reply-after-409',
    title: 'a reply that was refused with 409 is not sent again',
    needs: 'The recording has no reply that was refused with 409.',
    judge: (capture) =>
      capture.chat.flatMap(({ later }) =>
        later.flatMap((refused, at): CaptureJudged[] => {
          if (refused.response.status !== 409 || refused.truncated) return [];
          const again = later
            .slice(at + 1)
            .find((other) => Buffer.compare(other.request.body, refused.request.body) === 0);
          if (!again) return [{ exchange: refused }];
          return [
            {
              exchange: again,
              beside: refused,
              finding: {
                expected: 'the reply to be dropped after 409 project_not_with_agent',
                received: `it again after ${Math.round(again.at - refused.at)} ms`,
                hint: '409 is not a temporary error: the team has the conversation.',
              },
            },
          ];
        }),
      ),
  },
];

function replies({ chat }: Capture): RecordedReply[] {
  return chat.flatMap((delivery) =>
    delivery.later.filter(({ request }) => request.method !== 'OPTIONS').map((arrival) => ({ arrival, delivery })),
  );
}

/** Replies whose body the recording has. */
function whole(capture: Capture): RecordedReply[] {
  return replies(capture).filter(({ arrival }) => arrival.request.method === 'POST' && !arrival.truncated);
}

function keyOf(arrival: Arrival, { traffic }: Capture, { service }: ResolvedConfig): CaptureJudged[] {
  const exchange = traffic?.exchanges.find(
    ({ request }) => request.url === arrival.request.url && isAt(arrival, request),
  );
  if (!exchange || exchange.credentials === 'hidden') return [];
  const key = apiKeyOf(arrival.request);
  if (key !== undefined && service.apiKey === undefined) return [];
  const { status } = arrival.response;
  // The configured key is for the simulated service. The recorded service may have accepted another key; only a 401
  // shows that a key is invalid.
  const isRight = key === service.apiKey || (key !== undefined && isSuccess(status));
  if (key !== undefined && !isRight && status !== 401) return [];
  return [
    {
      exchange: arrival,
      finding: isRight
        ? undefined
        : {
            expected: 'X-Api-Key, or Authorization: Bearer, with the API key',
            received: key === undefined ? 'neither' : 'another key than service.apiKey, refused with 401',
            part: { header: keyHeaderOf(arrival.request) },
          },
    },
  ];
}

function isAt({ request }: Arrival, other: Arrival['request']): boolean {
  return request === other || JSON.stringify(request.headers) === JSON.stringify(other.headers);
}

const conversations = new WeakMap<Capture, Map<CapturedDelivery, Record<string, unknown>>>();

/**
 * The skills that the conversation of a reply offers. A reply may be to an earlier message than the latest: all skills
 * that its messages have offered count, and auto-reply only where they agree on it. `undefined` where a message is not
 * whole.
 */
function conversationOf(delivery: CapturedDelivery, capture: Capture): Record<string, unknown> | undefined {
  const known = conversations.get(capture) ?? readConversations(capture);
  conversations.set(capture, known);
  return known.get(delivery);
}

/** Each message with what its conversation had offered by then, read once for all rules. */
function readConversations({ chat }: Capture): Map<CapturedDelivery, Record<string, unknown>> {
  const read = new Map<CapturedDelivery, Record<string, unknown>>();
  const byAddress = Map.groupBy(chat, ({ event }) => (isJsonObject(event?.data) ? event.data.replyUrl : undefined));
  for (const messages of byAddress.values()) {
    const offered = new Map<string, Skill>();
    const states = new Set<unknown>();
    for (const message of messages) {
      const data = message.event?.data;
      // Its skills are not known, and so neither are those that later ones may use.
      if (!message.isWhole || !isJsonObject(data)) break;
      for (const skill of offeredBy(data)) offered.set(JSON.stringify([skill.id, skill.key, skill.kind]), skill);
      states.add(stateOf(message.event));
      const said = { ...data, skills: [...offered.values()], ...(states.size > 1 && { autoReply: undefined }) };
      read.set(message, { ...message.event, data: said });
    }
  }
  return read;
}

function stateOf(event: Record<string, unknown> | undefined): unknown {
  const data = event?.data;
  return isJsonObject(data) && isJsonObject(data.autoReply) ? data.autoReply.state : undefined;
}

/** The first message of each conversation, where none before it waits for a reply, too: replies do not name theirs. */
function onlyMessages(chat: readonly CapturedDelivery[]): CapturedDelivery[] {
  const first = new Map<unknown, CapturedDelivery>();
  for (const delivery of chat) {
    const data = delivery.event?.data;
    if (isJsonObject(data) && !first.has(data.replyUrl)) first.set(data.replyUrl, delivery);
  }
  return [...first.values()].filter(({ event, isWhole }) => {
    const history = isJsonObject(event?.data) ? event.data.history : undefined;
    const last: unknown = Array.isArray(history) ? history.at(-1) : undefined;
    return isWhole && !(isJsonObject(last) && last.role === 'customer');
  });
}

/** Replies to one message, as long as no other message of the conversation came in between. */
function sameTexts({ answer, later }: CapturedDelivery): CaptureJudged[] {
  const said = answer.outcome === 'answered' && answer.status === 200 && !answer.truncated ? [answer.body] : [];
  const texts = said.flatMap(textOf);
  return later.flatMap((exchange): CaptureJudged[] => {
    if (exchange.truncated || exchange.response.status !== 202) return [];
    const [text] = textOf(exchange.request.body);
    if (text === undefined) return [];
    const isAgain = texts.includes(text);
    texts.push(text);
    const received = `${JSON.stringify(text.slice(0, 80))} again`;
    return [{ exchange, finding: isAgain ? { expected: 'each reply once for one message', received } : undefined }];
  });
}

function textOf(body: Uint8Array): string[] {
  const text = jsonObjectOf(body)?.text;
  return typeof text === 'string' && text !== '' ? [text] : [];
}
