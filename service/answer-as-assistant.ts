import type { Conversations } from './conversations.ts';
import type { InboxCore } from './inbox-core.ts';
import type { ContactRecord, ProjectRecord } from './workspace.ts';

/** An inbox with the parts that the service's own assistant uses. */
interface AssistantInbox extends InboxCore {
  readonly conversations: Conversations;
}

const greeting = 'Hello, you have reached our assistant. We process what you write as our privacy notice says.';
const answer = 'Thank you for your message. We will look into it.';

/**
 * The answer of the service's own assistant to a message, where no own AI answers: a greeting with the privacy notice
 * at the start, then a stock answer, and nothing while auto-reply is not on (interface: Auto-reply of a conversation).
 */
export function answerAsAssistant(
  inbox: AssistantInbox,
  project: ProjectRecord,
  contact: ContactRecord,
  { isNew }: { isNew: boolean },
): void {
  if (!inbox.conversations.isOn(project) || contact.undeliverable) return;
  if (isNew) inbox.conversations.deliverText(project, greeting, { from: 'system' });
  inbox.conversations.deliverText(project, answer, { from: 'agent' });
}
