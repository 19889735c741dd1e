import type { ApiHandlers } from './handler.ts';

/** Operations that describe the inbox (interface: API v1). */
export const inboxHandlers = {
  getMe: ({ inbox: { workspace }, keyName }) => ({
    status: 200,
    body: { workspaceId: workspace.id, workspaceName: workspace.name, keyName },
  }),
  listSenders: ({ inbox: { workspace } }) => ({ status: 200, body: workspace.senders }),
  listWhatsAppTemplates: ({ inbox: { workspace } }) => ({ status: 200, body: workspace.templates }),
} satisfies Partial<ApiHandlers>;
