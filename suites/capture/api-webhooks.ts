import { appointmentEventTypes } from '../../specs/appointment-event-types.ts';
import { isSuccess } from '../../harness/wire/answer-status.ts';
import type { CaptureRule } from './capture-rules.ts';
import { accepted, judgeable, notJudgedReason, withStatus } from './deliveries.ts';
import { signatureRules } from './signed-deliveries.ts';

/** Rules about recorded API webhooks (interface: API webhook events, Authentication). */
export const apiWebhookRules: readonly CaptureRule[] = [
  ...signatureRules('api-webhooks', ({ hooks }) => hooks),
  ...appointmentEventTypes.map((type): CaptureRule => ({
    requirement: 'api-webhooks/accepts-every-event-type',
    title: `${type} is accepted`,
    needs: ({ hooks }) => `The recording has no answer to a ${type} of the service.${notJudgedReason(hooks)}`,
    judge: ({ hooks }) => accepted(judgeable(hooks).filter(({ event }) => event?.type === type)),
  })),
  {
    requirement: 'api-webhooks/accepts-later-event-type',
    title: 'an event type that came later is accepted',
    needs: 'The recording has no event of a type that came later.',
    judge: ({ hooks }) =>
      accepted(
        judgeable(hooks).filter(({ event }) => {
          const type = event?.type;
          return typeof type === 'string' && !appointmentEventTypes.some((known) => known === type);
        }),
      ),
  },
  {
    requirement: 'api-webhooks/answers-200',
    title: 'a delivery that is accepted is answered 200',
    needs: 'The recording has no delivery that was accepted.',
    judge: ({ hooks }) =>
      withStatus(
        judgeable(hooks).filter(({ answer }) => isSuccess(answer.status)),
        200,
      ),
  },
  {
    requirement: 'api-webhooks/accepts-redelivery',
    title: 'a delivery that comes again is accepted again',
    needs: 'The recording has no repeated X-Svc-Delivery-Id after an accepted one.',
    judge: ({ hooks }) =>
      [...Map.groupBy(judgeable(hooks), ({ key }) => key)].flatMap(([key, same]) => {
        const taken = same.findIndex(({ answer }) => isSuccess(answer.status));
        return key === undefined || taken < 0 ? [] : accepted(same.slice(taken + 1));
      }),
  },
];
