import { agentHandlers } from './agent-handlers.ts';
import { appointmentHandlers } from './appointment-handlers.ts';
import { contactHandlers } from './contact-handlers.ts';
import { conversationHandlers } from './conversation-handlers.ts';
import type { ApiHandlers } from './handler.ts';
import { inboxHandlers } from './inbox-handlers.ts';
import { messageHandlers } from './message-handlers.ts';
import { noteHandlers } from './note-handlers.ts';
import { replyHandlers } from './reply-handlers.ts';
import { webhookHandlers } from './webhook-handlers.ts';

/** Every operation of API v1 and what answers it. */
export const handlers: ApiHandlers = {
  ...inboxHandlers,
  ...contactHandlers,
  ...messageHandlers,
  ...noteHandlers,
  ...conversationHandlers,
  ...appointmentHandlers,
  ...webhookHandlers,
  ...agentHandlers,
  ...replyHandlers,
};
