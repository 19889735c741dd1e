import { limits } from '../../specs/limits.ts';
import type { Ping, Skill } from '../../specs/generated/types.ts';
import { adaptToWorkspace } from '../../service/adapt-to-workspace.ts';
import { actOnChatAnswer } from './act-on-chat-answer.ts';
import { agentReplies, type ReplyBehaviour } from './agent-replies.ts';
import { isWrittenPlainly, typeOf, type SignedPostOptions } from './api-webhooks-driver.ts';
import { HarnessFault } from '../checks/faults.ts';
import { isJsonObject } from '../../specs/json-object.ts';
import type { Responder } from './responder.ts';
import type { Mailbox } from './mailbox.ts';
import type { Observation } from './observation.ts';
import type { ChatEvent } from '../checks/samples.ts';
import { assertDocumented } from './documented-traffic.ts';
import type { DriverContext } from './driver-context.ts';
import { SignedDelivery } from './signed-delivery.ts';

/** A chat event with its reply address and the delivery that carries it. */
export interface ChatCase {
  /** The event as sent. */
  event: Record<string, unknown>;
  replies: Mailbox;
  delivery: SignedDelivery;
}

/** One delivery of a chat event: its immediate answer, and the mailbox of its `replyUrl`. */
export interface ChatObservation extends Observation {
  event: Record<string, unknown>;
  replies: Mailbox;
}

/** Maximum number of messages kept for the end of the run. */
const maxRemembered = 1_000;
/** Additional milliseconds that a timed exchange waits beyond `timeoutSeconds`. */
const beyondTimeoutMs = 2_000;

/** Sends own-AI chat events as the service does (interface: Own-AI chat event). */
export class ChatDriver {
  /** Every chat event delivered so far with a valid signature. */
  readonly delivered: ChatObservation[] = [];
  /** The contact of each signed message, also of those whose delivery only {@link post} sent. */
  readonly contacts: unknown[] = [];
  /** Mailboxes that may receive the same reply again: their events were sent twice, or we delayed our answer. */
  readonly repeatable = new Set<Mailbox>();
  /** Mailboxes of events that were answered: the answer to a repetition has no second effect. */
  readonly #answered = new WeakSet<Mailbox>();
  readonly #context: DriverContext;

  constructor(context: DriverContext) {
    this.#context = context;
  }

  get #target(): { url: string; secret: string; timeoutSeconds: number } {
    const target = this.#context.settings.config.chat;
    if (!target) throw new HarnessFault('check-broken:not-configured', { key: 'chat' });
    return target;
  }

  /** The configured timeout in milliseconds (interface: Limits). */
  get timeoutMs(): number {
    return this.#target.timeoutSeconds * 1000;
  }

  /** Timeout in milliseconds of timed exchanges, long enough for the report to show how late an answer was. */
  get timedAnswerMs(): number {
    return this.timeoutMs + beyondTimeoutMs;
  }

  /** The skills of the assistant; an event may offer fewer. */
  get skills(): readonly Skill[] {
    return this.#context.settings.config.skills;
  }

  /**
   * Adds a new `replyUrl` to an event and signs it. `write` serialises the body; default `JSON.stringify`. `respond`
   * answers the replies if the service already knows the conversation.
   */
  open(
    draft: ChatEvent | Record<string, unknown>,
    {
      write = JSON.stringify,
      replies: behaviour,
      respond,
    }: { write?: (event: unknown) => string; replies?: ReplyBehaviour; respond?: Responder } = {},
  ): ChatCase {
    const { inbox } = this.#context.inbox.service;
    const placed: ChatEvent | Record<string, unknown> = adaptToWorkspace(inbox, draft);
    const data = placed.data as Record<string, unknown>;
    const projectId = typeof data.projectId === 'number' ? data.projectId : this.#context.ids.integer();
    const message = data.message as { id?: unknown } | undefined;
    const replies = this.#context.inbox.replyBox(
      `reply to message ${String(message?.id)}`,
      projectId,
      respond ??
        agentReplies(
          inbox,
          { ...data, projectId, agentId: agentOf(placed), skills: assistantSkills(data, this.skills) },
          this.#context.settings.config.service.apiKey,
          behaviour,
        ),
    );
    const { history, skills, autoReply, ...before } = data;
    const event = {
      ...placed,
      data: { ...before, history, replyUrl: replies.url, skills, autoReply },
    };
    if (behaviour?.after) this.repeatable.add(replies);
    return { event, replies, delivery: this.sign(event, write(event)) };
  }

  /** The event of an earlier delivery, to be sent again unchanged. */
  reopen({ event, replies }: ChatObservation): ChatCase {
    this.repeatable.add(replies);
    return { event, replies, delivery: this.sign(event) };
  }

  /** A new event with the content of an earlier one. */
  #reopenAsNew(event: Record<string, unknown>): ChatCase {
    const { ids } = this.#context;
    const data = event.data as Record<string, unknown>;
    const message = { ...(data.message as object), id: ids.integer() };
    return this.open({ ...event, id: ids.event(), data: { ...data, message } });
  }

  /** Signs any chat event or ping with exactly this body. */
  sign(event: Ping | Record<string, unknown>, text: string = JSON.stringify(event)): SignedDelivery {
    assertDocumented(event['type'] === 'ping' ? 'ping' : 'messageReceived', event);
    const { type, id, protocol, data } = event as Record<string, unknown>;
    if (isJsonObject(data) && this.contacts.length < maxRemembered) this.contacts.push(data.contact);
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Event', String(type)],
      ['X-Svc-Delivery-Id', String(id)],
      ['X-Svc-Agent-Protocol', String(protocol)],
    ] as const;
    return SignedDelivery.of(event, text, headers, this.#target.secret);
  }

  /** Sends any delivery, such as a ping or one with an invalid signature. */
  async post(delivery: SignedDelivery, options: SignedPostOptions): Promise<Observation> {
    return await this.#context.send(() => delivery.request(this.#target.url, Date.now()), {
      // Only exclusive exchanges are timed; others may queue at the endpoint.
      timeoutMs: Math.max(this.#context.settings.answerTimeoutMs, this.timedAnswerMs),
      limitMs: this.timeoutMs,
      kind: typeOf(delivery),
      // Enough to detect an answer over the limit, and its size unless it is endless.
      maxBodyBytes: 4 * limits.ownAiAnswerBytes,
      ...options,
    });
  }

  /** Sends a chat event with a valid signature. Requests to its `replyUrl` are judged later. */
  async deliver({ event, replies, delivery }: ChatCase, options: SignedPostOptions): Promise<ChatObservation> {
    const received = await this.post(delivery, options);
    const { projectId } = event.data as { projectId?: unknown };
    if (!this.#answered.has(replies)) actOnChatAnswer(this.#context.inbox.service.inbox, projectId, received.answer);
    if (!this.#answered.has(replies) && options.toBeRefused !== true) {
      this.#context.acceptance.book('own-ai-chat', received, () =>
        isWrittenPlainly(delivery) ? (label) => this.deliver(this.#reopenAsNew(event), { label }) : undefined,
      );
    }
    this.#answered.add(replies);
    const observation = { ...this.#context.answers.keep(received), event, replies };
    if (this.delivered.length < maxRemembered) this.delivered.push(observation);
    return observation;
  }
}

/** The assistant of an event; -1 where an intentionally invalid event names none. */
function agentOf({ agentId }: ChatEvent | Record<string, unknown>): number {
  return Number.isSafeInteger(agentId) ? (agentId as number) : -1;
}

/** The skills that an event offers; those of the config where it offers none. */
function assistantSkills({ skills }: Record<string, unknown>, configured: readonly Skill[]): unknown {
  return Array.isArray(skills) && skills.length > 0 ? skills : configured;
}
