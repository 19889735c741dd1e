import type { CheckKit } from '../../harness/checks/check.ts';
import { subscribedTypes } from '../../harness/config/subscribed-types.ts';
import { header, type Observation } from '../../harness/wire/observation.ts';
import type { ApiWebhookEvent, Appointment } from '../../specs/generated/types.ts';
import { conclude } from '../matchers/expect.ts';
import { effectsBetween, isAccepted, settledState, stateAfterEffect } from '../observed-effects.ts';
import { moved, movedAppointment } from './moved-appointment.ts';

type EventType = ApiWebhookEvent['type'];

/** A move that shows no effect is sent once more. */
const attempts = 2;

/** Types that an earlier delivery about an appointment may have, the likeliest first. */
const earlierTypes: readonly EventType[] = [
  'appointment.confirmed',
  'appointment.created',
  'appointment.reminder_sent',
  'appointment.finished',
  'appointment.cancelled',
];

/**
 * Requires an effect of the move of an appointment about which an earlier delivery came, where a move of any other
 * appointment leads to a request to API v1. An endpoint that sends the same request whatever the type is, or none for the
 * second of two moves, may report new appointments only, so it is not judged; neither are effects that only its state
 * shows.
 */
export async function judgeKnownAppointment(kit: CheckKit): Promise<void> {
  const { hooks, sample, settings, notExercised } = kit;
  const types = subscribedTypes(settings.config);
  const earlier = earlierTypes.find((type) => types.includes(type));
  if (earlier === undefined || !types.includes(moved)) {
    return notExercised(`apiWebhooks.events does not list ${moved} and another type.`);
  }
  const newAppointment = () => movedAppointment(kit, sample.appointment({ contactId: sample.newCustomer().id }), 1);
  const post = (type: EventType, data: Appointment, label: string): Promise<Observation> =>
    hooks.post(hooks.sign(sample.apiWebhookEvent(type, data)), { label });
  const ofMove = kit.inbox.apiEffects.count === 0 ? '' : await requestsAbout(kit, moved, newAppointment());
  if (ofMove === '') return notExercised('The move of an appointment led to no request to API v1.');
  const ofEarlier = await requestsAbout(kit, earlier, newAppointment());
  if (ofMove === ofEarlier || ofEarlier !== (await requestsAbout(kit, earlier, newAppointment()))) {
    return notExercised('The requests to API v1 do not show that they depend on the type of the event.');
  }
  for (let attempt = 1; ; attempt++) {
    const appointment = newAppointment();
    const atFirst = await settledState(kit, 'the state before');
    await post(earlier, appointment, `${earlier} of an appointment before it is moved`);
    const before = await stateAfterEffect(kit, atFirst, 'the state before the move');
    const move = await post(moved, movedAppointment(kit, appointment, 2), 'the move of a known appointment');
    let after = await settledState(kit, 'the state after the move');
    if (!isAccepted(move)) return notExercised('The move was not accepted; other checks judge that.');
    const isChanged = () => after.text !== before.text || after.done !== before.done;
    // The effect may come later than any before.
    if (!isChanged()) after = await stateAfterEffect(kit, before, 'the state some time after the move');
    if (isChanged()) return conclude(move, undefined);
    if (attempt < attempts) continue;
    const another = newAppointment();
    await requestsAbout(kit, moved, another);
    if ((await requestsAbout(kit, moved, movedAppointment(kit, another, 2))) === '')
      return notExercised('Only the first event of an appointment leads to a request to API v1.');
    return conclude(move, {
      expected: `an effect of the move of an appointment about which ${earlier} came before`,
      received: `none, ${attempts} times out of ${attempts}, but a request to API v1 for the move of another appointment`,
      hint: 'Recognise a repeated delivery by X-Svc-Delivery-Id alone: several events are about the same appointment.',
    });
  }
}

/** The requests to API v1 after one event, without ids and numbers. */
async function requestsAbout(kit: CheckKit, type: EventType, data: Appointment): Promise<string> {
  const { hooks, sample } = kit;
  const event = sample.apiWebhookEvent(type, data);
  const delivery = hooks.sign(event);
  const before = await settledState(kit, 'the state before');
  await hooks.post(delivery, { label: `${type}, observed` });
  const after = await stateAfterEffect(kit, before, 'the state after one delivery');
  const { requests } = effectsBetween(kit, before, after);
  return requests
    .map(({ signature }) =>
      withoutIds(signature, [event.id, data.externalId ?? '', header(delivery, 'X-Svc-Delivery-Id') ?? '']),
    )
    .toSorted()
    .join('\n');
}

function withoutIds(text: string, ids: readonly string[]): string {
  const named = ids.filter((id) => id !== '').reduce((rest, id) => rest.replaceAll(id, '#'), text);
  return named.replaceAll(/\d+/g, '#');
}
