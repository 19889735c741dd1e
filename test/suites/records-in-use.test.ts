import { expect, it } from 'vitest';
import { recordsOf, RecordsInUse } from '../../suites/records-in-use.ts';

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
