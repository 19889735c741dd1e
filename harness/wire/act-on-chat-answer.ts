import { Problem } from '../../service/problem.ts';
import { readChatAnswer } from '../../service/read-chat-answer.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { Answer } from './observation.ts';

/**
 * Carries out the direct answer of the AI in its conversation, as the service does: its text is sent, its skills run, a
 * handover takes effect (interface: Own-AI chat event). Other answers change nothing.
 */
export function actOnChatAnswer(inbox: ServiceInbox, projectId: unknown, answer: Answer): void {
  const project = inbox.workspace.projects.get(projectId as number);
  const read = readChatAnswer(answer);
  if (!project || read.kind !== 'answer') return;
  try {
    inbox.agentReplies.act(project, read.answer, 'answer');
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
  }
}
