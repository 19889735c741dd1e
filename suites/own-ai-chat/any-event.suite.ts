import { describe } from 'vitest';
import { check } from '../../harness/check.ts';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { schemas } from '../../specs/schemas.ts';
import type { MessageReceived } from '../../specs/types.ts';
import { holdsTo } from '../../specs/validators.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { forAnyEvent } from '../property.ts';

describe.concurrent('own-ai-chat any event', () => {
  check('own-ai-chat/answers-any-valid-event', 'any message that the interface allows is answered', async (kit) => {
    const { chat, ids } = kit;
    await forAnyEvent<MessageReceived>(kit, {
      events: fromSchema<MessageReceived>(schemas.messageReceived),
      edges: edgeCases<MessageReceived>(schemas.messageReceived, { seed: kit.settings.seed }),
      isValid: (event) => holdsTo('messageReceived', event),
      // The id is one of a delivery, so each delivery needs its own.
      deliver: (event) => chat.deliver(chat.open({ ...event, id: ids.event() }), { label: 'a generated message' }),
      judge: toBeAccepted,
    });
  });
});
