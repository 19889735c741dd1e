import { describe } from 'vitest';
import { check } from '../../harness/check.ts';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { schemas } from '../../specs/schemas.ts';
import type { ApiWebhookEvent } from '../../specs/types.ts';
import { holdsTo } from '../../specs/validators.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { forAnyEvent } from '../property.ts';

describe.concurrent('api-webhooks any event', () => {
  check('api-webhooks/accepts-any-valid-event', 'any event that the interface allows is accepted', async (kit) => {
    await forAnyEvent<ApiWebhookEvent>(kit, {
      events: fromSchema<ApiWebhookEvent>(schemas.apiWebhookEvent),
      edges: edgeCases<ApiWebhookEvent>(schemas.apiWebhookEvent, { seed: kit.settings.seed }),
      isValid: (event) => holdsTo('apiWebhookEvent', event),
      deliver: (event) => kit.hooks.post(kit.hooks.sign(event), { label: `generated ${event.type}` }),
      judge: toBeAccepted,
    });
  });
});
