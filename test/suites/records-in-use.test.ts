import { expect, it } from 'vitest';
import { aboutDifferentRecords, recordsOf, RecordsInUse } from '../../suites/records-in-use.ts';

it('finds the records that an event is about', () => {
  expect(
    recordsOf({
      agentId: 5,
      workspaceId: 3,
      data: {
        projectId: 7,
        contact: { id: 9, phone: '+4930' },
        message: { id: 11 },
        history: [{ projectId: 70 }],
        skills: [{ id: 12 }],
      },
    }),
  ).toEqual(['agent 5', 'project 7', 'contact 9', 'message 11']);
  expect(
    recordsOf({
      contactData: { svcContactId: 1 },
      projectData: { svcProjectId: 2 },
      appointmentData: { id: 3, contactId: 1, projectId: 2 },
    }),
  ).toEqual(['contact 1', 'project 2', 'data 3']);
  // An appointment is the same record in both kinds of events.
  expect(recordsOf({ type: 'appointment.created', data: { id: 3 } })).toEqual(['data 3']);
  expect(recordsOf(null)).toEqual([]);
});

it('lets events about the same record wait for each other, and others pass', async () => {
  const inUse = new RecordsInUse();
  const first = await inUse.take(['contact 1', 'project 2']);
  const other = await inUse.take(['contact 2']);
  let isTaken = false;
  const second = inUse.take(['project 2', 'contact 3']).then((taken) => {
    isTaken = true;
    return taken;
  });
  other[Symbol.dispose]();
  await new Promise(setImmediate);
  expect(isTaken).toBe(false);
  first[Symbol.dispose]();
  (await second)[Symbol.dispose]();
  (await inUse.take(['project 2']))[Symbol.dispose]();
});

const about = (contact: number, project: number) => ({
  contactData: { svcContactId: contact, id: 'text' },
  projectData: { svcProjectId: project },
  appointmentData: { id: 3, contactId: contact, projectId: project },
  data: { history: [{ projectId: project }], skills: [{ id: 12 }], list: [1, { id: 12 }] },
});

it('makes events be about different records, with the nearest ids of as many bits', () => {
  const [first, second, third] = aboutDifferentRecords([about(255, 256), about(255, 256), about(1, 2 ** 53 - 1)]);
  expect(first).toEqual(about(255, 256));
  expect(second).toEqual({
    ...about(254, 257),
    appointmentData: { id: 2, contactId: 254, projectId: 257 },
    data: first?.data,
  });
  expect(third).toEqual({ ...about(1, 2 ** 53 - 1), appointmentData: { id: 4, contactId: 1, projectId: 2 ** 53 - 1 } });
});

it('leaves each record of many events to one of them, and ids that have no other of their size unchanged', () => {
  const events = aboutDifferentRecords(Array.from({ length: 60 }, (_, at) => ({ contactId: 1 + (at % 3) })));
  expect(new Set(events.flatMap(recordsOf)).size).toBe(60);
  expect(events.every(({ contactId }) => contactId > 0 && contactId < 128)).toBe(true);
  const odd = [{ contactId: 0 }, { contactId: 0 }, { contactId: -1 }, { contactId: -1 }, null];
  expect(aboutDifferentRecords(odd)).toEqual(odd);
});

it('gives each contact, project and appointment its own keys', () => {
  const event = (contact: number, phone: string, crmContactId: string | null) => ({
    contactData: { svcContactId: contact, phoneNumber: phone, crmContactId },
  });
  const events = aboutDifferentRecords([
    event(1, '+49309018', 'C-9'),
    event(1, '+49309018', 'C-9'),
    event(2, '+49309018', null),
    event(3, 'anonymous', 'C-9'),
    event(4, 'anonymous', ''),
  ]);
  expect(events.map(({ contactData }) => [contactData.phoneNumber, contactData.crmContactId])).toEqual([
    ['+49309018', 'C-9'],
    ['+49309019', 'C-0'],
    ['+49309020', null],
    ['anonymous', 'C-1'],
    ['anonymous', ''],
  ]);
  expect(
    aboutDifferentRecords([
      { from: '+491', contact: { id: 5 } },
      { from: '+491', contact: { id: 6 } },
    ]),
  ).toEqual([
    { from: '+491', contact: { id: 5 } },
    { from: '+492', contact: { id: 6 } },
  ]);
});
