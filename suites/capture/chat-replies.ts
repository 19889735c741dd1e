import type { Capture, CapturedDelivery } from '../../harness/capture/capture.ts';
import { apiKeyOf, keyHeaderOf } from '../../harness/agent-replies.ts';
import { isJsonObject } from '../../harness/json.ts';
import type { Arrival } from '../../harness/observation.ts';
import type { ResolvedConfig } from '../../harness/settings.ts';
import { jsonObjectFinding, jsonObjectOf } from '../json-object.ts';
import { answerFacets } from '../own-ai-chat/answer-facets.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { knowsSkills, offeredBy, skillsIn } from './recorded-skills.ts';

const noReply = 'The recording has no later reply to a message that it has, too.';

/** A later reply, beside the latest message of its conversation. */
interface Reply {
  arrival: Arrival;
  delivery: CapturedDelivery;
}

/** Rules about recorded agent-replies (interface: Own-AI chat event, API v1). */
export const chatReplyRules: readonly CaptureRule[] = [
  {
    requirement: 'own-ai-chat/reply-uses-the-address-given',
    title: 'a reply goes to replyUrl exactly as given',
    needs: noReply,
    judge: (capture) => [
      ...capture.misdirectedReplies.map((exchange) => ({
        exchange,
        finding: {
          expected: 'the reply at replyUrl exactly as given',
          received: `a ${exchange.request.method} to ${exchange.request.url}`,
          hint: 'Take replyUrl from the event as it is; do not build it from a base address and the project id.',
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
    needs: `${noReply} Whether its key is right shows in service.apiKey of the config.`,
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
  ...answerFacets.map((facet): CaptureRule => ({
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
    needs: 'The recording has no reply that was taken and could be read.',
    judge: ({ chat }) => chat.flatMap(sameTexts),
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
                hint: '409 is no passing fault: the team has the conversation.',
              },
            },
          ];
        }),
      ),
  },
];

function replies({ chat }: Capture): Reply[] {
  return chat.flatMap((delivery) =>
    delivery.later.filter(({ request }) => request.method !== 'OPTIONS').map((arrival) => ({ arrival, delivery })),
  );
}

/** Replies whose body the recording has. */
function whole(capture: Capture): Reply[] {
  return replies(capture).filter(({ arrival }) => arrival.request.method === 'POST' && !arrival.truncated);
}

function keyOf(arrival: Arrival, { traffic }: Capture, { service }: ResolvedConfig): CaptureJudged[] {
  const exchange = traffic?.exchanges.find(
    ({ request }) => request.url === arrival.request.url && isAt(arrival, request),
  );
  if (!exchange || exchange.credentials === 'hidden') return [];
  const key = apiKeyOf(arrival.request);
  const isRight = key !== undefined && key === service.apiKey;
  if (key !== undefined && service.apiKey === undefined) return [];
  return [
    {
      exchange: arrival,
      finding: isRight
        ? undefined
        : {
            expected: 'X-Api-Key, or Authorization: Bearer, with the API key',
            received: key === undefined ? 'neither' : 'another key than service.apiKey',
            part: { header: keyHeaderOf(arrival.request) },
          },
    },
  ];
}

function isAt({ request }: Arrival, other: Arrival['request']): boolean {
  return request === other || JSON.stringify(request.headers) === JSON.stringify(other.headers);
}

/**
 * What the conversation of a reply offers. A reply may be to an earlier message than the latest: all skills that its
 * messages have offered count, and auto-reply only where they agree on it. `undefined` where a message is not whole.
 */
function conversationOf(
  { event, key, isWhole }: CapturedDelivery,
  { chat }: Capture,
): Record<string, unknown> | undefined {
  const data = event?.data;
  if (!isWhole || !isJsonObject(data)) return undefined;
  const before = chat.slice(0, 1 + chat.findIndex((other) => other.key === key));
  const others = before.filter(
    ({ event: other }) => isJsonObject(other?.data) && other.data.replyUrl === data.replyUrl,
  );
  if (others.some((other) => !other.isWhole)) return undefined;
  const states = new Set(others.map((other) => stateOf(other.event)));
  return {
    ...event,
    data: {
      ...data,
      skills: others.flatMap((other) => offeredBy(other.event?.data)),
      ...(states.size > 1 && { autoReply: undefined }),
    },
  };
}

function stateOf(event: Record<string, unknown> | undefined): unknown {
  const data = event?.data;
  return isJsonObject(data) && isJsonObject(data.autoReply) ? data.autoReply.state : undefined;
}

/** Texts for one message, as long as no other message of the conversation came in between. */
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
    return [{ exchange, finding: isAgain ? { expected: 'each text once for one message', received } : undefined }];
  });
}

function textOf(body: Uint8Array): string[] {
  const text = jsonObjectOf(body)?.text;
  return typeof text === 'string' && text !== '' ? [text] : [];
}
