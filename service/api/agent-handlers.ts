import type { AgentChange } from '../../specs/generated/types.ts';
import { idOf, type ApiHandlers } from './handler.ts';

/** Operations on own-AI assistants (interface: API v1). */
export const agentHandlers = {
  listAgents: ({ inbox: { agents } }) => ({ status: 200, body: agents.list().map((agent) => agents.wire(agent)) }),
  getAgent: (call) => {
    const { agents } = call.inbox;
    return { status: 200, body: agents.wire(agents.get(idOf(call))) };
  },
  changeAgent: (call) => {
    const { agents } = call.inbox;
    return { status: 200, body: agents.wire(agents.change(idOf(call), call.body as AgentChange)) };
  },
  replaceAgentSecret: (call) => ({ status: 200, body: call.inbox.agents.replaceSecret(idOf(call)) }),
  testAgent: async (call) => ({ status: 200, body: await call.inbox.agents.test(idOf(call)) }),
} as const satisfies Partial<ApiHandlers>;
