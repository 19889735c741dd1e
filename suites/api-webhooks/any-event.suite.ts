import { describe } from 'vitest';
import { check } from '../../harness/checks/check.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';
import { toBeAccepted } from '../matchers/answer-matchers.ts';
import { extremeEvents, moderateEvents } from '../events-to-send.ts';
import { forAnyEvent } from '../for-any-event.ts';

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
        ...choose<ApiWebhookEvent>('apiWebhookEvent', kit.settings),
        // An id belongs to one event, so each event needs its own.
        deliver: (event) =>
          kit.hooks.post(kit.hooks.sign({ ...event, id: kit.ids.text() }), { label: `generated ${event.type}` }),
        judge: toBeAccepted,
      });
    });
  }
});
