import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import { judgeLateRefusals, judgeLateRepetition } from '../late-effects.ts';
import { reliabilityCheck } from '../reliable-acceptance.ts';
import { lateStalenessCheck, postBadDeliveries } from '../signed-deliveries.ts';
import { judgeLateRedelivery } from './late-redelivery.ts';
import { redeliverAtOnce, redeliverLater } from './redeliveries.ts';
import { refusedAndAccepted, signedEvents } from './signed-events.ts';

/** An unwanted request may arrive seconds later, so these checks are judged at the end of the run. */
describe.concurrent('api-webhooks until the end', () => {
  lateStalenessCheck(signedEvents);
  reliabilityCheck('api-webhooks');

  check(
    'api-webhooks/refused-delivery-has-no-effect',
    'a delivery with a bad signature leads to no request to API v1',
    async (kit) => {
      await postBadDeliveries(signedEvents, kit);
      const { refused, accepted } = refusedAndAccepted(kit);
      await judgeLateRefusals(kit, refused, accepted);
    },
  );

  check(
    'api-webhooks/redelivery-has-one-effect',
    'a delivery that comes again after many others has no second effect',
    judgeLateRedelivery,
    { alone: true },
  );

  for (const [requirement, title, redeliver] of [
    [
      'api-webhooks/redelivery-has-one-effect',
      'a delivery that comes again leads to no second request to API v1',
      redeliverLater,
    ],
    [
      'api-webhooks/redelivery-at-once-has-one-effect',
      'a delivery that comes twice at once leads to no second request to API v1',
      redeliverAtOnce,
    ],
  ] as const) {
    check(requirement, title, async (kit) => {
      await postBadDeliveries(signedEvents, kit);
      const redelivered = await redeliver(kit);
      await judgeLateRepetition(kit, redelivered, refusedAndAccepted(kit).accepted);
    });
  }
});
