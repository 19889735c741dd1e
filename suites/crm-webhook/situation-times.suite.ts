import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { unknownCaller } from '../../harness/checks/samples.ts';
import type { CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { lookupEventTypes, type LookupEventType } from '../../specs/crm-event-types.ts';
import { limits } from '../../specs/limits.ts';
import { timed } from '../certain-time.ts';
import { toBeInTime } from '../matchers/answer-matchers.ts';
import { once } from '../once.ts';
import { deliverLookup, judgeLookupTime, lookupTimes } from './timed-lookups.ts';

/** Events that an endpoint may work on for longer: they have no limit, and must not delay a lookup. */
const otherTypes = ['FinishedCall', 'FormSubmitted', 'AppointmentCreated'] as const;
/** Milliseconds by which the other event is ahead, so that the endpoint is handling it when the lookup arrives. */
const headStartMs = 25;
/** Milliseconds beyond the limit after which the other event is not waited for: by then a lookup would be late. */
const otherBeyondLimitMs = 500;
/** Lookups whose connections other traffic may take before the lookup is timed alone. */
const mostTaken = 2;

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
            await requireQuick(kit, 'kept', type, contact);
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
            await judgeLookupTime(kit, measure, async () => {
              await requireQuick(kit, 'kept', type, { phoneNumber });
              return await timed(kit, lookupTimes, measure);
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

type Caller = { phoneNumber?: string };

/** Ways to measure a lookup, by the connection that it uses. */
const measures = { fresh: freshLookup, kept: keptLookup };

function freshLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  return deliverLookup(kit, type, contact, { fresh: true });
}

/** A lookup after another one, so that it comes on the connection of that one if the endpoint keeps it. */
async function keptLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  await deliverLookup(kit, type, contact, { label: `${type} that opens a connection` });
  return await nextLookup(kit, type, contact);
}

/** The same among other traffic, which may take the connection; `undefined` where it does each time. */
async function keptLookupAmongOthers(
  kit: CheckKit,
  type: LookupEventType,
  contact: Caller,
): Promise<CrmObservation | undefined> {
  let answer = await keptLookup(kit, type, contact);
  for (let more = 1; more < mostTaken && !isKept(answer); more++) answer = await nextLookup(kit, type, contact);
  return isKept(answer) ? answer : undefined;
}

async function nextLookup(kit: CheckKit, type: LookupEventType, contact: Caller): Promise<CrmObservation> {
  // The client releases a connection only in a later tick.
  await new Promise((wake) => setImmediate(wake));
  return await deliverLookup(kit, type, contact, { label: `${type} after another one` });
}

function isKept({ times }: CrmObservation): boolean {
  return times.connectMs === null;
}

/** One measurement with no other traffic serves the check of its situation and those that compare theirs with it. */
function measureOnce(
  kit: CheckKit,
  connection: keyof typeof measures,
  type: LookupEventType,
  contact: Caller,
): Promise<CrmObservation> {
  return once(kit.session, `crm ${connection} ${type} ${contact.phoneNumber ?? ''}`, () =>
    timed(kit, lookupTimes, () => measures[connection](kit, type, contact)),
  );
}

/** Ends the check where the same lookup is late without the situation: then the situation is not the cause. */
async function requireQuick(
  kit: CheckKit,
  connection: keyof typeof measures,
  type: LookupEventType,
  contact: Caller,
): Promise<void> {
  const late = toBeInTime(await measureOnce(kit, connection, type, contact));
  if (late) kit.notExercised(`The same ${type} is late in an ordinary situation too: ${late.received}.`);
}

/** Sends a lookup while another event is in flight. Returns after both have ended. */
async function lookUpDuring(
  kit: CheckKit,
  other: (typeof otherTypes)[number],
  type: LookupEventType,
  phoneNumber: string,
): Promise<CrmObservation> {
  const ahead = kit.crm.deliver(kit.sample.crmEvent(other), {
    label: `${other} during a lookup`,
    timed: true,
    timeoutMs: limits.crmLookupAnswerMs + otherBeyondLimitMs,
  });
  // It may end before anything waits for it.
  ahead.catch(() => undefined);
  await new Promise((wake) => setTimeout(wake, headStartMs));
  const [answer] = await Promise.all([
    deliverLookup(kit, type, { phoneNumber }, { label: `${type} while ${other} is in flight` }),
    ahead,
  ]);
  return answer;
}
