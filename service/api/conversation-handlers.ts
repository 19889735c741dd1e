import { idOf, type ApiHandlers } from './handler.ts';

/** Operations on conversations (interface: API v1). */
export const conversationHandlers = {
  getTranscript: (call) => {
    const { conversations } = call.inbox;
    return { status: 200, body: conversations.transcript(conversations.get(idOf(call))) };
  },
} as const satisfies Partial<ApiHandlers>;
