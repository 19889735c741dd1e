import type { AssistantAnswer, Think } from './assistant-rules.ts';
import type { BrandedNames } from './branded-names.ts';
import type { Answer, AnswerMode, Handler, Log } from './exchange.ts';
import type { Journal, Reply } from './journal.ts';
import { asInteger, asObject, asText, cut, parseObject } from './json.ts';
import type { JsonObject } from './json.ts';
import { offeredSkills } from './offered-skills.ts';
import type { OfferedSkill } from './offered-skills.ts';
import type { OutgoingPost } from './outgoing-post.ts';
import { SeenOnce } from './seen-once.ts';
import { isSigned } from './signature.ts';

/** The answer to an agent reply when the team has the conversation. */
const NOT_WITH_AGENT = 409;
const JOURNAL_UNITS = 100;

export interface OwnAiChatOptions {
  /** The assistant's secret, `whsec_` included. */
  secret: string;
  /** Sent to `replyUrl` only. */
  apiKey: string;
  answer: AnswerMode;
  think: Think;
  journal: Journal;
  post: (request: OutgoingPost) => Promise<number>;
  names: BrandedNames;
  now: () => number;
  log: Log;
}

interface Message {
  /** The event's id. It is the signed copy of the X-Svc-Delivery-Id header. */
  delivery: string;
  projectId: number;
  text: string;
  replyUrl: string;
  skills: OfferedSkill[];
}

/**
 * POST /chat: answers customers, at once or later, and stays quiet while the team does. Interface: Own-AI chat event.
 */
export function ownAiChat(options: OwnAiChatOptions): Handler {
  const { secret, apiKey, answer: mode, think, journal, post, names, now, log } = options;
  const seen = new SeenOnce<Answer>();

  return async ({ headers, body }) => {
    const header = headers[names.signature];
    if (!isSigned({ header, payload: body, secret, nowMs: now() })) return { status: 401 };
    const event = parseObject(body);
    if (event === undefined) return { status: 400 };

    // A ping needs any 2xx. Unknown types get the same: they need no answer.
    // The revision in `protocol` is not checked, because a newer one is no reason to refuse a customer.
    if (event['type'] !== 'message.received') return { status: 204 };
    const data = asObject(event['data']);
    const state = asObject(data?.['autoReply'])?.['state'] ?? 'on';
    if (state !== 'on') return { status: 204 };
    const message = data && messageIn(event, data);
    if (message === undefined) return { status: 400 };

    // The service makes one attempt only. This protects against replayed copies of a signed event.
    const { outcome, first } = seen.run(message.delivery, () => answerTo(message));
    const { afterwards, ...answer } = await outcome;
    return first && afterwards !== undefined ? { ...answer, afterwards } : answer;
  };

  async function answerTo(message: Message): Promise<Answer> {
    const { answer, takesTime } = await think(message.text, message.skills);
    if (takesTime || mode === 'later') return { status: 202, afterwards: () => replyLater(message, answer) };
    record(message, answer, { how: 'answer', outcome: 'answered', status: null });
    return { status: 200, body: answer };
  }

  /**
   * POSTs to `replyUrl` exactly as given; the signature is the reason to trust that address with our API key. A 409
   * means that the team has taken over: the reply is dropped, and never sent again, like every other reply.
   */
  async function replyLater(message: Message, answer: AssistantAnswer): Promise<void> {
    let status: number | null = null;
    try {
      status = await post({ url: message.replyUrl, body: answer, headers: { 'x-api-key': apiKey } });
    } catch {
      log(`agent reply for project ${String(message.projectId)}: no answer`);
    }
    const sent = status !== null && status >= 200 && status < 300;
    const outcome = sent ? 'sent' : status === NOT_WITH_AGENT ? 'dropped' : 'failed';
    if (status !== null && !sent) {
      log(`agent reply for project ${String(message.projectId)}: ${outcome}, answered ${String(status)}`);
    }
    record(message, answer, { how: 'agent-reply', outcome, status });
  }

  function record(message: Message, answer: AssistantAnswer, how: Pick<Reply, 'how' | 'outcome' | 'status'>): void {
    const { delivery, projectId } = message;
    journal.reply({ delivery, projectId, ...how, text: cut(answer.text, JOURNAL_UNITS), action: answer.action });
  }
}

/** Reads only the fields in use: missing or new fields must not matter. */
function messageIn(event: JsonObject, data: JsonObject): Message | undefined {
  const delivery = asText(event['id']);
  const projectId = asInteger(data['projectId']);
  const text = asObject(data['message'])?.['text'];
  const replyUrl = asText(data['replyUrl']);
  if (delivery === undefined || projectId === undefined || typeof text !== 'string' || replyUrl === undefined) {
    return undefined;
  }
  return { delivery, projectId, text, replyUrl, skills: offeredSkills(data['skills']) };
}
