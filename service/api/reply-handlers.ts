import type { AgentReplyRequest, SkillRequest } from '../../specs/generated/types.ts';
import { idOf, type ApiHandlers } from './handler.ts';

/** Replies and skills of the own AI (interface: API v1). */
export const replyHandlers = {
  sendAgentReply: (call) => ({
    status: 202,
    body: call.inbox.agentReplies.reply(idOf(call), call.body as AgentReplyRequest),
  }),
  runSkill: (call) => {
    const { inbox, parameters, body } = call;
    const request = (body ?? {}) as SkillRequest;
    return { status: 200, body: inbox.skills.runByKey(idOf(call), parameters.key ?? '', request) };
  },
} as const satisfies Partial<ApiHandlers>;
