import { describe, expect, it } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import { limits } from '../../specs/limits.ts';
import { AppointmentInbox, begin, hour, inUtc, minute, phone } from './appointment-inbox.ts';

const start = begin + 72 * hour;
const day = 24 * hour;

/** Times of the reminders that customers received, in minutes before `to`. */
function remindedBefore(service: AppointmentInbox, to: number): number[] {
  return service
    .reported('to-customer')
    .filter(({ data }) => data.kind === 'reminder')
    .map(({ at }) => (to - Date.parse(`${at}Z`)) / minute);
}

async function typesOf(service: AppointmentInbox): Promise<string[]> {
  return (await service.hooks()).map(({ type }) => type);
}

describe('reminders', () => {
  it('service/appointment-reminds-twice: to the minute, through the WhatsApp number', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start), confirmed: true, title: 'Consultation' });
    await service.clock.move(5 * day);
    expect(remindedBefore(service, start)).toEqual(limits.reminderMinutesBefore);
    expect(remindedBefore(service, start)).toEqual([1440, 30]);
    const [first] = service.reported('to-customer').filter(({ data }) => data.kind === 'reminder');
    expect(first?.data).toMatchObject({ appointmentId: id, channel: 'whatsapp', asTemplate: true });
    expect(first?.data.text).toContain('“Consultation” on 2026-10-14 at 11:30');
  });

  it('go to WhatsApp, wherever the conversation is', async () => {
    const service = new AppointmentInbox();
    service.inbox.conversations.open(service.inbox.contacts.forPhone(phone), 'sms');
    service.create({ start: inUtc(start), confirmed: true });
    await service.clock.move(72 * hour);
    const channels = service.reported('to-customer').map(({ data }) => data.channel);
    expect(channels).toEqual(['sms', 'whatsapp', 'whatsapp']);
  });

  it('service/appointment-reminders-are-reported: with the appointment as it was', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start), confirmed: true });
    const before = service.shown(id);
    await service.clock.move(72 * hour);
    expect(service.shown(id)).toEqual(before);
    const [, ...reminders] = await service.hooks();
    expect(reminders).toEqual([
      expect.objectContaining({ type: 'appointment.reminder_sent', createdAt: timestamp(start - day), data: before }),
      expect.objectContaining({
        type: 'appointment.reminder_sent',
        createdAt: timestamp(start - 30 * minute),
        data: before,
      }),
    ]);
  });

  it('service/appointment-reminds-when-both-agreed: from then on', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start) });
    const other = service.create({ start: inUtc(start) });
    await service.inbox.appointments.decline(other);
    // After the first of the two reminders.
    await service.clock.move(49 * hour);
    expect(remindedBefore(service, start)).toEqual([]);
    await service.inbox.appointments.accept(id);
    await service.clock.move(day);
    expect(remindedBefore(service, start)).toEqual([30]);
    expect(service.shown(other).status).toBe('proposed');
  });

  it('service/appointment-reminds-from-an-own-number: and nothing is reported as sent', async () => {
    const service = new AppointmentInbox({ hasOwnWhatsAppNumber: false });
    service.create({ start: inUtc(start), confirmed: true });
    await service.clock.move(50 * hour);
    expect(remindedBefore(service, start)).toEqual([]);
    expect(service.reported('appointment').at(-1)?.text).toContain('no own WhatsApp number');
    // Once it has one, the remaining reminders are sent.
    service.inbox.workspace.hasOwnWhatsAppNumber = true;
    await service.clock.move(day);
    expect(remindedBefore(service, start)).toEqual([30]);
    expect(await typesOf(service)).toEqual([
      'appointment.created',
      'appointment.reminder_sent',
      'appointment.finished',
    ]);
  });

  it('go out when the calendar of the inbox says so', async () => {
    const service = new AppointmentInbox({ reminderMinutesBefore: [15, 2880, 15] });
    service.create({ start: inUtc(start), confirmed: true });
    const none = new AppointmentInbox({ reminderMinutesBefore: [] });
    none.create({ start: inUtc(start), confirmed: true });
    await service.clock.move(5 * day);
    await none.clock.move(5 * day);
    expect(remindedBefore(service, start)).toEqual([2880, 15]);
    expect(remindedBefore(none, start)).toEqual([]);
  });

  it('are omitted when their time has passed, and sent exactly at their time', async () => {
    for (const [ahead, expected] of [
      [day, [1440, 30]],
      [day - 1000, [30]],
      [30 * minute, [30]],
      [30 * minute - 1000, []],
      [-hour, []],
    ] as const) {
      const service = new AppointmentInbox();
      service.create({ start: inUtc(begin + ahead), confirmed: true });
      await service.clock.move(2 * day);
      expect(remindedBefore(service, begin + ahead), String(ahead)).toEqual(expected);
    }
  });

  it('move with the appointment', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start), confirmed: true });
    await service.clock.move(49 * hour);
    expect(remindedBefore(service, start)).toEqual([1440]);
    const moved = start + 48 * hour;
    service.inbox.appointments.change(id, { start: inUtc(moved), confirmed: true });
    await service.clock.move(10 * day);
    expect(remindedBefore(service, moved)).toEqual([1440 + 2880, 1440, 30]);
  });

  it('are cancelled when the new time must be confirmed, and when the appointment is cancelled', async () => {
    const service = new AppointmentInbox();
    const { appointments } = service.inbox;
    const moved = service.create({ start: inUtc(start), confirmed: true });
    appointments.change(moved, { start: inUtc(start + hour) });
    const cancelled = service.create({ start: inUtc(start), confirmed: true });
    appointments.cancel(cancelled);
    await service.clock.move(10 * day);
    expect(remindedBefore(service, start)).toEqual([]);
    expect(await typesOf(service)).not.toContain('appointment.reminder_sent');
    expect(await typesOf(service)).not.toContain('appointment.finished');
  });

  it('do not go to a customer who cannot be reached', async () => {
    const service = new AppointmentInbox();
    service.create({ start: inUtc(start), confirmed: true });
    service.inbox.contacts.forPhone(phone).undeliverable = true;
    await service.clock.move(72 * hour);
    expect(await typesOf(service)).toEqual(['appointment.created']);
    expect(service.reported('to-team').map(({ data }) => data.kind)).toEqual(['note', 'note']);
  });
});

describe('the end of an appointment', () => {
  it('service/appointment-finished-is-reported: when its duration has passed', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start), durationMinutes: 45, confirmed: true });
    await service.clock.move(72 * hour + 45 * minute - 1);
    expect(service.shown(id).finishedAt).toBeNull();
    await service.clock.move(1);
    const end = timestamp(start + 45 * minute);
    expect(service.shown(id)).toMatchObject({ finishedAt: end, status: 'confirmed', updatedAt: end });
    const events = (await service.hooks()).filter(({ type }) => type === 'appointment.finished');
    expect(events).toEqual([expect.objectContaining({ createdAt: end, data: service.shown(id) })]);
    await service.clock.move(10 * day);
    expect((await typesOf(service)).filter((type) => type === 'appointment.finished')).toHaveLength(1);
  });

  it('is reported at once for one that is agreed only afterwards', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(begin - day), confirmed: true });
    expect(service.shown(id).finishedAt).toBeNull();
    await service.clock.move(0);
    expect(service.shown(id).finishedAt).toBe(timestamp(begin));
  });

  it('is not reported for a proposal', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ start: inUtc(start) });
    await service.clock.move(10 * day);
    expect(service.shown(id)).toMatchObject({ status: 'proposed', finishedAt: null });
    await service.inbox.appointments.accept(id);
    await service.clock.move(0);
    expect(await typesOf(service)).toEqual(['appointment.created', 'appointment.confirmed', 'appointment.finished']);
  });

  it('may be beyond the range of dates', async () => {
    const service = new AppointmentInbox();
    const id = service.create({
      start: '9999-12-31T23:59:59Z',
      durationMinutes: Number.MAX_SAFE_INTEGER,
      confirmed: true,
    });
    expect(service.shown(id)).toMatchObject({ start: '9999-12-31T23:59:59', startLocal: '9999-12-31T23:59:59' });
    await service.clock.move(10 * day);
    expect(await typesOf(service)).toEqual(['appointment.created']);
  });
});
