import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { lookupEventTypes, type LookupEventType } from '../../specs/crm-event-types.ts';
import { limits } from '../../specs/limits.ts';
import { timed } from '../certain-time.ts';
import { judgeLookupTime } from './judge-lookup-time.ts';
import { freshLookup, isKept, keptLookupAmongOthers, measureOnce, requireQuick } from './lookup-connections.ts';
import { deliverLookup, lookupTimes } from './timed-lookups.ts';

/** Events that an endpoint may work on for longer: they have no limit, and must not delay a lookup. */
const otherTypes = ['FinishedCall', 'FormSubmitted', 'AppointmentCreated'] as const;
/** Milliseconds by which the other event is ahead, so that the endpoint is handling it when the lookup arrives. */
const headStartMs = 25;
/** The same at least, and at most where the other event was answered before the lookup was sent. */
const [leastAheadMs, mostAheadMs] = [headStartMs / 2, 4 * headStartMs];
/** Milliseconds beyond the limit after which the other event is not waited for: by then a lookup would be late. */
const otherBeyondLimitMs = 500;
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

    for (const other of otherTypes) {
      check(
        'crm-webhook/lookup-during-other-events-within-two-seconds',
        `${type} is answered in time while the endpoint handles ${other}`,
        async (kit) => {
          const { knownCaller } = kit.settings.config.stimuli;
          for (const phoneNumber of new Set([knownCaller ?? unknownCaller, unknownCaller])) {
            const measure = () => lookUpDuring(kit, other, type, phoneNumber);
            const measureAmongOthers = async () => {
              const { lookup, isDuring } = await measure();
              return isDuring ? lookup : undefined;
            };
            await judgeLookupTime(kit, measureAmongOthers, async () => {
              for (const connection of ['fresh', 'kept'] as const)
                await requireQuick(kit, connection, type, { phoneNumber });
              return await timed(kit, lookupTimes, async () => (await measure()).lookup);
            });
          }
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

/**
 * Sends a lookup while another event is in flight. Returns after both have ended. `isDuring`: the other event was not
 * answered before, or only just, so that the endpoint may still work on it; among other traffic, the lookup may have
 * waited for its turn.
 */
async function lookUpDuring(
  kit: CheckKit,
  other: (typeof otherTypes)[number],
  type: LookupEventType,
  phoneNumber: string,
): Promise<{ lookup: CrmObservation; isDuring: boolean }> {
  const ahead = kit.crm.deliver(kit.sample.crmEvent(other), {
    label: `${other} during a lookup`,
    timed: true,
    timeoutMs: limits.crmLookupAnswerMs + otherBeyondLimitMs,
  });
  // It may end before anything waits for it.
  ahead.catch(() => undefined);
  await new Promise((wake) => setTimeout(wake, headStartMs));
  const [lookup, { at, times }] = await Promise.all([
    deliverLookup(kit, type, { phoneNumber }, { label: `${type} while ${other} is in flight` }),
    ahead,
  ]);
  const aheadMs = lookup.at - at - (times.connectMs ?? 0);
  return { lookup, isDuring: aheadMs >= leastAheadMs && aheadMs < Math.max(times.totalMs ?? 0, mostAheadMs) };
}
