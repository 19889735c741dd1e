import type { WebhookRequest } from '../../specs/generated/types.ts';
import type { ApiHandlers } from './handler.ts';

/** Handlers of webhook subscriptions (interface: API v1). */
export const webhookHandlers = {
  subscribeWebhook: ({ inbox: { apiWebhooks }, body }) => ({
    status: 201,
    body: apiWebhooks.subscribe(body as WebhookRequest),
  }),
} satisfies Partial<ApiHandlers>;
