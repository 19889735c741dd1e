import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import { lookupEventTypes } from '../../specs/crm-event-types.ts';
import { judgeLookupDuring, judgeLookupsAfterAnswer, judgeLookupTime } from './judge-lookup-time.ts';
import { freshLookup, isKept, keptLookupAmongOthers, measureOnce, requireQuick } from './lookup-connections.ts';
import { typesWithoutLimit } from './lookups-during-events.ts';
import { callersToLookUp } from './timed-lookups.ts';

const callers = { configured: 'the configured caller', unknown: 'an unknown caller' } as const;

describe.concurrent('crm-webhook situation times', () => {
  for (const [type, caller, title] of [
    ['IncomingCallLookup', 'configured', 'a lookup on a new connection is answered in time'],
    ['NewConversation', 'configured', undefined],
    ['IncomingCallLookup', 'unknown', undefined],
    ['NewConversation', 'unknown', undefined],
  ] as const) {
    check(
      'crm-webhook/lookup-on-fresh-connection-within-two-seconds',
      title ?? `${type} of ${callers[caller]} on a new connection is answered in time`,
      async (kit) => {
        const contact = title === undefined ? contactOf(kit, caller) : {};
        await judgeLookupTime(
          kit,
          () => freshLookup(kit, type, contact),
          async () => {
            // If the usual caller's lookup is late on a kept connection, too, a new one is not the cause. It is timed once.
            for (const compared of [{}, contact]) await requireQuick(kit, 'kept', type, compared);
            return await measureOnce(kit, 'fresh', type, contact);
          },
        );
      },
    );
  }

  check(
    'crm-webhook/lookup-during-other-events-within-two-seconds',
    'lookups are answered in time while the endpoint works on a finished call that it has answered 202',
    judgeLookupsAfterAnswer,
  );

  for (const type of lookupEventTypes) {
    for (const caller of ['configured', 'unknown'] as const) {
      check(
        'crm-webhook/lookup-on-kept-connection-within-two-seconds',
        `${type} of ${callers[caller]} on a connection that was used before is answered in time`,
        async (kit) => {
          const contact = contactOf(kit, caller);
          await judgeLookupTime(
            kit,
            () => keptLookupAmongOthers(kit, type, contact),
            async () => {
              await requireQuick(kit, 'fresh', type, contact);
              const answer = await measureOnce(kit, 'kept', type, contact);
              if (!isKept(answer)) kit.notExercised('The endpoint does not keep connections open.');
              return answer;
            },
          );
        },
      );
    }

    for (const other of typesWithoutLimit) {
      check(
        'crm-webhook/lookup-during-other-events-within-two-seconds',
        `${type} is answered in time while the endpoint handles ${other}`,
        async (kit) => {
          for (const phoneNumber of callersToLookUp(kit)) await judgeLookupDuring(kit, { other, type, phoneNumber });
        },
      );
    }
  }
});

function contactOf({ settings, notExercised }: CheckKit, caller: keyof typeof callers): { phoneNumber: string } {
  if (caller === 'unknown') return { phoneNumber: unknownCaller };
  const { knownCaller } = settings.config.stimuli;
  return { phoneNumber: knownCaller ?? notExercised('No stimuli.knownCaller is configured.') };
}
