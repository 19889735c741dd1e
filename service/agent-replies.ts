import type { AgentReplyRequest, AgentReplyResponse, ChatAnswer } from '../specs/generated/types.ts';
import { validate, formatViolation } from '../specs/validators.ts';
import type { Conversations } from './conversations.ts';
import type { InboxCore } from './inbox-core.ts';
import { Problem } from './problem.ts';
import { cutNote, outcomeTurn, type Skills } from './skills.ts';
import type { ProjectRecord } from './workspace.ts';

/** An inbox with the parts that agent replies use. */
interface RepliesInbox extends InboxCore {
  readonly conversations: Conversations;
  readonly skills: Skills;
}

/** The result of an answer of the AI, in the form of an agent-replies response. */
export type ActedAnswer = AgentReplyResponse;

/** Answers, notes and skills of the own AI in a chat, at once or later (interface: Own-AI chat event, agent-replies). */
export class AgentReplies {
  readonly #inbox: RepliesInbox;

  constructor(inbox: RepliesInbox) {
    this.#inbox = inbox;
  }

  /**
   * Accepts a reply. Throws {@link Problem} invalid_reply, project_not_found, project_not_with_agent (no own-AI
   * assistant answers the project; nothing has run) and not_deliverable (the team then has the conversation).
   */
  reply(projectId: number | undefined, request: AgentReplyRequest): AgentReplyResponse {
    const [violation] = validate('agentReplyRequest', request);
    if (violation) throw new Problem('invalid_reply', formatViolation(violation));
    const { conversations, workspace } = this.#inbox;
    const project = conversations.get(projectId);
    if (project.agentId === null || !workspace.agents.has(project.agentId)) throw new Problem('project_not_with_agent');
    return this.act(project, request, 'reply');
  }

  /**
   * Carries out a valid answer: the text first, then the note, the alerts, the forward, and the handover. The skill
   * results of a direct answer (`via` is `answer`) are added to the history. Throws {@link Problem} not_deliverable
   * before anything else is done.
   */
  act(project: ProjectRecord, answer: ChatAnswer | AgentReplyRequest, via: 'reply' | 'answer'): ActedAnswer {
    const { conversations, skills } = this.#inbox;
    const text = answer.text ?? '';
    const note = cutNote(answer.note);
    const messageId = text === '' ? null : conversations.deliverText(project, text, { from: 'agent' });
    if (note !== '') conversations.notifyTeam(project, note, 'note');
    const wasOn = conversations.isOn(project);
    const named = answer.executeSkills ?? [];
    const said = { text, note, announcement: answer.announcement ?? undefined };
    const outcomes = named.length === 0 ? [] : skills.run(project, named, said, 'chat');
    if (via === 'answer') {
      for (const outcome of outcomes) conversations.addTurn(project, 'system', outcomeTurn(outcome));
    }
    if (answer.action === 'handover') conversations.handOver(project);
    const handedOver = wasOn && !conversations.isOn(project);
    return {
      projectId: project.id,
      messageId,
      status: handedOver ? 'handed_over' : messageId === null ? 'noop' : 'sent',
      autoReply: conversations.autoReply(project),
      ...(outcomes.length > 0 && { skills: outcomes }),
    };
  }
}
