import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeCrash, requireChaos } from '../judge-crash.ts';
import { noEffectReason } from '../observed-effects.ts';
import { effectiveEvent } from './effective-event.ts';

describe.concurrent('api-webhooks crash', () => {
  check(
    'api-webhooks/one-effect-after-a-crash',
    'a delivery that comes again after a crash has one effect',
    async (kit) => {
      requireChaos(kit);
      const event = await effectiveEvent(kit);
      if (event === undefined) return kit.notExercised(noEffectReason(kit));
      const delivery = kit.hooks.sign(event.create());
      await judgeCrash(kit, () => kit.hooks.post(delivery, { label: 'an event, interrupted by a crash', fresh: true }));
    },
    { alone: true },
  );
});
