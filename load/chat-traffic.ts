import type { ChatObservation } from '../harness/wire/chat-driver.ts';
import { ChatConversation } from '../harness/wire/chat-conversation.ts';
import { chatAnswerAspects } from '../suites/own-ai-chat/answer-aspects.ts';
import { judgeForeignNames } from '../suites/own-ai-chat/judge-crossed.ts';
import { jsonObjectFinding, jsonObjectOf, unreadBody } from '../suites/json-object.ts';
import { toBeAccepted } from '../suites/matchers/answer-matchers.ts';
import { atLoad, judgeAspects, violations } from './judge-aspects.ts';
import type { LoadSession } from './load-session.ts';
import { beyondDeadlineMs, type LoadDelivery, type LoadViolation, type Traffic } from './traffic.ts';

/** Messages of one conversation, and milliseconds in which the customer reads an answer and writes the next one. */
const messagesOfConversation = 4;
const thinkMs = 2_000;
/** Number of the latest conversations whose names must not appear in the answers of another one. */
const rememberedNames = 200;
/** Maximum number of deliveries whose reply may still come and is judged. */
const mostPending = 1_000;

/** A conversation of a customer with a name that no other text contains. */
interface NamedConversation {
  conversation: ChatConversation;
  name: string;
  /** Messages to send. */
  left: number;
  /** `performance.now()` when the customer writes again. */
  readyAt: number;
}

interface SentMessage {
  observation: ChatObservation;
  name: string;
  /** Conversations of the same time. */
  others: readonly string[];
  load: number;
}

/** Messages of several customers at once, each in a conversation with a history (interface: Own-AI chat event). */
export function chatTraffic(session: LoadSession, givenDeadlineMs?: number): Traffic {
  const { chat, ids, sample, settings } = session;
  const { config, quietMs } = settings;
  const deadlineMs = givenDeadlineMs ?? chat.timeoutMs;
  const waiting: NamedConversation[] = [];
  let names: readonly string[] = [];
  let pending: SentMessage[] = [];

  const begin = (): NamedConversation => {
    const name = `Mara Q${ids.integer().toString(36)}x`;
    names = [...names, name].slice(-rememberedNames);
    return { conversation: new ChatConversation(session, name), name, left: messagesOfConversation, readyAt: 0 };
  };

  return {
    surface: 'own-ai-chat',
    url: config.chat?.url ?? '',
    deadline: { requirement: 'own-ai-chat/answers-in-time', ms: deadlineMs },
    send: async ({ load }): Promise<LoadDelivery> => {
      const at = waiting.findIndex(({ readyAt }) => readyAt <= performance.now());
      const [open] = at < 0 ? [] : waiting.splice(at, 1);
      const customer = open ?? begin();
      const { conversation, name } = customer;
      const text = config.stimuli.chat?.answer ?? sample.messageReceived().data.message.text;
      const observation = await conversation.send(text, { timeoutMs: deadlineMs + beyondDeadlineMs });
      customer.left--;
      customer.readyAt = performance.now() + thinkMs;
      if (customer.left > 0 && !conversation.isWithTeam) waiting.push(customer);
      const sent = { observation, name, others: names.filter((other) => other !== name), load };
      return {
        observation,
        isTimed: true,
        judge: () => {
          if (pending.length < mostPending) pending.push(sent);
          return judgeAnswer(sent, chat.skills);
        },
      };
    },
    judgeLater: async () => {
      const isLater = ({ observation: { answer } }: SentMessage) =>
        answer.outcome === 'answered' && (answer.status === 202 || answer.bodyBytes === 0);
      if (pending.some(isLater)) await new Promise((wake) => setTimeout(wake, quietMs));
      const judged = pending.filter(({ observation }) => observation.replies.count > 0);
      pending = pending.filter((sent) => isLater(sent) && sent.observation.replies.count === 0);
      session.forget();
      return judged.flatMap((sent) => atLoad(sent.load, judgeReplies(sent, chat.skills)));
    },
  };
}

/** Judges an immediate answer like the checks of the surface: a refused signature, the body, another conversation. */
function judgeAnswer(
  { observation, name, others }: SentMessage,
  skills: LoadSession['chat']['skills'],
): LoadViolation[] {
  const { answer, event } = observation;
  if (answer.outcome !== 'answered') return [];
  if (answer.status === 401) return violations('own-ai-chat/accepts-valid-signature', toBeAccepted(observation));
  if (answer.status !== 200 || answer.bodyBytes === 0 || unreadBody(answer)) return [];
  const finding = jsonObjectFinding(answer.body, 'the body of a 200 answer');
  if (finding) return violations('own-ai-chat/answer-is-a-json-object', finding);
  return [
    ...judgeAspects(chatAnswerAspects, { value: jsonObjectOf(answer.body) ?? {}, event, skills }),
    ...violations('own-ai-chat/keeps-conversations-apart', judgeForeignNames(observation, name, others)),
  ];
}

/** Judges the replies that followed. */
function judgeReplies(
  { observation, name, others }: SentMessage,
  skills: LoadSession['chat']['skills'],
): LoadViolation[] {
  const { event, replies, answer } = observation;
  // The names in the answer have been judged.
  const later: ChatObservation = { ...observation, answer: { outcome: 'closed', detail: '' } };
  return [
    ...replies.arrivals.flatMap(({ request }) => {
      const value = jsonObjectOf(request.body);
      return value ? judgeAspects(chatAnswerAspects, { value, event, skills }) : [];
    }),
    ...violations(
      'own-ai-chat/keeps-conversations-apart',
      answer.outcome === 'answered' ? judgeForeignNames(later, name, others) : undefined,
    ),
  ];
}
