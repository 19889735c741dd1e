import type { MessageLogRequest, MessageRequest } from '../../specs/generated/types.ts';
import type { ApiHandlers } from './handler.ts';

/** Messages that are sent and logged (interface: API v1). */
export const messageHandlers = {
  sendMessage: ({ inbox: { messages }, keyName, body }) => ({
    status: 202,
    body: messages.send(body as MessageRequest, keyName),
  }),
  logMessage: ({ inbox: { messages }, body }) => {
    const { response, created } = messages.log(body as MessageLogRequest);
    return { status: created ? 201 : 200, body: response };
  },
} satisfies Partial<ApiHandlers>;
