import { adoptAppointment } from '../../service/adopt-event.ts';
import { Clock } from '../../service/clock.ts';
import type { ServiceInbox } from '../../service/service-inbox.ts';
import type { AppointmentRecord } from '../../service/workspace.ts';
import type { ApiWebhookEvent } from '../../specs/generated/types.ts';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const durationMinutes = 30;

/** A clock that starts three days ago, so that the history of an appointment event is in the past. */
export function clockBefore(): Clock {
  return new Clock(Date.now() - 3 * dayMs);
}

/**
 * An appointment in the state after an event: the service creates it, the customer answers, the service reschedules or
 * cancels it, and time passes until now. No endpoint may be connected to the inbox yet: it would receive all events.
 */
export async function preparedAppointment(
  inbox: ServiceInbox,
  type: ApiWebhookEvent['type'],
  phone: string,
): Promise<AppointmentRecord> {
  const { appointments, clock, ids } = inbox;
  const now = Date.now();
  // A reminder is due a day before, the end after the duration; otherwise the start is a full hour.
  const start =
    type === 'appointment.reminder_sent'
      ? now + dayMs
      : type === 'appointment.finished'
        ? now - durationMinutes * 60_000
        : Math.ceil((now + 2 * dayMs) / hourMs) * hourMs;
  const { id } = appointments.create({
    phone,
    start: new Date(start).toISOString(),
    durationMinutes,
    title: 'Consultation',
    kind: 'in_person',
    confirmed: type === 'appointment.reminder_sent' || type === 'appointment.finished',
    externalId: `ext-${ids.text().slice(0, 8)}`,
    metadata: { source: 'website' },
  });
  await clock.move(Math.max(0, now - clock.now()));
  if (type === 'appointment.confirmed') await appointments.accept(id);
  if (type === 'appointment.cancelled') appointments.cancel(id);
  if (type === 'appointment.rescheduled') appointments.change(id, { start: new Date(start + dayMs).toISOString() });
  await appointments.settled();
  return appointments.get(id);
}

/**
 * Gives an appointment the data of an event about it, if the interface permits them. Its ids stay: see
 * {@link assignIds}.
 */
export function setAppointment(inbox: ServiceInbox, appointment: AppointmentRecord, data: object): void {
  const { id, contactId, projectId } = appointment;
  const changed = adoptAppointment(inbox, { ...data, id, contactId, projectId });
  if (changed) inbox.workspace.appointments.set(id, Object.assign(appointment, changed));
}
