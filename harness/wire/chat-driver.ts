import { limits } from '../../specs/limits.ts';
import type { AutoReply, Ping, Skill } from '../../specs/generated/types.ts';
import { matchesSchema } from '../../specs/validators.ts';
import { agentReplies, type ReplyBehaviour, type EventConversation } from './agent-replies.ts';
import type { SignedPostOptions } from './api-webhooks-driver.ts';
import { HarnessFault } from '../checks/faults.ts';
import type { Responder } from './inbox.ts';
import type { Mailbox } from './mailbox.ts';
import type { Observation } from './observation.ts';
import type { ChatEvent } from '../checks/samples.ts';
import type { Session } from '../checks/session.ts';
import { SignedDelivery } from './signed-delivery.ts';

/** A chat event with its reply address and the delivery that carries it. */
export interface ChatCase {
  /** The event as it is sent. */
  event: Record<string, unknown>;
  replies: Mailbox;
  delivery: SignedDelivery;
}

/** One delivery of a chat event: what came back at once, and the box for what comes to its `replyUrl`. */
export interface ChatObservation extends Observation {
  event: Record<string, unknown>;
  replies: Mailbox;
}

/** Messages that are kept for being judged at the end of the run. */
const maxRemembered = 1_000;
/** Milliseconds beyond `timeoutSeconds` that a timed exchange goes on. */
const beyondTimeoutMs = 2_000;

/** Sends own-AI chat events as the service does (interface: Own-AI chat event). */
export class ChatDriver {
  /** Every chat event delivered so far with a correct signature. */
  readonly delivered: ChatObservation[] = [];
  /** Boxes to which the same reply may come again: their events were sent twice, or we did not answer at once. */
  readonly repeatable = new Set<Mailbox>();
  readonly #session: Session;

  constructor(session: Session) {
    this.#session = session;
  }

  get #target(): { url: string; secret: string; timeoutSeconds: number } {
    const target = this.#session.settings.config.chat;
    if (!target) throw new HarnessFault('check-broken', 'chat is not configured.');
    return target;
  }

  /** The configured waiting time in milliseconds (interface: Limits). */
  get timeoutMs(): number {
    return this.#target.timeoutSeconds * 1000;
  }

  /** Milliseconds to listen where the time is judged, so that the report can say how late an answer was. */
  get timedAnswerMs(): number {
    return this.timeoutMs + beyondTimeoutMs;
  }

  /** The skills of the assistant, whether an event offers them or not. */
  get skills(): readonly Skill[] {
    return this.#session.settings.config.skills;
  }

  /**
   * Gives an event its own `replyUrl` and signs it. `write` makes the body; default `JSON.stringify`. `respond` answers
   * the replies, where the conversation is known to the service already.
   */
  open(
    draft: ChatEvent | Record<string, unknown>,
    {
      write = JSON.stringify,
      replies: behaviour,
      respond,
    }: { write?: (event: unknown) => string; replies?: ReplyBehaviour; respond?: Responder } = {},
  ): ChatCase {
    const data = draft.data as Record<string, unknown>;
    const projectId = typeof data.projectId === 'number' ? data.projectId : this.#session.ids.integer();
    const message = data.message as { id?: unknown } | undefined;
    const replies = this.#session.inbox.replyBox(
      `reply to message ${String(message?.id)}`,
      projectId,
      respond ??
        agentReplies(
          this.#session.inbox.service.inbox,
          { projectId, ...conversationOf(data, this.skills) },
          this.#session.settings.config.service.apiKey,
          behaviour,
        ),
    );
    const { history, skills, autoReply, ...before } = data;
    const event = { ...draft, data: { ...before, history, replyUrl: replies.url, skills, autoReply } };
    if (behaviour?.after) this.repeatable.add(replies);
    return { event, replies, delivery: this.sign(event, write(event)) };
  }

  /** The event of an earlier delivery, to be sent once more as it was. */
  reopen({ event, replies }: ChatObservation): ChatCase {
    this.repeatable.add(replies);
    return { event, replies, delivery: this.sign(event) };
  }

  /** Signs any chat event or ping over exactly this text. */
  sign(event: Ping | Record<string, unknown>, text: string = JSON.stringify(event)): SignedDelivery {
    const { type, id, protocol } = event as Record<string, unknown>;
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Event', String(type)],
      ['X-Svc-Delivery-Id', String(id)],
      ['X-Svc-Agent-Protocol', String(protocol)],
    ] as const;
    return SignedDelivery.of(event, text, headers, this.#target.secret);
  }

  /** Sends any delivery: a ping, or one with a wrong signature. */
  async post(delivery: SignedDelivery, options: SignedPostOptions): Promise<Observation> {
    return await this.#session.send(() => delivery.request(this.#target.url, Date.now()), {
      // Only exchanges with the endpoint to themselves are timed; the others may have to queue there.
      patienceMs: Math.max(this.#session.settings.patienceMs, this.timedAnswerMs),
      limitMs: this.timeoutMs,
      // Enough to see that an answer is over the limit, and by how much if it is not endless.
      maxBodyBytes: 4 * limits.ownAiAnswerBytes,
      ...options,
    });
  }

  /** Sends a chat event with a correct signature. What comes to its `replyUrl` later is judged as well. */
  async deliver({ event, replies, delivery }: ChatCase, options: SignedPostOptions): Promise<ChatObservation> {
    const received = await this.post(delivery, options);
    const observation = { ...this.#session.answers.keep(received), event, replies };
    if (this.delivered.length < maxRemembered) this.delivered.push(observation);
    return observation;
  }
}

/** What an event says of auto-reply and skills; one that says it wrongly on purpose leaves the service as it is. */
function conversationOf(
  { autoReply, skills }: Record<string, unknown>,
  ofTheAssistant: readonly Skill[],
): Omit<EventConversation, 'projectId'> {
  const offered =
    Array.isArray(skills) && skills.every((skill) => matchesSchema('skill', skill)) ? (skills as Skill[]) : [];
  return {
    skills: offered.length > 0 ? offered : ofTheAssistant,
    ...(matchesSchema('autoReply', autoReply) && { autoReply: autoReply as AutoReply }),
  };
}
