import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromSchema, type AnySchema } from '../../generators/from-schema.ts';
import { Session } from '../../harness/checks/session.ts';
import { appointmentEventTypes as hookTypes } from '../../specs/appointment-event-types.ts';
import { crmAppointmentEventTypes } from '../../specs/crm-event-types.ts';
import type {
  ApiWebhookEvent,
  Appointment,
  ContactData,
  CrmEvent,
  MessageReceived,
  ProjectData,
} from '../../specs/generated/types.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { moderateSchemas } from '../../suites/moderate-schemas.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const crmTypes = ['IncomingCallLookup', 'FinishedCall', ...crmAppointmentEventTypes] as const;
const refs = Object.values(moderateSchemas) as unknown as Iterable<AnySchema>;
const generated = <Event>(name: SchemaName) =>
  fc.sample(fromSchema<Event>(moderateSchemas[name], { refs }), { numRuns: 30, seed: 7 });

/** An endpoint that accepts everything, and a session that sends to it. */
async function open() {
  const endpoint = await rawServer((socket) => socket.write(answerText('204 No Content')));
  const { origin } = endpoint;
  const session = await Session.open(settingsOf(configOf({ crm: origin, hooks: origin, chat: origin })));
  const { baseUrl, inbox } = session.inbox.service;
  const [apiKey = ''] = inbox.workspace.keys.keys();
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${baseUrl}/v1${path}`, {
      method,
      headers: { 'x-api-key': apiKey, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  return {
    session,
    api,
    /** The data that the service has now of what an event names. */
    contactData: (id: number): ContactData => inbox.contacts.contactData(inbox.contacts.get(id)),
    projectData: (id: number): ProjectData => inbox.conversations.projectData(inbox.conversations.get(id)),
    appointment: (id: number) => inbox.appointments.wire(inbox.appointments.get(id)),
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

describe('the workspace of a run', () => {
  it('has the contact, project and appointment of every CRM event, with the same data', async () => {
    await using world = await open();
    const { crm, sample } = world.session;
    for (const draft of [...crmTypes.map((type) => sample.crmEvent(type)), ...generated<CrmEvent>('crmEvent')]) {
      const { event } = await crm.deliver({ ...draft });
      const { contactData, projectData, appointmentData } = event as unknown as CrmEvent;
      expect(world.contactData(contactData.svcContactId)).toEqual(contactData);
      expect(world.projectData(projectData.svcProjectId)).toEqual(projectData);
      if (appointmentData) {
        const { startLocal: _, ...known } = world.appointment(appointmentData.id);
        expect(appointmentData).toMatchObject(known);
      }
    }
  });

  it('has the appointment of every API webhook, which can be moved and noted', async () => {
    await using world = await open();
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
    for (const event of generated<ApiWebhookEvent>('apiWebhookEvent')) {
      hooks.sign(event);
      const { startLocal: _, ...known } = world.appointment(event.data.id);
      expect(event.data).toMatchObject(known);
    }
  });

  it('has the conversation, the contact and the assistant of every chat event', async () => {
    await using world = await open();
    const { chat, sample } = world.session;
    for (const draft of [sample.messageReceived(), ...generated<MessageReceived>('messageReceived')]) {
      const { agentId, data } = chat.open(draft).event as unknown as MessageReceived;
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

  it('keeps what the endpoint has changed when a delivery is repeated', async () => {
    await using world = await open();
    const { crm, sample } = world.session;
    const first = await crm.deliver(sample.crmEvent('AppointmentCreated'));
    const { id } = first.event['appointmentData'] as Appointment;
    await world.api('PATCH', `/appointments/${id}`, { start: '2030-01-31T09:00:00Z' });
    await crm.deliver(first.event, { callback: first.callback });
    expect(world.appointment(id)).toMatchObject({ start: '2030-01-31T09:00:00', rescheduledCount: 1 });
  });
});
