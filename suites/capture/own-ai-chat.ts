import type { Capture, CapturedDelivery } from '../../harness/capture/capture.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { limits, protocolRevision, smallKilobytes } from '../../specs/limits.ts';
import { jsonObjectFinding, jsonObjectOf } from '../json-object.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import { chatAnswerAspects } from '../own-ai-chat/answer-aspects.ts';
import { lostAnswer } from '../own-ai-chat/lost-answer.ts';
import type { CaptureJudged, CaptureRule } from './capture-rules.ts';
import { accepted, inTime, judgeable, notJudgedReason, withStatus, type AnsweredDelivery } from './deliveries.ts';
import { knowsSkills, skillsIn } from './recorded-skills.ts';
import { signatureRules } from './signed-deliveries.ts';
import type { JsonObject } from '../../specs/json-value.ts';

const channels = ['whatsapp', 'webchat', 'telegram', 'chat'];

/** Rules by the content of a message: it gets a permitted answer. */
const messageRules: readonly [
  requirement: CaptureRule['requirement'],
  what: string,
  has: (data: JsonObject, event: JsonObject) => boolean,
][] = [
  ['own-ai-chat/answers-messages', 'a message', () => true],
  ['own-ai-chat/accepts-empty-history', 'a message with an empty history', ({ history }) => lengthOf(history) === 0],
  [
    'own-ai-chat/accepts-30-turns',
    'a message with thirty turns',
    ({ history }) => lengthOf(history) === limits.historyTurns,
  ],
  [
    'own-ai-chat/accepts-long-replies-in-history',
    'a message with thirty turns, half of them of the longest text,',
    ({ history }) => lengthOf(history) === limits.historyTurns && longTurnsOf(history) >= limits.historyTurns / 2,
  ],
  ...channels.map((name): (typeof messageRules)[number] => [
    'own-ai-chat/accepts-every-channel',
    `a message of the channel ${name}`,
    ({ channel }) => channel === name,
  ]),
  [
    'own-ai-chat/accepts-unknown-channel',
    'a message of an unknown channel',
    ({ channel }) => typeof channel === 'string' && !channels.includes(channel),
  ],
  [
    'own-ai-chat/accepts-missing-contact-members',
    'a message of a contact that lacks fields',
    ({ contact }) => isJsonObject(contact) && ['name', 'phone', 'email'].some((name) => contact[name] === undefined),
  ],
  ...(['on', 'paused', 'off'] as const).map((state): (typeof messageRules)[number] => [
    'own-ai-chat/accepts-every-auto-reply-state',
    `a message while auto-reply is ${state}`,
    ({ autoReply }) => isJsonObject(autoReply) && autoReply.state === state,
  ]),
  [
    'own-ai-chat/accepts-unknown-protocol-revision',
    'a message of another protocol revision',
    (_, { protocol }) => typeof protocol === 'string' && protocol !== protocolRevision,
  ],
];

/** Rules about recorded chat events and their answers (interface: Own-AI chat event). */
export const ownAiChatRules: readonly CaptureRule[] = [
  ...signatureRules('own-ai-chat', ({ chat }) => chat),
  {
    requirement: 'own-ai-chat/answers-ping',
    title: 'a ping is answered with a 2xx',
    needs: ({ chat }) => `The recording has no answer to a ping of the service.${notJudgedReason(chat)}`,
    judge: ({ chat }) => accepted(judgeable(chat).filter(({ event }) => event?.type === 'ping')),
  },
  ...messageRules.map(([requirement, what, has]): CaptureRule => ({
    requirement,
    title: `${what} is answered with a 2xx`,
    needs: ({ chat }) => `The recording has no answer to ${what}.${notJudgedReason(chat)}`,
    judge: ({ chat }) =>
      accepted(messages(chat).filter(({ event }) => event && has(isJsonObject(event.data) ? event.data : {}, event))),
  })),
  {
    requirement: 'own-ai-chat/accepts-unknown-event-type',
    title: 'an event type that came later is answered with a 2xx',
    needs: 'The recording has no event of an unknown type.',
    judge: ({ chat }) =>
      accepted(
        judgeable(chat).filter(
          ({ event }) => typeof event?.type === 'string' && !['ping', 'message.received'].includes(event.type),
        ),
      ),
  },
  {
    requirement: 'own-ai-chat/answers-with-a-listed-status',
    title: 'a message that is accepted is answered 200, 202 or 204',
    needs: 'The recording has no message that was accepted.',
    judge: ({ chat }) =>
      withStatus(
        messages(chat).filter(({ answer }) => isSuccess(answer.status)),
        200,
        202,
        204,
      ),
  },
  {
    requirement: 'own-ai-chat/answers-in-time',
    title: 'a message is answered within timeoutSeconds',
    needs: 'The recording has no answer to a message with a time that was measured, and that timeoutSeconds decides.',
    judge: ({ chat }, { chat: config }) => timed(chat, config),
  },
  {
    requirement: 'own-ai-chat/answer-is-a-json-object',
    title: 'the body of a 200 answer is a JSON object',
    needs: 'The recording has no 200 answer with its body.',
    judge: ({ chat }) =>
      with200(chat)
        .filter(({ answer }) => !answer.truncated)
        .map((exchange) => ({
          exchange,
          finding: jsonObjectFinding(exchange.answer.body, 'the body of a 200 answer'),
        })),
  },
  atMostBytes('own-ai-chat/answer-within-64-kb', limits.ownAiAnswerBytes, Infinity),
  atMostBytes('own-ai-chat/answer-within-64000-bytes', smallKilobytes, limits.ownAiAnswerBytes),
  {
    requirement: 'own-ai-chat/answer-is-not-in-202-or-204',
    title: 'an answer is not put into a 202 or 204',
    needs: 'The recording has no 202 or 204 answer with its body.',
    judge: ({ chat }) =>
      messages(chat)
        .filter(({ answer }) => (answer.status === 202 || answer.status === 204) && !answer.truncated)
        .map((exchange) => {
          const received = lostAnswer(exchange);
          const expected = 'text or action in a 200 answer or a reply, where it is read';
          return { exchange, finding: received === undefined ? undefined : { expected, received } };
        }),
  },
  ...chatAnswerAspects.map((facet): CaptureRule => ({
    requirement: facet.requirement,
    title: `in 200 answers ${facet.title}`,
    needs: facet.needs,
    judge: (capture, config) =>
      with200(capture.chat).flatMap((exchange): CaptureJudged[] => {
        const value = exchange.answer.truncated ? undefined : jsonObjectOf(exchange.answer.body);
        if (!value || !exchange.isWhole || !exchange.event || !knowsSkills(facet.requirement, config)) return [];
        const judgement = facet.judge({ value, event: exchange.event, skills: skillsIn(capture, config) });
        return judgement === 'nothing' ? [] : [{ exchange, finding: judgement === true ? undefined : judgement }];
      }),
  })),
];

/** Messages of the service whose answer can be judged. */
function messages(chat: readonly CapturedDelivery[]): AnsweredDelivery[] {
  return judgeable(chat).filter(({ event }) => event?.type === 'message.received');
}

/** 200 answers that have a body, or had one. */
function with200(chat: readonly CapturedDelivery[]): AnsweredDelivery[] {
  return messages(chat).filter(({ answer }) => answer.status === 200 && answer.bodyBytes > 0);
}

/** Without a configured timeout, only the shortest and the longest possible one decide. */
function timed(chat: Capture['chat'], config: ResolvedConfig['chat']): CaptureJudged[] {
  const given = config?.timeoutGiven ? config.timeoutSeconds : undefined;
  const most = 1000 * (given ?? limits.ownAiTimeoutSecondsMax);
  const least = 1000 * (given ?? limits.ownAiTimeoutSecondsMin);
  const ofMessages = chat.filter(({ event }) => event?.type === 'message.received');
  return inTime(ofMessages, most, 'own-ai-chat/answer', (ms) => ms <= least || ms >= most);
}

function atMostBytes(requirement: CaptureRule['requirement'], most: number, within: number): CaptureRule {
  return {
    requirement,
    title: `the body of an answer has at most ${most} bytes`,
    needs: 'The recording has no 200 answer of known size.',
    judge: ({ chat }) =>
      with200(chat)
        .filter(({ answer }) => answer.bodyBytes <= within)
        .map((exchange) => {
          const { bodyBytes } = exchange.answer;
          const expected = `a body of at most ${most} bytes`;
          return {
            exchange,
            finding:
              bodyBytes <= most ? undefined : { expected, received: `${bodyBytes} bytes`, part: { body: [] as const } },
          };
        }),
  };
}

/** Turns with as many characters as an own AI may send. */
function longTurnsOf(history: unknown): number {
  const turns: readonly unknown[] = Array.isArray(history) ? history : [];
  return turns.filter(
    (turn) => isJsonObject(turn) && typeof turn.text === 'string' && turn.text.length >= limits.ownAiTextCharacters,
  ).length;
}

function lengthOf(value: unknown): number | undefined {
  return Array.isArray(value) ? value.length : undefined;
}
