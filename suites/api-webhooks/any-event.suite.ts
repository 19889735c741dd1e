import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { subscribedType, subscribedTypes } from '../../harness/config/subscribed-types.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { extremeEvents, moderateEvents, type EventsToSend } from '../events-to-send.ts';
import { forAnyEvent } from '../for-any-event.ts';
import { sentNow } from '../sent-now.ts';

describe.concurrent('api-webhooks any event', () => {
  for (const [requirement, title, choose] of [
    ['api-webhooks/accepts-any-valid-event', 'any event that the interface allows is accepted', moderateEvents],
    [
      'api-webhooks/accepts-long-and-large-values',
      'long strings and large numbers are accepted like any others',
      extremeEvents,
    ],
  ] as const) {
    check(requirement, title, async (kit) => {
      await forAnyEvent<ApiWebhookEvent>(kit, {
        ...onlySubscribed(choose<ApiWebhookEvent>('apiWebhookEvent', kit.settings), kit.settings),
        // An id belongs to one event, so each event needs its own.
        isUnanswered: ({ type }) => kit.hooks.isUnanswered(type),
        deliver: (event) =>
          kit.hooks.post(kit.hooks.sign(sentNow({ ...event, id: kit.ids.text() })), {
            label: `generated ${event.type}`,
          }),
        judge: toBeAccepted,
      });
    });
  }
});

/** Only events of the types that the endpoint subscribed to; edge cases of other fields keep their values. */
function onlySubscribed(
  chosen: EventsToSend<ApiWebhookEvent>,
  { config }: CheckKit['settings'],
): EventsToSend<ApiWebhookEvent> {
  const types = subscribedTypes(config);
  return {
    ...chosen,
    events: chosen.events.filter(({ type }) => types.includes(type)),
    edges: chosen.edges.map((event) => ({ ...event, type: subscribedType(config, event.type) })),
  };
}
