import { describe } from 'vitest';
import { signatureChecks } from '../signed-deliveries.ts';

describe.concurrent('api-webhooks signatures', () => {
  signatureChecks({
    name: 'api-webhooks',
    sign: ({ hooks, sample }, write) => {
      const event = sample.apiWebhookEvent();
      return hooks.sign(event, write && { text: write(event) });
    },
    post: ({ hooks }, delivery, options) => hooks.post(delivery, options),
  });
});
