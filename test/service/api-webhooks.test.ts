import { createHmac } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { fromSchema } from '../../generators/from-schema.ts';
import { webhookHandlers } from '../../service/api/webhook-handlers.ts';
import { schemas } from '../../specs/schemas.ts';
import vectorFile from '../../specs/signing-vectors.json' with { type: 'json' };
import type { ApiWebhookEvent, AppointmentRequest, WebhookRequest } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import {
  AppointmentInbox,
  answered,
  begin,
  crmUrl,
  hookSecret,
  hookUrl,
  hour,
  inUtc,
  parsed,
  type Sent,
} from './appointment-inbox.ts';

const allTypes = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
  'appointment.cancelled',
  'appointment.finished',
  'appointment.reminder_sent',
] as const satisfies ApiWebhookEvent['type'][];

const subscribe = (service: AppointmentInbox, body: WebhookRequest) =>
  webhookHandlers.subscribeWebhook({ inbox: service.inbox, keyName: 'a key', parameters: {}, body });
const to = (service: AppointmentInbox, address: string): Sent[] => service.sent.filter(({ url }) => url === address);
const header = ({ headers }: Sent, name: string) => headers.filter(([key]) => key === name).map(([, value]) => value);

/** The signature, computed independently. */
function expectSigned(sent: Sent, secret: string): number {
  const [signature, ...more] = header(sent, 'X-Svc-Signature');
  expect(more).toEqual([]);
  const [, t = '', v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(signature ?? '') ?? [];
  const hmac = createHmac('sha256', secret).update(`${t}.`).update(sent.body);
  expect(v1).toBe(hmac.digest('hex'));
  return Number(t);
}

/** Causes all six events for one appointment. */
async function everything(service: AppointmentInbox): Promise<number> {
  const { appointments } = service.inbox;
  const id = service.create({ start: inUtc(begin + 48 * hour), externalId: 'cal-4711' });
  await appointments.accept(id);
  appointments.change(id, { start: inUtc(begin + 26 * hour), confirmed: true });
  await service.clock.move(30 * hour);
  appointments.cancel(id);
  await appointments.settled();
  return id;
}

afterEach(() => void vi.restoreAllMocks());

describe('a subscription', () => {
  it('service/webhook-subscription-is-created: answered 201', () => {
    const service = new AppointmentInbox();
    const events: WebhookRequest['events'] = [
      'appointment.confirmed',
      'appointment.cancelled',
      'appointment.confirmed',
    ];
    const { status, body } = subscribe(service, {
      url: 'https://a.example/hooks?x=1',
      events,
      description: 'Calendar',
    });
    expect(status).toBe(201);
    expect(validate('webhookResponse', body)).toEqual([]);
    const { id } = body.subscription;
    expect(body).toEqual({
      subscription: {
        id,
        url: 'https://a.example/hooks?x=1',
        events: ['appointment.confirmed', 'appointment.cancelled'],
        description: 'Calendar',
        createdAt: '2026-10-11T09:30:00',
      },
      secret: body.secret,
    });
    const other = subscribe(service, { url: hookUrl, events }).body;
    expect(other.subscription.description).toBeNull();
    expect(other.subscription.id).not.toBe(id);
  });

  it('service/webhook-secret-is-shown-once: in no event, and no other answer', async () => {
    const service = new AppointmentInbox({ subscriptions: [] });
    const secrets = [1, 2].map(() => subscribe(service, { url: hookUrl, events: [...allTypes] }).body.secret);
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) expect(secret).toMatch(/^\S{32,}$/);
    service.answer = ({ url, body }) => {
      if (url === crmUrl) return answered(204);
      return { ...answered(400), body };
    };
    await everything(service);
    expect(service.sent.length).toBeGreaterThan(12);
    const everythingSaid = JSON.stringify([
      service.inbox.events.kept,
      service.sent.map(({ body }) => String(parsed(body))),
    ]);
    for (const secret of secrets) expect(everythingSaid).not.toContain(secret);
  });

  it('service/webhook-address-is-https: or http on this machine', () => {
    const service = new AppointmentInbox({ subscriptions: [] });
    const events: WebhookRequest['events'] = ['appointment.created'];
    for (const url of [
      'http://integrator.example/hooks',
      'http://10.0.0.1/',
      'http://localhost.example/',
      'ftp://a.example/',
      'wss://a.example/',
      'javascript:alert(1)',
      '/hooks',
      '',
      'https://',
      'http://127.0.0.1.example/',
      'https://10.0.0.1/x',
      'https://[::ffff:127.0.0.1]/',
      'https://user:pw@a.example/x',
    ]) {
      const refusal = {
        code: 'invalid_request',
        message: expect.stringMatching(/^url: expected .+, received another/),
      };
      expect(() => subscribe(service, { url, events }), url).toThrow(expect.objectContaining(refusal));
    }
    expect(service.inbox.workspace.subscriptions.size).toBe(0);
    for (const url of [
      'https://a.example',
      'https://a.example:8443/x?y#z',
      'http://127.0.0.1:8080/hooks',
      'http://localhost:1/',
      'http://[::1]:99/',
    ]) {
      expect(subscribe(service, { url, events }).body.subscription.url).toBe(url);
    }
  });

  it('service/webhook-delivers-what-was-subscribed', async () => {
    const service = new AppointmentInbox({ subscriptions: [] });
    const url = (type: string) => `https://integrator.example/${type}`;
    for (const type of allTypes) subscribe(service, { url: url(type), events: [type] });
    subscribe(service, { url: url('two'), events: ['appointment.finished', 'appointment.created'] });
    await everything(service);
    for (const type of allTypes) {
      const types = to(service, url(type)).map(({ body }) => (parsed(body) as ApiWebhookEvent).type);
      expect(new Set(types)).toEqual(new Set([type]));
      expect(types).toHaveLength(type === 'appointment.reminder_sent' ? 2 : 1);
    }
    const two = to(service, url('two')).map(({ body }) => (parsed(body) as ApiWebhookEvent).type);
    expect(two).toEqual(['appointment.created', 'appointment.finished']);
  });

  it('gets no earlier events', async () => {
    const service = new AppointmentInbox({ subscriptions: [] });
    service.create();
    subscribe(service, { url: hookUrl, events: [...allTypes] });
    expect(await service.hooks()).toEqual([]);
  });
});

describe('a delivery', () => {
  it('service/webhook-signs-with-the-subscription-secret: over the exact bytes, at the real time of sending', async () => {
    const service = new AppointmentInbox();
    const other = subscribe(service, { url: 'https://b.example/', events: [...allTypes] }).body.secret;
    const id = service.create({ title: 'Größe 38 😀 "/\\', metadata: { ü: '\u2028\ud83d' } });
    await service.inbox.appointments.accept(id);
    await service.clock.move(9 * 24 * hour);
    await service.inbox.appointments.settled();
    for (const [address, secret] of [
      [hookUrl, hookSecret],
      ['https://b.example/', other],
    ] as const) {
      expect(to(service, address)).toHaveLength(3);
      for (const sent of to(service, address)) {
        expect(sent.method).toBe('POST');
        expect(header(sent, 'Content-Type')).toEqual(['application/json']);
        // Receivers refuse a time more than five minutes off their own clocks, which tests do not move.
        expect(Math.abs(expectSigned(sent, secret) - Date.now() / 1000)).toBeLessThan(60);
      }
    }
  });

  it('is signed as the published vectors are', async () => {
    for (const { secret, t, bodyBase64, header: wanted } of vectorFile.vectors) {
      const body = Buffer.from(bodyBase64, 'base64');
      expect(`t=${t},v1=${createHmac('sha256', secret).update(`${t}.`).update(body).digest('hex')}`).toBe(wanted);
      const service = new AppointmentInbox({ subscriptions: [{ url: hookUrl, secret }] });
      service.create();
      await service.inbox.appointments.settled();
      const [sent] = to(service, hookUrl);
      expectSigned(sent as Sent, secret);
    }
  });

  it('service/webhook-data-is-the-appointment: as it was then, whatever happens before it goes out', async () => {
    const service = new AppointmentInbox();
    const { appointments } = service.inbox;
    const id = service.create({ externalId: 'cal-4711' });
    const then = [service.shown(id)];
    appointments.change(id, { start: inUtc(begin + 300 * hour), confirmed: true });
    then.push(service.shown(id));
    appointments.cancel(id);
    then.push(service.shown(id));
    const hooks = await service.hooks();
    expect(hooks.map(({ data }) => data)).toEqual(then);
    expect(then.map(({ status }) => status)).toEqual(['proposed', 'confirmed', 'cancelled']);
    for (const event of hooks) {
      expect(Object.keys(event)).toEqual(['id', 'type', 'createdAt', 'workspaceId', 'data']);
      expect(validate('apiWebhookEvent', event)).toEqual([]);
      expect(event.workspaceId).toBe(service.inbox.workspace.id);
    }
    expect(new Set(hooks.map(({ id: eventId }) => eventId)).size).toBe(3);
  });

  it('has a delivery id that no other has, and the event an id for all subscriptions', async () => {
    const service = new AppointmentInbox();
    subscribe(service, { url: 'https://b.example/', events: [...allTypes] });
    await everything(service);
    const [mine, others] = [to(service, hookUrl), to(service, 'https://b.example/')];
    const ids = [...mine, ...others].flatMap((sent) => header(sent, 'X-Svc-Delivery-Id'));
    expect(ids).toHaveLength(14);
    expect(new Set(ids).size).toBe(14);
    expect(mine.map(({ body }) => String(body))).toEqual(others.map(({ body }) => String(body)));
  });

  it('is one attempt, and its result is reported', async () => {
    const service = new AppointmentInbox({ crmWebhook: undefined });
    const outcomes = [
      answered(200),
      answered(204),
      answered(302),
      answered(401),
      answered(500),
      { outcome: 'no-answer', afterMs: 10_000 },
      { outcome: 'closed', detail: 'reset' },
      { outcome: 'malformed', detail: 'not HTTP' },
      { outcome: 'unreachable', detail: 'refused' },
    ] as const;
    let nth = 0;
    service.answer = () => outcomes[nth++] ?? answered(200);
    for (const _ of outcomes) service.create();
    await service.inbox.appointments.settled();
    await service.clock.move(5 * hour);
    const entries = service.reported('delivery');
    expect(service.sent).toHaveLength(outcomes.length);
    expect(entries.map(({ data }) => data.taken)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
      false,
      false,
      false,
    ]);
    expect(entries.map(({ data }) => data.status)).toEqual([200, 204, 302, 401, 500, ...Array<undefined>(4)]);
    expect(entries.map(({ data }) => data.outcome)).toEqual(outcomes.map(({ outcome }) => outcome));
    expect(entries[3]).toMatchObject({
      text: expect.stringMatching(/^appointment\.created to https:\/\/integrator\.example\/hooks: .*401/) as string,
      data: { kind: 'api-webhook', eventType: 'appointment.created', url: hookUrl, ms: 1 },
    });
    expect(entries[3]?.data.deliveryId).toBe(header(service.sent[3] as Sent, 'X-Svc-Delivery-Id')[0]);
    expect(entries[3]?.projectId).toBe(
      service.inbox.conversations.openProject(service.inbox.contacts.forPhone('+4915228817386'))?.id,
    );
  });

  it('that fails on the wire is also reported, and delays no other', async () => {
    const service = new AppointmentInbox({ crmWebhook: undefined });
    let first = true;
    service.answer = () => {
      if (!first) return answered(200);
      first = false;
      throw new TypeError('out of order');
    };
    service.create();
    service.create();
    await service.inbox.appointments.settled();
    expect(service.reported('delivery').map(({ data }) => data.taken)).toEqual([false, true]);
  });

  it('is sent after any result of the one before it, which is logged', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const service = new AppointmentInbox({ crmWebhook: undefined });
    const { inbox } = service;
    const tell = inbox.log.bind(inbox);
    const defect = new Error('a defect');
    let isFirst = true;
    vi.spyOn(inbox, 'log').mockImplementation((type, ...what) => {
      if (type !== 'delivery' || !isFirst) return tell(type, ...what);
      isFirst = false;
      throw defect;
    });
    service.create();
    service.create();
    await inbox.appointments.settled();
    service.create();
    await inbox.appointments.settled();
    expect(service.sent).toHaveLength(3);
    expect(service.reported('delivery')).toHaveLength(2);
    expect(warn.mock.calls).toEqual([[defect]]);
  });

  it('is not disturbed by a listener that fails, which is logged once', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const service = new AppointmentInbox();
    const seen: string[] = [];
    service.inbox.events.listen(() => {
      throw new Error('a listener that fails');
    });
    service.inbox.events.listen(({ type }) => void seen.push(type));
    service.create();
    service.create();
    expect(seen.filter((type) => type === 'appointment')).toHaveLength(2);
    expect(warn.mock.calls.map(([warning]) => String(warning))).toEqual(['Error: a listener that fails']);
  });

  it('waits for the one before it at the same address, not at others', async () => {
    const service = new AppointmentInbox({ crmWebhook: undefined });
    subscribe(service, { url: 'https://slow.example/', events: [...allTypes] });
    const held: (() => void)[] = [];
    service.answer = async ({ url }) => {
      if (url !== hookUrl) await new Promise<void>((resolve) => held.push(resolve));
      return answered(200);
    };
    const id = service.create();
    service.inbox.appointments.cancel(id);
    await service.clock.move(1);
    await turn();
    expect(to(service, hookUrl)).toHaveLength(2);
    expect(to(service, 'https://slow.example/')).toHaveLength(1);
    held.shift()?.();
    let isSettled = false;
    const settled = service.inbox.apiWebhooks.settled().then(() => (isSettled = true));
    await turn();
    expect(to(service, 'https://slow.example/')).toHaveLength(2);
    expect(isSettled).toBe(false);
    held.shift()?.();
    await settled;
    expect(service.reported('delivery')).toHaveLength(4);
    const types = to(service, 'https://slow.example/').map(({ body }) => (parsed(body) as ApiWebhookEvent).type);
    expect(types).toEqual(['appointment.created', 'appointment.cancelled']);
  });

  it('shows no part of its address that may be a secret', async () => {
    const url = 'https://user:letmein@a.example/hooks?token=s3cr3t#x';
    const service = new AppointmentInbox({ subscriptions: [{ url }] });
    service.create();
    await service.inbox.appointments.settled();
    expect(to(service, url)).toHaveLength(1);
    expect(JSON.stringify(service.inbox.events.kept)).not.toMatch(/letmein|s3cr3t/);
  });

  it('is valid and signed for whatever appointment a request may ask for', async () => {
    await fc.assert(
      fc.asyncProperty(fromSchema<AppointmentRequest>(schemas.appointmentRequest), async (request) => {
        const service = new AppointmentInbox();
        const id = service.inbox.appointments.create(request).id;
        const shown = service.shown(id);
        expect(validate('apiAppointment', shown)).toEqual([]);
        const [event] = await service.hooks();
        expect(event?.data).toEqual(shown);
        expectSigned(to(service, hookUrl)[0] as Sent, hookSecret);
        for (const field of ['title', 'kind', 'externalId', 'metadata', 'durationMinutes'] as const)
          if (request[field] !== undefined) expect(shown[field]).toEqual(request[field]);
        service.clock.stop();
      }),
      { numRuns: 300 },
    );
  });
});
