import { describe } from 'vitest';
import { signatureChecks } from '../signed-deliveries.ts';
import { sampleEvent } from './sample-event.ts';

describe.concurrent('api-webhooks signatures', () => {
  signatureChecks({
    name: 'api-webhooks',
    sign: (kit, write) => {
      const event = sampleEvent(kit);
      return kit.hooks.sign(event, write && { text: write(event) });
    },
    post: ({ hooks }, delivery, options) => hooks.post(delivery, options),
  });
});
