import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeCrash, requireChaos } from '../judge-crash.ts';
import { noEffectReason } from '../observed-effects.ts';
import { effectiveFinishedCall } from './effective-event.ts';

describe.concurrent('crm-webhook crash', () => {
  check(
    'crm-webhook/one-effect-after-a-crash',
    'an event that comes again after a crash has one effect',
    async (kit) => {
      requireChaos(kit);
      const effective = await effectiveFinishedCall(kit);
      if (effective === undefined) return kit.notExercised(noEffectReason(kit));
      const { type, create } = effective;
      const event = create();
      const callback = kit.inbox.callbackBox(`callback of: ${type}, interrupted by a crash`, () => ({ status: 200 }));
      await judgeCrash(kit, () =>
        kit.crm.deliver(event, {
          label: `${type}, interrupted by a crash`,
          callback,
          redelivered: true,
          fresh: true,
        }),
      );
    },
    { alone: true },
  );
});
