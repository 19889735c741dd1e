import { describe } from 'vitest';
import { check } from '../../harness/check.ts';
import { edgeCases } from '../../generators/edge-cases.ts';
import { fromSchema } from '../../generators/from-schema.ts';
import { schemas } from '../../specs/schemas.ts';
import type { CrmEvent } from '../../specs/types.ts';
import { holdsTo } from '../../specs/validators.ts';
import { toHaveStatus } from '../matchers/answer-matchers.ts';
import { forAnyEvent } from '../property.ts';
import { permitted } from './typical-answers.ts';

describe.concurrent('crm-webhook any event', () => {
  check('crm-webhook/answers-any-valid-event', 'any event that the interface allows is answered', async (kit) => {
    await forAnyEvent<CrmEvent>(kit, {
      events: fromSchema<CrmEvent>(schemas.crmEvent),
      edges: edgeCases<CrmEvent>(schemas.crmEvent, { seed: kit.settings.seed }),
      isValid: (event) => holdsTo('crmEvent', event),
      deliver: (event) => kit.crm.deliver(event, { label: `generated ${event.eventType}` }),
      judge: (observation) => toHaveStatus(observation, ...permitted),
    });
  });
});
