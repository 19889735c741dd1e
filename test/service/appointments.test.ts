import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { Problem } from '../../service/problem.ts';
import { appointmentHandlers } from '../../service/api/appointment-handlers.ts';
import type { ApiCall } from '../../service/api/handler.ts';
import { limits } from '../../specs/limits.ts';
import type { ApiWebhookEvent, CrmEvent } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import { AppointmentInbox, answered, begin, crmUrl, hour, inUtc, minute, phone } from './appointment-inbox.ts';

const start = begin + 240 * hour;
const now = '2026-10-11T09:30:00';
const typesOf = (events: readonly ApiWebhookEvent[]) => events.map(({ type }) => type);

/** The last notice to the customer. */
const lastNotice = (service: AppointmentInbox) => service.reported('to-customer').at(-1)?.data;

/** The customer has just written on WhatsApp, so that its window is open. */
function openWindow(service: AppointmentInbox): void {
  service.inbox.contacts.forPhone(phone).lastWroteAt.whatsapp = service.clock.now();
}

describe('a new appointment', () => {
  it('service/appointment-is-created: as requested, answered 201', async () => {
    const service = new AppointmentInbox();
    const body = {
      phone: '+49 1522 8817386',
      start: '2026-12-01T09:00:00Z',
      durationMinutes: 45,
      title: 'Consultation',
      kind: 'in_person',
      confirmed: false,
      externalId: 'cal-4711',
      metadata: { source: 'website' },
    };
    const call: ApiCall = { inbox: service.inbox, keyName: 'a key', parameters: {}, body };
    const { status, body: made } = appointmentHandlers.createAppointment(call);
    expect(status).toBe(201);
    const contact = service.inbox.contacts.byPhone(phone);
    expect(made).toEqual({
      id: made.id,
      externalId: 'cal-4711',
      metadata: { source: 'website' },
      contactId: contact?.id,
      projectId: service.inbox.conversations.openProject(contact as never)?.id,
      title: 'Consultation',
      start: '2026-12-01T09:00:00',
      startLocal: '2026-12-01T10:00:00',
      durationMinutes: 45,
      kind: 'in_person',
      status: 'proposed',
      customerConfirmedAt: null,
      businessConfirmedAt: now,
      cancelledAt: null,
      finishedAt: null,
      rescheduledCount: 0,
      createdAt: now,
      updatedAt: now,
    });
    expect(Object.keys(made)).toHaveLength(18);
    expect(validate('apiAppointment', made)).toEqual([]);
    expect(validate('appointment', made)).toEqual([]);
    await service.inbox.appointments.settled();
  });

  it('follows the assumptions where the request has no value', () => {
    const service = new AppointmentInbox();
    const made = service.inbox.appointments.create({ phone, start: '2026-12-01T09:00' });
    expect(service.inbox.appointments.wire(made)).toMatchObject({
      externalId: '',
      metadata: {},
      title: 'Appointment',
      kind: 'in_person',
      durationMinutes: 30,
      status: 'proposed',
      start: '2026-12-01T09:00:00',
    });
  });

  it('service/appointment-takes-in-person: and any other kind, unchanged', () => {
    const service = new AppointmentInbox();
    for (const kind of ['in_person', 'video_call', 'Ærøskøbing 🎈'])
      expect(service.shown(service.create({ kind })).kind).toBe(kind);
  });

  it('service/appointment-returns-what-the-integrator-set: in answers and webhooks, after whatever happens', async () => {
    const service = new AppointmentInbox();
    const metadata = { '': '', ' a ': 'b\n', 'ü.😀': '\u0000"\\', constructor: 'x' };
    Object.defineProperty(metadata, '__proto__', { value: 'z', enumerable: true });
    const given = JSON.stringify(metadata);
    const externalId = ' 0815/ü\t😀 ';
    const id = service.create({ externalId, metadata });
    // Later changes of the client's object have no effect.
    metadata.constructor = 'changed later';
    const { appointments } = service.inbox;
    appointments.change(id, { start: inUtc(start + hour) });
    await appointments.accept(id);
    appointments.cancel(id);
    const hooks = await service.hooks();
    expect(hooks).toHaveLength(4);
    for (const { data } of [...hooks, { data: service.shown(id) }]) {
      expect(data.externalId).toBe(externalId);
      expect(JSON.stringify(data.metadata)).toBe(given);
    }
    const shown = service.shown(id);
    shown.metadata.added = 'by a reader of the answer';
    expect(JSON.stringify(service.shown(id).metadata)).toBe(given);
  });

  it('service/appointment-unconfirmed-is-proposed', () => {
    const service = new AppointmentInbox();
    for (const confirmed of [{}, { confirmed: false }])
      expect(service.shown(service.create(confirmed))).toMatchObject({ status: 'proposed', customerConfirmedAt: null });
  });

  it('service/appointment-proposed-invites: with buttons, time and title', () => {
    const service = new AppointmentInbox();
    openWindow(service);
    const id = service.create({ start: '2026-12-01T09:00:00Z', title: 'Consultation' });
    expect(service.noticeKinds()).toEqual(['invitation']);
    expect(lastNotice(service)).toMatchObject({
      appointmentId: id,
      channel: 'whatsapp',
      buttons: ['accept', 'decline'],
      asTemplate: false,
    });
    expect(lastNotice(service)?.text).toContain('“Consultation” on 2026-12-01 at 10:00');
    const { projectId } = service.shown(id);
    const turns = service.inbox.conversations.transcript(service.inbox.conversations.get(projectId));
    expect(turns).toEqual([{ role: 'system', text: lastNotice(service)?.text, at: now }]);
  });

  it('service/appointment-invites-by-template: unless the customer wrote within 24 hours', async () => {
    const window = limits.whatsAppWindowHours * hour;
    for (const [agoMs, asTemplate] of [
      [undefined, true],
      [window, true],
      [window - 1, false],
      [0, false],
    ] as const) {
      const service = new AppointmentInbox();
      if (agoMs !== undefined) {
        openWindow(service);
        await service.clock.move(agoMs);
      }
      service.create();
      expect(lastNotice(service), String(agoMs)).toMatchObject({ kind: 'invitation', asTemplate });
    }
  });

  it('needs no template on a channel without a window', () => {
    const service = new AppointmentInbox();
    service.inbox.conversations.open(service.inbox.contacts.forPhone(phone), 'sms');
    service.create();
    expect(lastNotice(service)).toMatchObject({ kind: 'invitation', channel: 'sms', asTemplate: false });
  });

  it('service/appointment-confirmed-is-agreed', () => {
    const service = new AppointmentInbox();
    expect(service.shown(service.create({ confirmed: true }))).toMatchObject({
      status: 'confirmed',
      customerConfirmedAt: now,
      businessConfirmedAt: now,
    });
  });

  it('service/appointment-confirmed-tells-the-customer', () => {
    const service = new AppointmentInbox();
    service.create({ confirmed: true });
    expect(service.noticeKinds()).toEqual(['confirmation']);
    expect(lastNotice(service)?.buttons).toEqual(['manage', 'save']);
  });

  it('service/appointment-creation-is-reported', async () => {
    const service = new AppointmentInbox();
    const ids = [service.create(), service.create({ confirmed: true })];
    const hooks = await service.hooks();
    expect(hooks.map(({ type, data }) => [type, data.id])).toEqual(ids.map((id) => ['appointment.created', id]));
  });

  it('service/appointment-confirmed-is-reported-once: as created, also when time passes and the customer taps', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ confirmed: true });
    await service.inbox.appointments.accept(id);
    await service.clock.move(hour);
    expect(typesOf(await service.hooks())).toEqual(['appointment.created']);
    expect(service.reported('to-team')).toEqual([]);
  });

  it('exists for a customer who cannot be reached, and the team is notified', async () => {
    const service = new AppointmentInbox();
    service.inbox.contacts.forPhone(phone).undeliverable = true;
    const id = service.create();
    expect(service.reported('to-customer')).toEqual([]);
    expect(service.reported('to-team').map(({ data }) => data.kind)).toEqual(['note']);
    service.inbox.appointments.cancel(id, { message: 'Sorry.' });
    expect(service.shown(id).status).toBe('cancelled');
    expect(typesOf(await service.hooks())).toEqual(['appointment.created', 'appointment.cancelled']);
    expect(service.reported('to-customer')).toEqual([]);
  });
});

describe('the customer', () => {
  it('service/appointment-accepted-is-confirmed', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    await service.clock.move(minute);
    await service.inbox.appointments.accept(id);
    expect(service.shown(id)).toMatchObject({
      status: 'confirmed',
      customerConfirmedAt: '2026-10-11T09:31:00',
      businessConfirmedAt: now,
      updatedAt: '2026-10-11T09:31:00',
    });
    const hooks = await service.hooks();
    expect(typesOf(hooks)).toEqual(['appointment.created', 'appointment.confirmed']);
    expect(hooks.at(-1)?.data).toEqual(service.shown(id));
  });

  it('service/appointment-accepted-pushes-to-the-team', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ title: 'Consultation' });
    expect(service.reported('to-team')).toEqual([]);
    await service.inbox.appointments.accept(id);
    expect(service.reported('to-team')).toHaveLength(1);
    expect(service.reported('to-team')[0]?.data).toMatchObject({
      kind: 'push',
      text: expect.stringContaining('Consultation') as string,
    });
    await service.inbox.appointments.accept(id);
    expect(service.reported('to-team')).toHaveLength(1);
  });

  it('service/appointment-first-decline-asks-again', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    const before = service.shown(id);
    await service.inbox.appointments.decline(id);
    expect(service.shown(id)).toEqual(before);
    expect(service.noticeKinds()).toEqual(['invitation', 'second-question']);
    expect(lastNotice(service)?.buttons).toEqual(['accept', 'decline']);
    expect(typesOf(await service.hooks())).toEqual(['appointment.created']);
  });

  it('service/appointment-second-decline-cancels', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    await service.inbox.appointments.decline(id);
    await service.clock.move(minute);
    await service.inbox.appointments.decline(id);
    expect(service.shown(id)).toMatchObject({ status: 'cancelled', cancelledAt: '2026-10-11T09:31:00' });
    expect(typesOf(await service.hooks())).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it('is asked again after a new time, so that a decline of the old one does not count', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    await service.inbox.appointments.decline(id);
    service.inbox.appointments.change(id, { start: inUtc(start + hour) });
    await service.inbox.appointments.decline(id);
    expect(service.shown(id).status).toBe('proposed');
    expect(service.noticeKinds()).toEqual(['invitation', 'second-question', 're-book', 'second-question']);
  });

  it('may accept after the first decline', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    await service.inbox.appointments.decline(id);
    await service.inbox.appointments.accept(id);
    await service.inbox.appointments.decline(id);
    expect(service.shown(id).status).toBe('confirmed');
  });

  it('opens the WhatsApp window with a tap, which delivers waiting messages', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    const project = service.inbox.conversations.get(service.shown(id).projectId);
    service.inbox.conversations.deliverText(project, 'Please bring your papers.', { from: 'team' });
    expect(service.noticeKinds()).toEqual(['invitation', 'notification']);
    await service.inbox.appointments.decline(id);
    expect(service.noticeKinds()).toEqual(['invitation', 'notification', 'text', 'second-question']);
    expect(lastNotice(service)).toMatchObject({ asTemplate: false });
    expect(service.reported('customer').map(({ data }) => data.button)).toEqual(['decline']);
  });
});

describe('a new time', () => {
  const later = inUtc(start + 25 * hour);

  it('service/appointment-moved-must-be-confirmed', async () => {
    for (const confirmed of [{}, { confirmed: false }]) {
      const service = new AppointmentInbox();
      const id = service.create({ confirmed: true });
      await service.clock.move(minute);
      service.inbox.appointments.change(id, { start: later, ...confirmed });
      expect(service.shown(id)).toMatchObject({
        status: 'proposed',
        customerConfirmedAt: null,
        start: later.slice(0, -1),
        rescheduledCount: 1,
        updatedAt: '2026-10-11T09:31:00',
      });
      expect(service.noticeKinds()).toEqual(['confirmation', 're-book']);
      expect(lastNotice(service)?.buttons).toEqual(['accept', 'decline']);
      const hooks = await service.hooks();
      expect(typesOf(hooks)).toEqual(['appointment.created', 'appointment.rescheduled']);
      expect(hooks.at(-1)?.data).toEqual(service.shown(id));
      await service.inbox.appointments.accept(id);
      expect(service.shown(id)).toMatchObject({ status: 'confirmed', customerConfirmedAt: '2026-10-11T09:31:00' });
      expect(typesOf(await service.hooks()).at(-1)).toBe('appointment.confirmed');
    }
  });

  it('service/appointment-moved-by-agreement: reported with the old and the new time', async () => {
    const service = new AppointmentInbox();
    // The clocks go back an hour between the two.
    const id = service.create({ confirmed: true, start: '2026-10-24T08:00:00Z' });
    await service.clock.move(minute);
    service.inbox.appointments.change(id, { start: '2026-10-25T08:00:00Z', confirmed: true });
    expect(service.shown(id)).toMatchObject({
      status: 'confirmed',
      customerConfirmedAt: now,
      businessConfirmedAt: now,
      rescheduledCount: 1,
    });
    expect(service.noticeKinds()).toEqual(['confirmation', 'moved']);
    expect(lastNotice(service)?.text).toContain('2026-10-24 at 10:00');
    expect(lastNotice(service)?.text).toContain('2026-10-25 at 09:00');
    expect(typesOf(await service.hooks())).toEqual(['appointment.created', 'appointment.rescheduled']);
  });

  it('with confirmed true makes a proposal agreed, without an event that it was confirmed', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    service.inbox.appointments.change(id, { start: later, confirmed: true });
    expect(service.shown(id)).toMatchObject({ status: 'confirmed', customerConfirmedAt: now });
    expect(typesOf(await service.hooks())).toEqual(['appointment.created', 'appointment.rescheduled']);
  });

  it('may be another duration', async () => {
    const service = new AppointmentInbox();
    const id = service.create({ confirmed: true });
    service.inbox.appointments.change(id, { durationMinutes: 90 });
    expect(service.shown(id)).toMatchObject({ status: 'proposed', durationMinutes: 90, rescheduledCount: 1 });
    expect(typesOf(await service.hooks()).at(-1)).toBe('appointment.rescheduled');
  });

  it.each([
    {},
    { confirmed: true },
    { confirmed: false },
    { start: inUtc(start), confirmed: true },
    { durationMinutes: 30 },
  ])('is missing in %o: nothing happens', async (change) => {
    const service = new AppointmentInbox();
    const id = service.create();
    const before = service.shown(id);
    await service.clock.move(minute);
    service.inbox.appointments.change(id, change);
    expect(service.shown(id)).toEqual(before);
    expect(service.noticeKinds()).toEqual(['invitation']);
    expect(typesOf(await service.hooks())).toEqual(['appointment.created']);
  });

  it('reopens a cancelled or finished appointment', async () => {
    const service = new AppointmentInbox();
    const { appointments } = service.inbox;
    const cancelled = service.create();
    appointments.cancel(cancelled);
    const over = service.create({ confirmed: true, start: inUtc(begin + hour) });
    await service.clock.move(2 * hour);
    expect(service.shown(over).finishedAt).not.toBeNull();
    appointments.change(cancelled, { start: later });
    appointments.change(over, { start: later, confirmed: true });
    expect(service.shown(cancelled)).toMatchObject({ status: 'proposed', cancelledAt: null, finishedAt: null });
    expect(service.shown(over)).toMatchObject({ status: 'confirmed', cancelledAt: null, finishedAt: null });
    await appointments.accept(cancelled);
    expect(service.shown(cancelled).status).toBe('confirmed');
  });
});

describe('a cancellation', () => {
  it('service/appointment-deleted-is-cancelled: in any state, and answered in its new state', async () => {
    const service = new AppointmentInbox();
    for (const confirmed of [true, false]) {
      const id = service.create({ confirmed });
      const call = { inbox: service.inbox, keyName: 'a key', parameters: { id: String(id) }, body: undefined };
      const { status, body } = appointmentHandlers.cancelAppointment(call);
      expect(status).toBe(200);
      expect(body).toMatchObject({ id, status: 'cancelled', cancelledAt: now });
      expect(lastNotice(service)).toMatchObject({ kind: 'cancellation', appointmentId: id });
      const hooks = await service.hooks();
      expect(hooks.at(-1)).toMatchObject({ type: 'appointment.cancelled', data: { id, status: 'cancelled' } });
    }
  });

  it('service/appointment-farewell-follows: only if one is given', () => {
    const service = new AppointmentInbox();
    openWindow(service);
    const [with_, without, empty] = [service.create(), service.create(), service.create()];
    const before = service.reported('to-customer').length;
    service.inbox.appointments.cancel(with_, { message: 'We are sorry; please choose another day.' });
    service.inbox.appointments.cancel(without);
    service.inbox.appointments.cancel(empty, { message: '' });
    const got = service
      .reported('to-customer')
      .slice(before)
      .map(({ data }) => data);
    expect(got.map(({ kind }) => kind)).toEqual(['cancellation', 'text', 'cancellation', 'cancellation']);
    expect(got[1]).toMatchObject({ text: 'We are sorry; please choose another day.' });
    expect(got[0]?.text).not.toContain('sorry');
  });

  it('works in any state: of a cancelled appointment the customer and the subscriptions are informed again', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    service.inbox.appointments.cancel(id);
    await service.clock.move(minute);
    service.inbox.appointments.cancel(id, { message: 'Again.' });
    expect(service.shown(id)).toMatchObject({ status: 'cancelled', updatedAt: '2026-10-11T09:31:00' });
    expect(service.noticeKinds().filter((kind) => kind === 'cancellation')).toHaveLength(2);
    expect(typesOf(await service.hooks())).toEqual([
      'appointment.created',
      'appointment.cancelled',
      'appointment.cancelled',
    ]);
  });

  it('leaves the customer nothing to accept or decline', async () => {
    const service = new AppointmentInbox();
    const id = service.create();
    service.inbox.appointments.cancel(id);
    await service.inbox.appointments.accept(id);
    await service.inbox.appointments.decline(id);
    await service.inbox.appointments.decline(id);
    expect(service.shown(id).status).toBe('cancelled');
    expect(typesOf(await service.hooks())).toEqual(['appointment.created', 'appointment.cancelled']);
    expect(service.reported('to-team')).toEqual([]);
  });
});

describe('an appointment event', () => {
  it('service/appointment-tells-the-crm', async () => {
    const service = new AppointmentInbox();
    const { appointments } = service.inbox;
    const id = service.create({ start: inUtc(begin + 48 * hour), externalId: 'cal-4711' });
    await appointments.accept(id);
    appointments.change(id, { start: inUtc(begin + 50 * hour), confirmed: true });
    await service.clock.move(51 * hour);
    appointments.cancel(id);
    const events = await service.crmEvents();
    expect(events.map(({ eventType }) => eventType)).toEqual([
      'AppointmentCreated',
      'AppointmentConfirmed',
      'AppointmentRescheduled',
      'AppointmentReminderSent',
      'AppointmentReminderSent',
      'AppointmentFinished',
      'AppointmentCancelled',
    ] satisfies CrmEvent['eventType'][]);
    const hooks = await service.hooks();
    for (const [nth, event] of events.entries()) {
      expect(validate('crmEvent', event)).toEqual([]);
      expect(event.appointmentData).toEqual(hooks[nth]?.data);
      expect(event.contactData.phoneNumber).toBe(phone);
      expect(event.projectData.svcProjectId).toBe(service.shown(id).projectId);
    }
  });

  it('is answered before its delivery is accepted', async () => {
    const service = new AppointmentInbox();
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    service.answer = async ({ url }) => {
      await held;
      return answered(url === crmUrl ? 204 : 200);
    };
    const id = service.create();
    service.inbox.appointments.change(id, { start: inUtc(start + hour) });
    service.inbox.appointments.cancel(id);
    let isSettled = false;
    const settled = service.inbox.appointments.settled().then(() => (isSettled = true));
    await service.clock.move(1);
    expect(isSettled).toBe(false);
    expect(service.reported('delivery')).toEqual([]);
    release(undefined);
    await settled;
    expect(service.reported('delivery')).toHaveLength(6);
  });

  it('is settled only when deliveries that began meanwhile are settled, too', async () => {
    const service = new AppointmentInbox();
    service.answer = async ({ url }) => {
      await turn();
      if (service.inbox.workspace.appointments.size < 4) service.create();
      return answered(url === crmUrl ? 204 : 200);
    };
    service.create();
    await service.inbox.appointments.settled();
    expect(service.reported('delivery')).toHaveLength(8);
  });

  it('is logged, and an internal defect of its delivery does not end the service', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const service = new AppointmentInbox();
    const { appointments, crmWebhook } = service.inbox;
    const defects = [1, 2, 3].map((nth) => new Error(`defect ${nth}`));
    const send = vi.spyOn(crmWebhook, 'send');
    for (const defect of defects) send.mockRejectedValueOnce(defect);
    const id = service.create();
    appointments.change(id, { durationMinutes: 45 });
    appointments.cancel(id);
    await appointments.settled();
    expect(warn.mock.calls).toEqual(defects.map((defect) => [defect]));
    warn.mockRestore();
  });

  it('continues when CRM and subscriptions fail', async () => {
    const service = new AppointmentInbox();
    service.answer = () => ({ outcome: 'unreachable', detail: 'no server is listening' });
    const id = service.create();
    await service.inbox.appointments.accept(id);
    await service.inbox.appointments.settled();
    expect(service.shown(id).status).toBe('confirmed');
  });

  it('service/appointment-of-another-inbox-is-404', () => {
    const [mine, other] = [new AppointmentInbox(), new AppointmentInbox()];
    for (let nth = 0; nth < 3; nth++) mine.create();
    const id = mine.create();
    expect(mine.shown(id).id).toBe(id);
    for (const wrong of [String(id), '0', '-1', '01', '1.0', 'x', '9007199254740993', '']) {
      const call = { inbox: other.inbox, keyName: 'a key', parameters: { id: wrong }, body: { start: inUtc(start) } };
      for (const handler of [appointmentHandlers.changeAppointment, appointmentHandlers.cancelAppointment]) {
        const refusal = thrown(() => handler(call));
        expect(refusal).toBeInstanceOf(Problem);
        expect(refusal).toMatchObject({ code: 'not_found', status: 404 });
      }
    }
    expect(other.reported('appointment')).toEqual([]);
  });
});

function thrown(what: () => unknown): unknown {
  try {
    return what();
  } catch (error) {
    return error;
  }
}
