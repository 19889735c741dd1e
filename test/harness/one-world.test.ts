import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema, type AnySchema } from '../../generators/from-schema.ts';
import { appointmentEventTypes as hookTypes } from '../../specs/appointment-event-types.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';
import type { ApiWebhookEvent, Appointment, CrmEvent, MessageReceived } from '../../specs/generated/types.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { moderateSchemas } from '../../suites/moderate-schemas.ts';
import { Session } from '../../harness/checks/session.ts';
import { openWorld } from './open-world.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const crmTypes = ['IncomingCallLookup', 'FinishedCall', ...crmAppointmentEventTypes] as const;
const refs = Object.values(moderateSchemas) as unknown as Iterable<AnySchema>;
const generated = <Event>(name: SchemaName) =>
  fc.sample(fromSchema<Event>(moderateSchemas[name], { refs }), { numRuns: 30, seed: 7 });

describe('the workspace of a run', () => {
  it('has the contact, project and appointment of every CRM event, with the same data', async () => {
    await using world = await openWorld();
    const { crm, sample } = world.session;
    for (const draft of [...crmTypes.map((type) => sample.crmEvent(type)), ...generated<CrmEvent>('crmEvent')]) {
      const { event } = await crm.deliver({ ...draft });
      const { contactData, projectData, appointmentData } = event as unknown as CrmEvent;
      expect(world.contactData(contactData.svcContactId)).toEqual(contactData);
      expect(world.projectData(projectData.svcProjectId)).toEqual(projectData);
      if (appointmentData) {
        expect(appointmentData).toMatchObject(world.appointment(appointmentData.id));
        const { svcContactId: contactId } = contactData;
        expect(appointmentData).toMatchObject({ contactId, projectId: projectData.svcProjectId });
      }
    }
  });

  it('has the appointment of every API webhook, which can be moved and noted', async () => {
    await using world = await openWorld();
    const { hooks, sample } = world.session;
    for (const type of hookTypes) {
      const event = sample.apiWebhookEvent(type);
      await hooks.post(hooks.sign(event), { label: type });
      expect(world.appointment(event.data.id)).toEqual(event.data);
      expect((await world.api('GET', '/me')).body.workspaceId).toBe(event.workspaceId);
      const { projectId, contactId, id } = event.data;
      expect(await world.api('POST', '/notes', { projectId, text: type })).toMatchObject({
        status: 201,
        body: { projectId, contactId },
      });
      const start = '2030-01-31T09:00:00Z';
      expect((await world.api('PATCH', `/appointments/${id}`, { start })).body).toMatchObject({
        id,
        contactId,
        rescheduledCount: 1,
      });
    }
    const { workspaceId } = (await world.api('GET', '/me')).body;
    for (const draft of generated<ApiWebhookEvent>('apiWebhookEvent')) {
      const { body } = hooks.sign(draft).request('http://127.0.0.1', 0);
      const event = JSON.parse(Buffer.from(body).toString()) as ApiWebhookEvent;
      expect(event.data).toMatchObject(world.appointment(event.data.id));
      expect(event.workspaceId).toBe(workspaceId);
    }
  });

  it('has the conversation, the contact and the assistant of every chat event', async () => {
    await using world = await openWorld();
    const { chat, sample } = world.session;
    for (const draft of [sample.messageReceived(), ...generated<MessageReceived>('messageReceived')]) {
      const { agentId, data, workspaceId } = chat.open(draft).event as unknown as MessageReceived;
      expect((await world.api('GET', '/me')).body.workspaceId).toBe(workspaceId);
      const { contact, history, message, projectId, skills } = data;
      const { status, body } = await world.api('GET', `/projects/${projectId}/messages`);
      expect(status).toBe(200);
      expect(JSON.stringify(body)).toContain(JSON.stringify(message.text).slice(1, -1));
      for (const { text } of history) expect(JSON.stringify(body)).toContain(JSON.stringify(text).slice(1, -1));
      const { phoneNumber, firstName, lastName, email } = world.contactData(contact.id);
      if (contact.name !== undefined && contact.name.trim() !== '') {
        expect([firstName, lastName].filter((name) => name !== null).join(' ')).toBe(contact.name);
      }
      if (contact.phone !== undefined) expect(phoneNumber).toBe(contact.phone);
      if (contact.email !== undefined) expect(email).toBe(contact.email);
      const agent = await world.api('GET', `/agents/${agentId}`);
      expect(agent.status).toBe(200);
      const keys = (agent.body.skills as { key: string }[]).map(({ key }) => key);
      expect(keys).toEqual(expect.arrayContaining(skills.map(({ key }) => key)));
    }
  });

  it('has the assistants of the config, and calls name the one that answers them', async () => {
    const chat = { url: 'http://127.0.0.1:9/chat', secret: 'whsec_of-the-chat', timeoutSeconds: 3 };
    const phone = { url: 'ws://127.0.0.1:9/voice', secret: 'whsec_of-the-phone', timeoutSeconds: 4 };
    await using session = await Session.open(settingsOf(configOf({}, { chat, phone })));
    const { inbox, baseUrl } = session.inbox.service;
    const [apiKey = ''] = inbox.workspace.keys.keys();
    const agents = await (await fetch(`${baseUrl}/v1/agents`, { headers: { 'x-api-key': apiKey } })).json();
    expect(agents).toMatchObject([
      { agentId: session.sample.messageReceived().agentId, timeoutSeconds: 3, hasSecret: true, chatUrl: chat.url },
      { agentId: session.sample.sessionStarted().agentId, timeoutSeconds: 4, hasSecret: true, voiceUrl: phone.url },
    ]);
  });

  it('has the contact of the latest event of a project, also when an event comes again', async () => {
    await using world = await openWorld();
    const { hooks, sample } = world.session;
    const event = sample.apiWebhookEvent('appointment.rescheduled');
    const { projectId, contactId } = event.data;
    const { data } = sample.apiWebhookEvent('appointment.created');
    const other = { ...event, data: { ...data, projectId, contactId: contactId + 1 } };
    for (const one of [event, other, event]) {
      hooks.sign(one);
      const named = { contactId: one.data.contactId };
      expect(world.appointment(one.data.id)).toMatchObject(named);
      expect((await world.api('POST', '/notes', { projectId, text: 'A note' })).body).toMatchObject(named);
    }
  });

  it('keeps what the endpoint has changed when a delivery is repeated', async () => {
    await using world = await openWorld();
    const { crm, sample } = world.session;
    const first = await crm.deliver(sample.crmEvent('AppointmentCreated'));
    const { id } = first.event['appointmentData'] as Appointment;
    await world.api('PATCH', `/appointments/${id}`, { start: '2030-01-31T09:00:00Z' });
    await crm.deliver(first.event, { callback: first.callback });
    expect(world.appointment(id)).toMatchObject({ start: '2030-01-31T09:00:00', rescheduledCount: 1 });
  });
});
