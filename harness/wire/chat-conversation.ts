import { readChatAnswer } from '../../service/read-chat-answer.ts';
import type { ProjectRecord } from '../../service/workspace.ts';
import { agentReplies } from './agent-replies.ts';
import type { SignedPostOptions } from './api-webhooks-driver.ts';
import type { ChatDriver, ChatObservation } from './chat-driver.ts';
import type { DriverContext } from './driver-context.ts';
import { utcTimestamp, type ChatData } from '../checks/samples.ts';
import type { Responder } from './responder.ts';

/** What a conversation needs of a session. */
export interface ChatSession extends Pick<DriverContext, 'sample' | 'settings' | 'inbox' | 'ids'> {
  readonly chat: ChatDriver;
}

/**
 * A conversation of the simulated service: each message is sent with the current history, skills and auto-reply state,
 * and the AI's answers and replies take effect (interface: Own-AI chat event, Auto-reply of a conversation).
 */
export class ChatConversation {
  readonly #session: ChatSession;
  readonly #respond: Responder;
  readonly #project: ProjectRecord;
  readonly #contact: ChatData['contact'];

  /** @param name of the customer; default: that of every sample */
  constructor(session: ChatSession, name?: string) {
    const { chat, sample, settings, inbox } = session;
    const customer = name === undefined ? {} : { contact: { ...sample.newCustomer(), name } };
    const { agentId, data } = sample.messageReceived(customer);
    const { projectId, contact } = data;
    this.#session = session;
    this.#contact = contact;
    this.#respond = agentReplies(
      inbox.service.inbox,
      { projectId, agentId, contact, skills: chat.skills },
      settings.config.service.apiKey,
    );
    const { conversations } = inbox.service.inbox;
    this.#project = conversations.get(projectId);
    // Not empty: the answer to a first message is judged separately.
    conversations.addTurn(this.#project, 'customer', 'Good morning!');
    conversations.addTurn(this.#project, 'agent', 'Good morning, how can I help you?');
  }

  /** Whether the team has taken over the conversation, or the AI has handed it over. */
  get isWithTeam(): boolean {
    return !this.#session.inbox.service.inbox.conversations.isOn(this.#project);
  }

  /** Whether the AI has forwarded the conversation: it is handed back before the next message. */
  get isForwarded(): boolean {
    return this.#project.forwarded;
  }

  /** A team member takes the conversation over. */
  takeOver(): void {
    this.#session.inbox.service.inbox.conversations.takeOver(this.#project);
  }

  /** The team hands the conversation back to the assistant. */
  handBack(): void {
    this.#session.inbox.service.inbox.conversations.handBack(this.#project);
  }

  /** Sends a customer's message. Resolves once it is answered and a prompt reply has arrived. */
  async say(text: string): Promise<ChatObservation> {
    const observation = await this.send(text);
    if (readChatAnswer(observation.answer).kind === 'later') {
      await observation.replies.atLeast(1, { withinMs: this.#session.settings.quietMs });
    }
    return observation;
  }

  /**
   * Sends a customer's message. Resolves once it is answered. After a forward, the service sends messages only once the
   * conversation is handed back, so this happens first.
   */
  async send(text: string, options: Partial<SignedPostOptions> = {}): Promise<ChatObservation> {
    const { chat, ids, sample, settings, inbox } = this.#session;
    const { conversations, skills } = inbox.service.inbox;
    if (this.isForwarded) this.handBack();
    const offered = new Set(settings.config.skills.map(({ key }) => key));
    const messageId = ids.integer();
    const draft = sample.messageReceived({
      projectId: this.#project.id,
      contact: this.#contact,
      message: { id: messageId, text, receivedAt: utcTimestamp(Date.now()) },
      history: conversations.history(this.#project),
      // The assistant also has the skills of generated events, which would make each of them one.
      skills: skills.allowedNow(this.#project).filter(({ key }) => offered.has(key)),
      autoReply: conversations.autoReply(this.#project),
    });
    conversations.addTurn(this.#project, 'customer', text, { messageId });
    return await chat.deliver(chat.open(draft, { respond: this.#respond }), {
      label: `a message in a conversation, ${this.#project.turns.length} turns long`,
      ...options,
    });
  }
}
