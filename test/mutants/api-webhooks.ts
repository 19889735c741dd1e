import type { HookEvent, HookSeams } from '../proving/hooks.ts';
import { correctHooks, hookTypes } from '../proving/hooks.ts';
import type { Journal } from '../proving/journal.ts';
import { rememberForever, type Once } from '../proving/once.ts';
import { verify } from '../proving/signature.ts';
import { pause, type Answer } from '../proving/wire.ts';
import type { Mutant } from './mutant.ts';
import { answeringAgain, metAtWork, rememberAfterwards, rememberLatest, rememberWhileAtWork } from './memories.ts';
import { signatureMutants } from './signature-mutants.ts';

const anyEvent = {
  id: 'api-webhooks/accepts-any-valid-event',
  why: 'generated events contain such values too',
} as const;

/** Milliseconds of an effect, so that two concurrent deliveries overlap in it. */
const meetingMs = 80;

function reading(read: (event: HookEvent) => ReturnType<HookSeams['read']>): Mutant['build'] {
  return () => ({ hooks: { read } });
}

/** Throws like a model that always expects a string. */
function refuseIf(wrong: boolean): { status: number } | undefined {
  return wrong ? { status: 500 } : undefined;
}

/** Seams that remember the ids of deliveries with an invalid signature. */
function rememberingForgeries(): {
  seams: Pick<HookSeams, 'early' | 'verify'>;
  isForged: (deliveryId: string) => boolean;
} {
  const forged = new Set<string>();
  let id = '';
  return {
    seams: {
      early: (_, { headers }) => void (id = String(headers['x-svc-delivery-id'])),
      verify: (...signed) => {
        const isValid = verify(...signed);
        if (!isValid) forged.add(id);
        return isValid;
      },
    },
    isForged: (deliveryId) => forged.has(deliveryId),
  };
}

const own: readonly Mutant[] = [
  {
    name: 'hook-cancellation-noted-before-verification',
    breaks: 'api-webhooks/refused-delivery-has-no-effect',
    what: 'The handler of cancellations notes them before the signature is verified; other events are noted afterwards.',
    build: () => {
      const known = new Set<string>();
      return {
        hooks: {
          early: (journal, { body, headers }) => {
            const id = String(headers['x-svc-delivery-id']);
            const isNew = known.size !== known.add(id).size;
            if (isNew && body.includes('"appointment.cancelled"')) journal.add(`cancellation by ${id}`);
          },
          effect: (journal, { type, data }, deliveryId) => {
            if (type !== 'appointment.cancelled') journal.add(`${type} of ${String(data.id)} by ${deliveryId}`);
          },
        },
      };
    },
  },
  {
    name: 'hook-second-move-conflicts-at-first',
    breaks: 'api-webhooks/accepts-reliably',
    what: 'The first appointment that is moved twice gets 500, since the version of its row has changed.',
    needsTheRest: 'a check of another requirement moves an appointment twice',
    build: () => {
      const moved = new Set<number>();
      let hasFailed = false;
      return {
        hooks: {
          read: ({ type, data }) => {
            if (type !== 'appointment.rescheduled') return undefined;
            const isSecond = moved.has(Number(data.id));
            moved.add(Number(data.id));
            if (!isSecond || hasFailed) return undefined;
            hasFailed = true;
            return { status: 500 };
          },
        },
      };
    },
  },
  {
    name: 'hook-reminders-not-remembered',
    breaks: 'api-webhooks/redelivery-has-one-effect',
    what: 'Reminders are noted again when their delivery comes again.',
    build: () => {
      const remembered = rememberForever();
      let isReminder = false;
      return {
        hooks: {
          read: ({ type }) => {
            isReminder = type === 'appointment.reminder_sent';
            return undefined;
          },
          once: (key, work) => (isReminder ? work() : remembered(key, work)),
        },
      };
    },
  },
  {
    name: 'hook-id-of-a-forgery-is-remembered',
    breaks: 'api-webhooks/refused-delivery-has-no-effect',
    what: 'The id of a delivery is remembered before its signature is verified, so the valid one counts as a repetition.',
    build: () => {
      const { seams, isForged } = rememberingForgeries();
      const right = correctHooks();
      const effect: HookSeams['effect'] = (journal, event, deliveryId) => {
        if (!isForged(deliveryId)) return right.effect(journal, event, deliveryId);
      };
      return { hooks: { ...seams, effect } };
    },
  },
  {
    name: 'hook-id-of-a-forgery-is-refused',
    breaks: 'api-webhooks/refused-delivery-has-no-effect',
    what: 'The id of a delivery is remembered before its signature is verified, and the valid one is answered 409.',
    build: () => {
      const { seams, isForged } = rememberingForgeries();
      const isOfForgery = (id: string | string[] | undefined) => isForged(String(id));
      return {
        hooks: {
          ...seams,
          read: (_, { headers }) => (isOfForgery(headers['x-svc-delivery-id']) ? { status: 409 } : undefined),
        },
      };
    },
  },
  {
    name: 'hook-noted-before-it-is-verified',
    breaks: 'api-webhooks/refused-delivery-has-no-effect',
    what: 'Each delivery is noted before its signature is verified; a bad one is answered 401 afterwards.',
    build: () => {
      const known = new Set<unknown>();
      return {
        hooks: {
          early: (journal, { headers }) => {
            const id = String(headers['x-svc-delivery-id']);
            if (!known.has(id)) journal.add(id);
            known.add(id);
          },
          effect: () => undefined,
        },
      };
    },
  },
  {
    name: 'hook-known-before-it-is-verified',
    breaks: 'api-webhooks/refuses-other-secret',
    what: 'A delivery whose id is known is answered 200 before its signature is verified.',
    build: () => {
      const known = new Set<string>();
      let isKnown = false;
      return {
        hooks: {
          early: (_, { headers }) => {
            isKnown = known.has(String(headers['x-svc-delivery-id']));
          },
          verify: (...signed) => isKnown || verify(...signed),
          effect: (journal, { type, data }, deliveryId) => {
            known.add(deliveryId);
            journal.add(`${type} of ${String(data.id)} by ${deliveryId}`);
          },
        },
      };
    },
  },
  {
    name: 'hook-verified-for-new-appointments-only',
    breaks: 'api-webhooks/refuses-other-secret',
    what: 'The signature is verified in the branch for appointment.created, and in no other one.',
    build: () => ({
      hooks: {
        verify: (header, body, secret) =>
          (JSON.parse(body.toString('utf8')) as HookEvent).type !== 'appointment.created' ||
          verify(header, body, secret),
      },
    }),
  },
  {
    name: 'hook-known-by-its-contact-and-time',
    breaks: 'api-webhooks/handles-similar-deliveries',
    what: 'A delivery counts as known when there was one of its type for the contact in the same second.',
    build: () => {
      const known = new Set<string>();
      return {
        hooks: {
          effect: (journal, { type, createdAt, data }) => {
            const key = `${type} ${String(data.contactId)} ${createdAt}`;
            if (!known.has(key)) journal.add(key);
            known.add(key);
          },
        },
      };
    },
  },
  {
    name: 'hook-known-by-its-appointment-and-type',
    breaks: 'api-webhooks/handles-similar-deliveries',
    what: 'A delivery counts as known when there was one of its type for the appointment, so a second move is lost.',
    build: () => {
      const known = new Set<string>();
      return {
        hooks: {
          effect: (journal, { type, data }) => {
            const key = `${type} ${String(data.id)}`;
            if (!known.has(key)) journal.add(`${key} at ${String(data.start)}`);
            known.add(key);
          },
        },
      };
    },
  },
  {
    name: 'hook-answered-204',
    breaks: 'api-webhooks/answers-200',
    what: 'Deliveries are answered 204.',
    build: () => ({ hooks: { accepted: () => ({ status: 204 }) } }),
  },
  {
    name: 'hook-answered-201-for-new-ones',
    breaks: 'api-webhooks/answers-200',
    what: 'A new appointment is answered 201.',
    build: () => ({ hooks: { accepted: ({ type }) => ({ status: type === 'appointment.created' ? 201 : 200 }) } }),
  },
  {
    name: 'hook-finished-forgotten',
    breaks: 'api-webhooks/accepts-every-event-type',
    what: 'The switch on the type has no branch for appointment.finished and throws.',
    mayAlso: [anyEvent],
    build: reading(({ type }) => refuseIf(type === 'appointment.finished')),
  },
  {
    name: 'hook-both-confirmations-expected',
    breaks: 'api-webhooks/accepts-null-and-set-times',
    what: 'An appointment that only one side has confirmed throws.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf((data.customerConfirmedAt === null) !== (data.businessConfirmedAt === null))),
  },
  {
    name: 'hook-moved-without-confirmation',
    breaks: 'api-webhooks/accepts-null-and-set-times',
    what: 'A move that resets the confirmation throws, because the column of the time does not take null.',
    mayAlso: [anyEvent],
    build: reading(({ type, data }) =>
      refuseIf(type === 'appointment.rescheduled' && data.customerConfirmedAt === null),
    ),
  },
  {
    name: 'hook-finished-time-unread',
    breaks: 'api-webhooks/accepts-null-and-set-times',
    what: 'An appointment with finishedAt set throws because its model knows only null there.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(data.finishedAt !== null)),
  },
  {
    name: 'hook-metadata-keys-as-columns',
    breaks: 'api-webhooks/accepts-metadata-with-unusual-keys',
    what: 'Each metadata key becomes a column, so keys that are not plain words throw.',
    mayAlso: [anyEvent],
    build: reading(({ data }) => refuseIf(!Object.keys(data.metadata as object).every((key) => /^\w+$/.test(key)))),
  },
  {
    name: 'hook-created-after-others',
    breaks: 'api-webhooks/accepts-events-out-of-order',
    what: 'A created event for an appointment that another event has already delivered violates a unique key.',
    mayAlso: [{ ...anyEvent, why: 'generated events may happen to be about the same appointment' }],
    build: () => {
      const known = new Map<unknown, string>();
      return {
        hooks: {
          read: ({ id, type, data }) => {
            const before = known.get(data.id);
            known.set(data.id, before ?? id);
            return refuseIf(type === 'appointment.created' && before !== undefined && before !== id);
          },
        },
      };
    },
  },
  {
    name: 'hook-strict-schema',
    breaks: 'api-webhooks/accepts-unknown-members',
    what: 'An event with a field outside the documented ones is refused.',
    build: reading((event) =>
      Object.keys(event).every((key) => ['id', 'type', 'createdAt', 'workspaceId', 'data'].includes(key))
        ? undefined
        : { status: 400 },
    ),
  },
  {
    name: 'hook-later-type-refused',
    breaks: 'api-webhooks/accepts-later-event-type',
    what: 'A type other than the six known ones is refused.',
    build: reading(({ type }) => (hookTypes.includes(type) ? undefined : { status: 422 })),
  },
  {
    name: 'hook-closed-list-of-statuses',
    breaks: 'api-webhooks/accepts-unknown-values',
    what: 'The status is mapped to a closed list, and a new one throws.',
    build: reading(({ data }) => refuseIf(!['proposed', 'confirmed', 'cancelled'].includes(String(data.status)))),
  },
  {
    name: 'hook-title-in-a-short-column',
    breaks: 'api-webhooks/accepts-long-and-large-values',
    what: 'The database column of titles stores at most 80 characters.',
    build: reading(({ data }) => refuseIf([...(data.title as string)].length > 80)),
  },
  {
    name: 'hook-title-in-a-three-byte-column',
    breaks: 'api-webhooks/accepts-any-valid-event',
    what: 'The database column of titles cannot store characters beyond U+FFFF.',
    build: reading(({ data }) => refuseIf(/[\u{10000}-\u{10ffff}]/u.test(data.title as string))),
  },
  {
    name: 'hook-rescheduled-ten-times',
    breaks: 'api-webhooks/accepts-any-valid-event',
    what: 'A reschedule count with more than one digit is refused.',
    build: reading(({ data }) => refuseIf((data.rescheduledCount as number) > 9)),
  },
  {
    name: 'hook-redelivery-is-a-conflict',
    breaks: 'api-webhooks/accepts-redelivery',
    what: 'A known delivery id violates a unique key and is answered 409.',
    build: () => ({ hooks: { once: answeringAgain(409, 'done') } }),
  },
  {
    name: 'hook-redelivery-at-once-is-locked',
    breaks: 'api-webhooks/accepts-redelivery-at-once',
    what: 'While a delivery is being processed, a repetition is answered 503.',
    needsTheRest: metAtWork,
    build: () => ({ hooks: { once: answeringAgain(503, 'at work') } }),
  },
  {
    name: 'hook-fails-alongside-another',
    breaks: 'api-webhooks/accepts-deliveries-at-once',
    what: 'While a delivery is being processed, the database is locked, and another one is answered 500.',
    stopsTheRest: 'Any two deliveries at about the same time fail.',
    build: () => ({ hooks: { once: refuseWhileBusy(() => ({ status: 500 })) } }),
  },
  {
    name: 'hook-busy-alongside-another',
    breaks: 'api-webhooks/needs-no-pause-at-once',
    what: 'While a delivery is being processed, another one is answered 503 with Retry-After: 1.',
    build: () => ({ hooks: { once: refuseWhileBusy(() => ({ status: 503, headers: { 'Retry-After': '1' } })) } }),
  },
  {
    name: 'hook-redelivery-noted-twice',
    breaks: 'api-webhooks/redelivery-has-one-effect',
    what: 'A delivery id is forgotten once its answer has been sent, so the same delivery later has a second effect.',
    build: () => ({ hooks: { effect: slowly, once: rememberWhileAtWork() } }),
  },
  {
    name: 'hook-latest-deliveries-remembered',
    breaks: 'api-webhooks/redelivery-has-one-effect',
    what: 'Only the ids of the latest eight deliveries are remembered.',
    needsTheRest: 'a delivery is forgotten only after others',
    build: () => ({ hooks: { once: rememberLatest(8) } }),
  },
  {
    name: 'hook-cancellation-noted-twice',
    breaks: 'api-webhooks/redelivery-has-one-effect',
    what: 'Only a cancellation has an effect, and each delivery of it has one.',
    build: () => ({
      hooks: {
        once: rememberWhileAtWork(),
        effect: async (journal, event, deliveryId) => {
          if (event.type === 'appointment.cancelled') await slowly(journal, event, deliveryId);
        },
      },
    }),
  },
  {
    name: 'hook-redelivery-at-once-noted-twice',
    breaks: 'api-webhooks/redelivery-at-once-has-one-effect',
    what: 'Two deliveries at once both find the delivery id unknown and both act.',
    build: () => ({ hooks: { once: rememberAfterwards() } }),
  },
];

/** Answers `busy()` to a delivery while another one is being processed. */
function refuseWhileBusy(busy: () => Answer): Once {
  const once = rememberForever();
  let isBusy = false;
  return async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    if (isBusy) return busy() as T;
    isBusy = true;
    await pause(meetingMs);
    isBusy = false;
    return await once(key, work);
  };
}

async function slowly(journal: Journal, { type, data }: HookEvent, deliveryId: string): Promise<void> {
  journal.add(`${type} of ${String(data.id)} by ${deliveryId}`);
  await pause(meetingMs);
}

/** Faults in accepting signed appointment events. */
export const apiWebhookMutants: readonly Mutant[] = [
  ...signatureMutants('api-webhooks', 'hook', ({ transport, ...seams }) => ({
    hooks: seams,
    ...(transport && { transport }),
  })),
  ...own,
];
