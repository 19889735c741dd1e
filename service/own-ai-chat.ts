import { recordFailure, recordSuccess } from './agent-health.ts';
import type { ProblemCode } from '../specs/api-problems.ts';
import { limits, protocolRevision } from '../specs/limits.ts';
import type { ChatAnswer, MessageReceived, Ping } from '../specs/generated/types.ts';
import type { ActedAnswer, AgentReplies } from './agent-replies.ts';
import { answerData, describeAnswer, statusOf } from './describe-answer.ts';
import { readChatAnswer } from './read-chat-answer.ts';
import { timestamp } from './clock.ts';
import type { Conversations } from './conversations.ts';
import { oneLine } from './cut-text.ts';
import { fullName } from './full-name.ts';
import type { InboxCore } from './inbox-core.ts';
import type { OutboundAnswer } from './outbound.ts';
import { Problem } from './problem.ts';
import { signedPost } from './signed-post.ts';
import type { Skills } from './skills.ts';
import { shownAddress, withoutSecrets } from './without-secrets.ts';
import type { AgentRecord, ContactRecord, ProjectRecord } from './workspace.ts';

/** An inbox with the parts that the chat uses. */
interface ChatInbox extends InboxCore {
  readonly conversations: Conversations;
  readonly skills: Skills;
  readonly agentReplies: AgentReplies;
}

/** A message of a customer as in its event. */
export type ReceivedMessage = MessageReceived['data']['message'];

/** Outcome of a message that was passed on to the own AI. */
export type ChatOutcome =
  /** 200 with a body: it was carried out; `refused` if its message could not be delivered. */
  | { outcome: 'answered'; answer: ChatAnswer; result: ActedAnswer | { refused: ProblemCode } }
  /** The AI may reply by agent-replies. */
  | { outcome: 'later' }
  /** The answer arrived after the assistant had lost the conversation, and was dropped. */
  | { outcome: 'dropped' }
  | { outcome: 'failed'; reason: string }
  /** Nothing was sent; the team has the message. */
  | { outcome: 'not-sent'; reason: string };

/** Outcome of a ping. `ok`: any 2xx. */
export interface PingOutcome {
  ok: boolean;
  /** `null` without an answer. */
  statusCode: number | null;
  durationMs: number;
  /** The error; `null` on success. */
  error: string | null;
}

/** Bytes of an answer that are read: enough to show how far it exceeds the limit, unless it is endless. */
const answerBytes = 4 * limits.ownAiAnswerBytes;

/** Channels as events name them (interface: Own-AI chat event); any other is sent as chat. */
const eventChannels: readonly string[] = ['whatsapp', 'webchat', 'telegram'];

/** Passes customers' messages on to the own AI, and carries out its answers (interface: Own-AI chat event). */
export class OwnAiChat {
  readonly #inbox: ChatInbox;

  constructor(inbox: ChatInbox) {
    this.#inbox = inbox;
  }

  /**
   * Sends one `message.received`, once, waits up to `timeoutSeconds` and carries out the answer. A failure hands the
   * conversation to the team with a note, unless the team has it already. Never rejects because of the other side.
   */
  async deliver(project: ProjectRecord, message: ReceivedMessage): Promise<ChatOutcome> {
    const { workspace, conversations } = this.#inbox;
    const agent = workspace.agents.get(project.agentId ?? Number.NaN);
    const lacks = lackOf(agent);
    if (!agent || lacks !== undefined) {
      const reason = lacks ?? 'no own-AI assistant answers the conversation';
      conversations.notifyTeam(project, `A message waits for the team: ${reason}.`, 'push');
      return { outcome: 'not-sent', reason };
    }
    const answer = await this.#post(agent, 'message.received', this.#data(project, message));
    const read = readChatAnswer(answer);
    if (read.kind === 'failure') {
      const reason = withoutSecrets(workspace, read.reason);
      this.#logDelivery(agent, answer, reason, { result: 'failed', reason }, project);
      recordFailure(agent, this.#inbox.clock.now(), reason);
      conversations.handToTeam(project, `The own AI did not answer a message: ${reason}.`);
      return { outcome: 'failed', reason };
    }
    recordSuccess(agent, this.#inbox.clock.now());
    if (read.kind === 'later') {
      const { ignored } = read;
      const words = ignored === undefined ? 'a reply may follow' : `a reply may follow; ${ignored}`;
      this.#logDelivery(agent, answer, words, { result: 'later', ...(ignored !== undefined && { ignored }) }, project);
      return { outcome: 'later' };
    }
    // The assistant may have lost the conversation while the service waited for the answer.
    const isDropped = project.agentId !== agent.agentId;
    const words = isDropped ? 'dropped, the assistant no longer has the conversation' : describeChatAnswer(read.answer);
    this.#logDelivery(agent, answer, words, { result: isDropped ? 'dropped' : 'answered' }, project);
    return isDropped ? { outcome: 'dropped' } : this.#act(project, read.answer);
  }

  /** Sends a signed ping once; it has no data and changes no status. Never rejects. */
  async ping(agent: AgentRecord): Promise<PingOutcome> {
    const lacks = lackOf(agent);
    if (lacks !== undefined) return { ok: false, statusCode: null, durationMs: 0, error: lacks };
    const answer = await this.#post(agent, 'ping');
    const status = statusOf(answer);
    const ok = status !== undefined && status >= 200 && status < 300;
    const words = withoutSecrets(this.#inbox.workspace, describeAnswer(answer));
    this.#logDelivery(agent, answer, words, { result: ok ? 'passed' : 'failed' }, undefined, 'ping');
    return { ok, statusCode: status ?? null, durationMs: Math.round(answer.ms), error: ok ? null : words };
  }

  #act(project: ProjectRecord, answer: ChatAnswer): ChatOutcome {
    try {
      const result = this.#inbox.agentReplies.act(project, answer, 'answer');
      return { outcome: 'answered', answer, result };
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      return { outcome: 'answered', answer, result: { refused: error.code } };
    }
  }

  async #post(
    agent: AgentRecord,
    type: 'message.received' | 'ping',
    data?: MessageReceived['data'],
  ): Promise<OutboundAnswer & { ms: number }> {
    const { workspace, ids, clock, outbound } = this.#inbox;
    const { agentId, chatUrl: url, secret = '' } = agent;
    const event: Ping | MessageReceived = {
      id: ids.text('evt_'),
      ...(data ? { type: 'message.received' } : { type: 'ping' }),
      createdAt: timestamp(clock.now()),
      protocol: protocolRevision,
      workspaceId: workspace.id,
      agentId,
      ...(data && { data }),
    } as Ping | MessageReceived;
    const body = Buffer.from(JSON.stringify(event));
    const headers = [
      ['Content-Type', 'application/json'],
      ['User-Agent', 'svc-conform'],
      ['X-Svc-Event', type],
      ['X-Svc-Delivery-Id', event.id],
      ['X-Svc-Agent-Protocol', protocolRevision],
    ] as const;
    return await outbound.post(() => signedPost({ url, secret, headers, body }), {
      eventType: type,
      timeoutMs: agent.timeoutSeconds * 1000,
      maxBodyBytes: answerBytes,
    });
  }

  #data(project: ProjectRecord, message: ReceivedMessage): MessageReceived['data'] {
    const { conversations, skills, baseUrl } = this.#inbox;
    return {
      projectId: project.id,
      channel: eventChannels.includes(project.channel) ? project.channel : 'chat',
      contact: this.#contact(conversations.contactOf(project)),
      message,
      history: conversations.history(project, message.id),
      replyUrl: `${baseUrl()}/v1/projects/${project.id}/agent-replies`,
      skills: skills.allowedNow(project),
      autoReply: conversations.autoReply(project),
      // The state determines which of the three shapes it is.
    } as MessageReceived['data'];
  }

  /** Unknown fields are omitted (interface: Own-AI chat event). */
  #contact(contact: ContactRecord): MessageReceived['data']['contact'] {
    const name = fullName(contact);
    const { id, phone, email } = contact;
    return {
      id,
      ...(name !== undefined && { name }),
      ...(phone !== null && { phone }),
      ...(email !== null && { email }),
    };
  }

  #logDelivery(
    { agentId, chatUrl }: AgentRecord,
    answer: OutboundAnswer & { ms: number },
    words: string,
    data: Record<string, unknown>,
    project: ProjectRecord | undefined,
    eventType: 'message.received' | 'ping' = 'message.received',
  ): void {
    const url = shownAddress(chatUrl);
    const status = statusOf(answer);
    const text = status === undefined || words.includes(`status ${status}`) ? words : `${status}, ${words}`;
    const known = { kind: 'own-ai-chat', eventType, url, agentId, ...answerData(answer), ...data };
    this.#inbox.log('delivery', `${eventType} to ${url}: ${text}`, known, project);
  }
}

function lackOf(agent: AgentRecord | undefined): string | undefined {
  if (agent?.chatUrl === '') return 'the own AI has no chat address';
  return agent && !agent.secret ? 'the own AI has no secret' : undefined;
}

function describeChatAnswer({ text, action, executeSkills }: ChatAnswer): string {
  const parts = [
    text ? `text “${oneLine(text)}”` : undefined,
    action && action !== 'none' ? `action ${action}` : undefined,
    executeSkills && executeSkills.length > 0 ? `skills ${executeSkills.join(', ')}` : undefined,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? 'nothing to send' : parts.join(', ');
}
