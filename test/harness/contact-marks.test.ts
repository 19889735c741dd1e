import { expect, it } from 'vitest';
import { ContactMarks } from '../../harness/checks/contact-marks.ts';

const contacts = [
  { id: 700_000_001, phone: '+12025550143', name: 'Erika Bafide' },
  { id: 700_000_002, phone: '+12035550143', name: 'Erika Gokula' },
] as const;

function marks(): ContactMarks {
  const found = new ContactMarks({ isSampleContact: (id) => contacts.some((one) => one.id === id) });
  for (const contact of contacts) found.add({ data: { contact } });
  return found;
}

it.each([
  ['name', 'Hello Erika Gokula.', 'Erika Gokula'],
  ['phone number', 'We call 12035550143.', '12035550143'],
  ['id', 'Contact 700000002 is known.', '700000002'],
])('the %s of another contact is foreign', (_, answer, mark) => {
  expect(marks().foreignIn(answer, JSON.stringify({ data: { contact: contacts[0] } }))).toBe(mark);
});

it('the contact of the event may be remembered, although the event has only its id', () => {
  const event = JSON.stringify({ data: { contact: { id: contacts[1].id, name: null } } });
  expect(marks().foreignIn('Hello Erika Gokula, +12035550143.', event)).toBeUndefined();
});

it('a contact that is not a sample has no marks', () => {
  const found = marks();
  found.add({ data: { contact: { id: 5, phone: '+12045550143', name: 'Erika Pusami' } } });
  expect(found.foreignIn('Hello Erika Pusami.', '{}')).toBeUndefined();
});
