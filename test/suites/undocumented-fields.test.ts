import { expect, test } from 'vitest';
import { otherNamesOfText, undocumentedFieldsFinding, type DocumentedPlace } from '../../suites/undocumented-fields.ts';

const chatAnswer: DocumentedPlace = {
  label: 'a chat answer',
  fields: {
    text: { holds: 'value', otherNames: otherNamesOfText },
    action: { holds: 'value' },
    executeSkills: { holds: 'list', otherNames: ['skills', 'tools'] },
  },
};
const crmAnswer: DocumentedPlace = {
  label: 'a 200 answer',
  fields: {
    requestContactUpdate: { holds: 'value', otherNames: ['updateContact'] },
    contactData: { holds: 'object', otherNames: ['contact'], fields: ['crmContactId', 'firstName'] },
  },
};

const hintOf = (value: unknown, place = chatAnswer) => undocumentedFieldsFinding(value, place)?.hint;

test('says nothing about an object with a documented field, without any field, or about another value', () => {
  for (const value of [{ text: '' }, { text: null, reply: 'x' }, {}, [], [{ reply: 'x' }], null, 'reply', 7]) {
    expect(undocumentedFieldsFinding(value, chatAnswer)).toBeUndefined();
  }
});

test('lists the fields received and those documented there', () => {
  expect(undocumentedFieldsFinding({ reply: 'Hello', confidence: 1 }, chatAnswer)).toEqual({
    expected: 'a field that the interface documents in a chat answer (text, action, executeSkills)',
    received: 'only other fields: reply, confidence',
    hint: 'The nearest documented fields: text for reply. Send them with exactly these names and at this place.',
    part: { body: [] },
  });
});

test.each([
  ['another case', { Text: 'x', Action: 'none' }, 'text for Text; action for Action'],
  ['another notation', { execute_skills: [] }, 'executeSkills for execute_skills'],
  ['a wrapper', { data: { text: 'x', action: 'none' }, ok: true }, 'text for data.text; action for data.action'],
  ['a wrapper with another name', { message: { text: 'x' } }, 'text for message.text'],
  ['a wrapper and another name', { result: { reply: 'x' } }, 'text for result.reply'],
  ['lists in a wrapper', { choices: [{ message: { content: 'x' } }] }, 'text for choices[0].message.content'],
  ['a name of another kind', { skills: ['sales'] }, 'executeSkills for skills'],
  ['a misspelling', { aktion: 'end' }, 'action for aktion'],
])('finds the documented field behind %s', (_, value, pairs) => {
  expect(hintOf(value)).toContain(`The nearest documented fields: ${pairs}.`);
});

test('finds fields of a part that were sent without the part', () => {
  expect(hintOf({ crmContactId: 'K-1', FirstName: 'Erika' }, crmAnswer)).toContain(
    'contactData.crmContactId for crmContactId; contactData.firstName for FirstName',
  );
  expect(hintOf({ contact: { crmContactId: 'K-1' } }, crmAnswer)).toContain(': contactData for contact.');
  expect(hintOf({ customer: { crmContactId: 'K-1' } }, crmAnswer)).toContain(
    ': contactData.crmContactId for customer.crmContactId.',
  );
});

test('lists the documented fields if none is similar', () => {
  expect(hintOf({ ok: true })).toBe('The fields of a chat answer are text, action, executeSkills.');
});

test('stays short and bounded for a hostile answer', () => {
  let deep: unknown = { text: 'x' };
  for (let depth = 0; depth < 5_000; depth++) deep = { inner: deep };
  const wide = Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`field${at}${'x'.repeat(500)}`, at]));
  for (const value of [deep, wide, { '\u001b[31m"': 1, __proto__x: 2, constructor: 3, toString: 4 }]) {
    const finding = undocumentedFieldsFinding(value, chatAnswer);
    expect(finding?.received.length).toBeLessThan(500);
    expect(finding?.hint?.length).toBeLessThan(700);
    expect(finding?.received).not.toContain('\u001b');
  }
});
