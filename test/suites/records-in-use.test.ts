import { expect, it } from 'vitest';
import { RecordsInUse } from '../../suites/records-in-use.ts';

const message = {
  agentId: 5,
  workspaceId: 3,
  data: {
    projectId: 65_536,
    contact: { id: 1, phone: '+4930' },
    message: { id: 2 ** 53 - 1 },
    history: [{ projectId: 65_536 }],
    skills: [{ id: 12 }],
  },
};

it('gives an event the nearest free ids of as many bits while its records are in use', () => {
  const inUse = new RecordsInUse();
  const first = inUse.take(message);
  expect(first.event).toEqual(message);
  const other = {
    agentId: 6,
    workspaceId: 3,
    data: {
      projectId: 65_537,
      contact: { id: 2, phone: '+4930' },
      message: { id: 2 ** 53 - 2 },
      history: [{ projectId: 65_536 }],
      skills: [{ id: 12 }],
    },
  };
  expect(inUse.take(message).event).toEqual(other);
  first[Symbol.dispose]();
  expect(inUse.take(message).event).toEqual(message);
});

it('keeps the ids of one record equal', () => {
  const event = (contact: number, project: number) => ({
    contactData: { svcContactId: contact },
    projectData: { svcProjectId: project },
    appointmentData: { id: 3, contactId: contact, projectId: project },
  });
  const inUse = new RecordsInUse();
  expect(inUse.take(event(255, 255)).event).toEqual(event(255, 255));
  expect(inUse.take(event(255, 256)).event).toEqual({
    ...event(254, 256),
    appointmentData: { id: 4, contactId: 254, projectId: 256 },
  });
});

it('sees the same appointment in both kinds of events', () => {
  const inUse = new RecordsInUse();
  inUse.take({ appointmentData: { id: 300 } });
  expect(inUse.take({ type: 'appointment.created', data: { id: 300 } }).event).toEqual({
    type: 'appointment.created',
    data: { id: 301 },
  });
});

it('leaves everything else unchanged', () => {
  const inUse = new RecordsInUse();
  const event = { id: 'evt_1', data: { contact: { id: null }, list: [1, { text: 'a' }] } };
  inUse.take(event);
  expect(inUse.take(event).event).toEqual(event);
  expect(inUse.take(null).event).toBeNull();
});
