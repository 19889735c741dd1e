import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import { begin, openService } from './open-service.ts';

const hour = 3_600_000;
const phone = '+4915228817386';
const later = (hours: number) => new Date(begin + hours * hour).toISOString();
const hooks = 'https://integrator.example/hooks';

describe('appointments through the API', () => {
  it('complete their life cycle, and each answer and delivery is valid', async () => {
    await using open = await openService({ crmWebhook: { url: 'https://integrator.example/crm', token: 'a token' } });
    const subscribed = await open.post('/v1/webhooks', {
      url: hooks,
      events: ['appointment.created', 'appointment.rescheduled', 'appointment.finished', 'appointment.cancelled'],
      description: null,
    });
    expect(subscribed.status).toBe(201);
    expect(validate('webhookResponse', subscribed.json)).toEqual([]);

    const made = await open.post('/v1/appointments', {
      phone,
      start: later(48),
      durationMinutes: 30,
      title: 'Consultation',
      kind: 'in_person',
      confirmed: false,
      externalId: 'cal-4711',
      metadata: { source: 'website', __proto__x: '', null: 'null' },
    });
    expect(made.status).toBe(201);
    expect(validate('apiAppointment', made.json)).toEqual([]);
    const address = `/v1/appointments/${made.json.id}`;

    const moved = await open.api('PATCH', address, { body: { start: later(50), confirmed: true } });
    expect(moved).toMatchObject({ status: 200, json: { ...made.json, ...changed(moved.json) } });
    expect(moved.json).toMatchObject({ status: 'confirmed', rescheduledCount: 1 });
    await open.clock.move(51 * hour);

    const gone = await open.api('DELETE', address, { body: { message: 'We are sorry.' } });
    expect(gone).toMatchObject({ status: 200, json: { status: 'cancelled', metadata: made.json.metadata } });
    expect(gone.json.finishedAt).toBe(later(50.5).slice(0, 19));
    await open.inbox.appointments.settled();

    const delivered = open.outbound.to(hooks).map(({ json }) => json);
    expect(delivered.map(({ type }) => type)).toEqual([
      'appointment.created',
      'appointment.rescheduled',
      'appointment.finished',
      'appointment.cancelled',
    ]);
    for (const event of delivered) expect(validate('apiWebhookEvent', event)).toEqual([]);
    expect(delivered.map(({ data }) => data)).toEqual([
      made.json,
      moved.json,
      { ...moved.json, finishedAt: gone.json.finishedAt, updatedAt: gone.json.finishedAt },
      gone.json,
    ]);
    expect(open.outbound.to('/crm')).toHaveLength(6);
    for (const { json } of open.outbound.to('/crm')) expect(validate('crmEvent', json)).toEqual([]);
  });

  it('are cancelled with a message in the query, or with none at all', async () => {
    await using open = await openService();
    open.inbox.contacts.forPhone(phone).lastWroteAt.whatsapp = begin;
    const texts = () => open.events('to-customer').flatMap(({ data }) => (data.kind === 'text' ? [data.text] : []));
    for (const [query, expected] of [
      ['', []],
      ['?message=We%20are%20sorry.', ['We are sorry.']],
    ] as const) {
      const { json } = await open.post('/v1/appointments', { phone, start: later(48) });
      expect(await open.api('DELETE', `/v1/appointments/${json.id}${query}`)).toMatchObject({ status: 200 });
      expect(texts()).toEqual(expected);
    }
  });

  it('are refused with a problem that describes the fault', async () => {
    await using open = await openService();
    const asked = { phone, start: later(48), durationMinutes: 30 };
    for (const [body, pointer] of [
      [{ ...asked, start: '2026-12-01T09:00:00+01:00' }, '/start'],
      [{ ...asked, start: '2026-02-30T09:00:00Z' }, '/start'],
      [{ ...asked, start: 'tomorrow' }, '/start'],
      [{ ...asked, durationMinutes: 0 }, '/durationMinutes'],
      [{ ...asked, durationMinutes: 1.5 }, '/durationMinutes'],
      [{ ...asked, phone: '030 901820' }, '/phone'],
      [{ ...asked, confirmed: 'true' }, '/confirmed'],
      [{ ...asked, metadata: { a: 1 } }, '/metadata/a'],
      [{ ...asked, metadata: { a: null } }, '/metadata/a'],
      [{ ...asked, phone: undefined }, 'phone'],
      [{ ...asked, start: null }, 'start'],
    ] as const) {
      const { status, json } = await open.post('/v1/appointments', body);
      expect({ status, title: json.title }, pointer).toEqual({ status: 400, title: 'invalid_request' });
      expect(json.detail).toContain(pointer);
    }
    expect(open.inbox.workspace.appointments.size).toBe(0);
    for (const [method, path] of [
      ['PATCH', '/v1/appointments/1'],
      ['DELETE', '/v1/appointments/1'],
      ['DELETE', '/v1/appointments/x'],
    ] as const) {
      const { status, json } = await open.api(method, path, { body: {} });
      expect({ status, title: json.title }).toEqual({ status: 404, title: 'not_found' });
    }
    // The interface has no operation that reads one (assumption appointment-and-subscription-endpoints).
    expect((await open.get('/v1/webhooks')).status).toBe(405);
  });

  it('answer while the integrator is still busy with its deliveries', async () => {
    await using open = await openService({ subscriptions: [{ url: hooks }] });
    const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
    open.outbound.answer = () => held;
    const { json } = await open.post('/v1/appointments', { phone, start: later(48) });
    expect(await open.api('DELETE', `/v1/appointments/${json.id}`)).toMatchObject({ status: 200 });
    expect(open.events('delivery')).toEqual([]);
    release(undefined);
    await open.inbox.appointments.settled();
    expect(open.events('delivery').map(({ data }) => data.taken)).toEqual([true, true]);
  });
});

/** Fields of an appointment that a move changes. */
function changed(moved: Record<string, unknown>): object {
  const { start, startLocal, status, customerConfirmedAt, businessConfirmedAt, updatedAt } = moved;
  return { start, startLocal, status, customerConfirmedAt, businessConfirmedAt, updatedAt, rescheduledCount: 1 };
}
