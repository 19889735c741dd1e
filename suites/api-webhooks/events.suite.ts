import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { utcTimestamp } from '../../harness/checks/samples.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { expect } from '../matchers/expect.ts';
import { isAccepted } from '../observed-effects.ts';
import { unknownFields } from '../unknown-fields.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { plainAnswer, sampleEvent } from './sample-event.ts';

const time = '2026-10-11T09:30:00';

/** Appointments with edge values of an event. */
const times: Record<string, Partial<Appointment>> = {
  'every nullable time null': {
    customerConfirmedAt: null,
    businessConfirmedAt: null,
    cancelledAt: null,
    finishedAt: null,
  },
  'every nullable time set': {
    customerConfirmedAt: time,
    businessConfirmedAt: time,
    cancelledAt: time,
    finishedAt: time,
  },
  'customerConfirmedAt alone set': { customerConfirmedAt: time, businessConfirmedAt: null },
  'businessConfirmedAt alone set': { customerConfirmedAt: null, businessConfirmedAt: time },
  'cancelledAt alone set': { customerConfirmedAt: null, businessConfirmedAt: null, cancelledAt: time },
  'finishedAt alone set': { customerConfirmedAt: null, businessConfirmedAt: null, finishedAt: time },
};

/** Events about an appointment that no one has confirmed so far, or whose confirmation a move has reset. */
const unconfirmed: readonly [type: ApiWebhookEvent['type'], Partial<Appointment>][] = [
  ['appointment.created', { status: 'proposed' }],
  ['appointment.rescheduled', { status: 'proposed', rescheduledCount: 1 }],
  ['appointment.cancelled', { status: 'cancelled', cancelledAt: time }],
];

const metadata: Record<string, Record<string, string>> = {
  'no metadata': {},
  'metadata with an empty key': { '': 'value' },
  'metadata with dots, slashes and quotes in keys': { 'a.b': '1', 'c/d~e': '2', 'say "hi"\\': '3' },
  'metadata with keys beyond ASCII': { größe: 'groß', رقم: '٣', '🔑': '🔓' },
  'metadata with names of object fields': { constructor: '1', toString: '2', hasOwnProperty: '3', length: '4' },
  'metadata whose values look like other types': { number: '1.50', yes: 'true', nothing: 'null', empty: '' },
};

describe.concurrent('api-webhooks events', () => {
  for (const [what, change] of Object.entries(times)) {
    check('api-webhooks/accepts-null-and-set-times', `an appointment with ${what} is accepted`, async (kit) => {
      expect(await send(kit, sampleEvent(kit, change), what)).toBeAccepted();
    });
  }

  for (const [type, change] of unconfirmed) {
    const what = `${type} of an appointment that no one has confirmed`;
    check('api-webhooks/accepts-null-and-set-times', `${what} is accepted`, async (kit) => {
      const { sample, settings, notExercised } = kit;
      if (!subscribedTypes(settings.config).includes(type)) return notExercised(`${type} is not subscribed to.`);
      if (!isAccepted(await plainAnswer(kit, type))) {
        return notExercised(`A plain ${type} is not accepted either; another check judges that.`);
      }
      const byNoOne = { customerConfirmedAt: null, businessConfirmedAt: null };
      expect(await send(kit, sample.apiWebhookEvent(type, { ...change, ...byNoOne }), what)).toBeAccepted();
    });
  }

  for (const [what, change] of Object.entries(metadata)) {
    check('api-webhooks/accepts-metadata-with-unusual-keys', `${what} is accepted`, async (kit) => {
      expect(await send(kit, sampleEvent(kit, { metadata: change }), what)).toBeAccepted();
    });
  }

  check(
    'api-webhooks/accepts-events-out-of-order',
    'events of one appointment are accepted in any order',
    async (kit) => {
      const { sample } = kit;
      const now = Date.now();
      const appointment = sample.appointment();
      const at = (type: ApiWebhookEvent['type'], secondsAgo: number, change: Partial<Appointment> = {}) => ({
        ...sample.apiWebhookEvent(type),
        createdAt: utcTimestamp(now - secondsAgo * 1000),
        data: { ...appointment, ...change, updatedAt: utcTimestamp(now - secondsAgo * 1000) },
      });
      const cancelled = { status: 'cancelled', cancelledAt: utcTimestamp(now) } as const;
      const events = [
        at('appointment.cancelled', 0, cancelled),
        at('appointment.confirmed', 20),
        at('appointment.rescheduled', 10, { rescheduledCount: 1 }),
        at('appointment.created', 30, { status: 'proposed', customerConfirmedAt: null, businessConfirmedAt: null }),
      ].filter(({ type }) => subscribedTypes(kit.settings.config).includes(type) && !kit.hooks.isUnanswered(type));
      if (events.length < 2) {
        return kit.notExercised('No two event types whose order can be changed are subscribed to and answered.');
      }
      for (const event of events) {
        expect(await send(kit, event, `${event.type}, out of order`)).toBeAccepted();
      }
    },
  );

  check('api-webhooks/accepts-unknown-members', 'unknown fields are ignored at every depth', async (kit) => {
    const answers = unknownFields(sampleEvent(kit), kit.settings).map((event) =>
      send(kit, event, 'unknown fields at every depth'),
    );
    for (const answer of await Promise.all(answers)) expect(answer).toBeAccepted();
  });

  check(
    'api-webhooks/accepts-unknown-values',
    'an appointment status or kind that came later is accepted',
    async (kit) => {
      const event = sampleEvent(kit);
      for (const change of [{ status: 'no_show' }, { kind: 'walk_in' }]) {
        const later = deviating({ ...event, data: { ...event.data, ...change } }, '/data/status', '/data/kind');
        expect(await send(kit, later, `an appointment with ${JSON.stringify(change)}`)).toBeAccepted();
      }
    },
  );

  check('api-webhooks/accepts-later-event-type', 'an event type that came later is accepted', async (kit) => {
    const event = deviating({ ...sampleEvent(kit), type: 'appointment.no_show' }, '/type');
    expect(await send(kit, event, 'an unknown event type')).toBeAccepted();
  });
});

function send(
  { hooks }: CheckKit,
  event: Record<string, unknown> | ApiWebhookEvent,
  label: string,
): Promise<Observation> {
  return hooks.post(hooks.sign(event), { label });
}
