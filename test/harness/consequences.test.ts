import { describe, expect, it, vi } from 'vitest';
import { ChatConversation } from '../../harness/wire/chat-conversation.ts';
import type { Appointment, ContactData } from '../../specs/generated/types.ts';
import { openWorld } from './open-world.ts';
import { answerText, type RawRequest } from './raw-server.ts';

const later = '2031-01-31T09:00:00Z';
const request = { phone: '+12015550199', start: '2031-01-30T09:00:00Z', title: 'Fitting' };

interface AnyEvent {
  type?: string;
  eventType?: string;
  data?: Appointment;
  appointmentData?: Appointment;
  contactData?: ContactData;
  workspaceId?: number;
  callbackUrl?: string;
}

const eventOf = ({ body }: RawRequest) => JSON.parse(body.toString()) as AnyEvent;

describe('an appointment that the endpoint handles at API v1', () => {
  it('causes its webhook and its CRM event, created, moved and cancelled', async () => {
    await using world = await openWorld();
    const { body } = await world.api('POST', '/appointments', request);
    await world.api('PATCH', `/appointments/${String(body.id)}`, { start: later });
    await world.api('DELETE', `/appointments/${String(body.id)}`);
    const { requests } = world.endpoint;
    await vi.waitFor(() => expect(requests).toHaveLength(6), 5_000);
    const events = requests.map(eventOf);
    expect(events.flatMap(({ type }) => type ?? [])).toEqual([
      'appointment.created',
      'appointment.rescheduled',
      'appointment.cancelled',
    ]);
    expect(events.flatMap(({ eventType }) => eventType ?? []).sort()).toEqual([
      'AppointmentCancelled',
      'AppointmentCreated',
      'AppointmentRescheduled',
    ]);
    for (const { data, appointmentData } of events) {
      expect(data ?? appointmentData).toMatchObject({ id: body.id, contactId: body.contactId, title: 'Fitting' });
    }
    const [created] = events.filter(({ type }) => type === 'appointment.created');
    expect(created?.data).toEqual(body);
  });

  it('causes nothing while a check has the endpoint to itself', async () => {
    await using world = await openWorld();
    const { requests } = world.endpoint;
    await world.session.alone(async () => {
      await world.api('POST', '/appointments', request);
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(requests).toHaveLength(0);
    });
    await vi.waitFor(() => expect(requests).toHaveLength(2), 5_000);
  });

  it(
    'causes no endless series when the endpoint answers each event with another one',
    { timeout: 30_000 },
    async () => {
      const repeat: (() => Promise<unknown>)[] = [];
      await using world = await openWorld((socket) => {
        socket.write(answerText('204 No Content'));
        for (const again of repeat) void again().catch(() => undefined);
      });
      repeat.push(() => world.api('POST', '/appointments', request));
      await world.api('POST', '/appointments', request);
      await vi.waitFor(() => expect(world.endpoint.requests).toHaveLength(300), 150_000);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(world.endpoint.requests).toHaveLength(300);
    },
  );
});

describe('data that the CRM supplies', () => {
  const supplied = { crmContactId: 'C-7', firstName: 'Erika' };
  const answer = { requestContactUpdate: true, contactData: supplied, requestProjectUpdate: false };

  it('is applied to the contact, and later events carry it', async () => {
    await using world = await openWorld((socket) => socket.write(answerText('200 OK', {}, JSON.stringify(answer))));
    const { crm, sample } = world.session;
    const { event } = await crm.deliver(sample.crmEvent('IncomingCallLookup'));
    const { svcContactId } = event['contactData'] as ContactData;
    expect(world.contactData(svcContactId)).toMatchObject(supplied);
    expect(sample.contactData()).toMatchObject({ svcContactId, ...supplied });
    expect(sample.contactData({ firstName: 'Kim' })).toMatchObject({ crmContactId: 'C-7', firstName: 'Kim' });
    expect(sample.contactData({ phoneNumber: '+12015550100' })).toMatchObject({ crmContactId: null });
  });

  it('is applied from a callback, the first one only', async () => {
    await using world = await openWorld((socket) => socket.write(answerText('202 Accepted')));
    const { crm, sample } = world.session;
    const { event, callback } = await crm.deliver(sample.crmEvent('IncomingCallLookup'));
    const { svcContactId } = event['contactData'] as ContactData;
    const post = async (body: unknown) =>
      (await fetch(callback.url, { method: 'POST', body: JSON.stringify(body) })).status;
    expect(await post(answer)).toBe(200);
    expect(await post({ ...answer, contactData: { crmContactId: 'C-8' } })).toBe(200);
    expect(world.contactData(svcContactId)).toMatchObject(supplied);
  });

  it('is not applied from an answer to a delivery that must be refused, nor from an invalid one', async () => {
    const invalid = { ...answer, contactData: { crmContactId: 7 } };
    let sent: unknown = answer;
    await using world = await openWorld((socket) => socket.write(answerText('200 OK', {}, JSON.stringify(sent))));
    const { crm, sample } = world.session;
    await crm.deliver(sample.crmEvent('IncomingCallLookup'), { authorization: null, toBeRefused: true });
    sent = invalid;
    await crm.deliver(sample.crmEvent('IncomingCallLookup'));
    expect(sample.contactData()).toMatchObject({ crmContactId: null, firstName: null });
    sent = answer;
    await crm.deliver(sample.crmEvent('IncomingCallLookup'));
    expect(sample.contactData()).toMatchObject(supplied);
  });
});

describe('a conversation of a run', () => {
  it('contains the direct answer of the AI, once', async () => {
    const answer = { text: 'Yes, on Thursday.', action: 'handover', note: 'Asked for a date.' };
    await using world = await openWorld((socket) => socket.write(answerText('200 OK', {}, JSON.stringify(answer))));
    const { chat, sample } = world.session;
    const first = await chat.deliver(chat.open(sample.messageReceived()), { label: 'a message' });
    await chat.deliver(chat.reopen(first), { label: 'the same again' });
    const { projectId } = first.event['data'] as { projectId: number };
    const { body } = await world.api('GET', `/projects/${projectId}/messages`);
    expect(JSON.stringify(body).split(answer.text)).toHaveLength(2);
    expect(await world.api('POST', `/projects/${projectId}/skills/urgent`)).toMatchObject({ status: 409 });
  });

  const skillLimit = 20;

  it('has the limit of skills per hour, and the error for a conversation of the team', async () => {
    await using world = await openWorld();
    const { session, api, endpoint } = world;
    const conversation = new ChatConversation(session);
    await conversation.say('Hello');
    const { projectId } = eventOf(endpoint.requests[0] as RawRequest).data as unknown as { projectId: number };
    const run = (key: string) => api('POST', `/projects/${projectId}/skills/${key}`);
    for (let n = 0; n < skillLimit; n++) expect((await run('urgent')).body).toMatchObject({ ok: true });
    expect((await run('urgent')).body).toMatchObject({ ok: false, reason: 'limit-reached' });
    const reply = (body: object) => api('POST', `/projects/${projectId}/agent-replies`, body);
    expect(await reply({ text: 'Of course.', action: 'handover' })).toMatchObject({
      status: 202,
      body: { status: 'handed_over', autoReply: { state: 'off' } },
    });
    expect(await run('urgent')).toMatchObject({ status: 409, body: { title: 'project_not_with_agent' } });
    await conversation.say('Are you there?');
    const { data } = eventOf(endpoint.requests.at(-1) as RawRequest) as unknown as {
      data: { history: { role: string; text: string }[]; autoReply: object; skills: unknown[] };
    };
    expect(data.history).toContainEqual(expect.objectContaining({ role: 'agent', text: 'Of course.' }));
    expect(data).toMatchObject({ autoReply: { state: 'off' }, skills: [] });
  });
});
