import { describe, expect, it } from 'vitest';
import { parseAnyTime } from '../../service/parse-any-time.ts';
import { fullName } from '../../service/full-name.ts';
import { validate } from '../../specs/validators.ts';
import { openService } from './open-service.ts';

const phone = '+4930901820';

describe('the contact of CRM events', () => {
  it('has every documented field, before and after the CRM has reported it', async () => {
    await using open = await openService();
    const { contacts } = open.inbox;
    const contact = contacts.forPhone(phone);
    expect(validate('contactData', contacts.contactData(contact))).toEqual([]);
    contacts.applyCrm(contact, {
      crmContactId: 'C-7',
      language: 'en-US',
      firstName: 'Erika',
      email: 'e.muster@example.com',
      customOptIn1: '2026-10-11T11:30:00.5+02:00',
      customOptIn2: null,
      customCheckBox1: false,
      customNumeric1: '7.50',
      crmAiInfo: 'Prefers mornings.',
      postalAddresses: [{ city: 'Berlin', isDefault: true }, { type: null }],
    });
    const data = contacts.contactData(contact);
    expect(data).toMatchObject({
      svcContactId: contact.id,
      phoneNumber: phone,
      crmContactId: 'C-7',
      language: 'en-US',
      firstName: 'Erika',
      lastName: null,
      email: 'e.muster@example.com',
      customOptIn1: '2026-10-11T09:30:00',
      customCheckBox1: false,
      crmAiInfo: 'Prefers mornings.',
    });
    const empty = { type: '', label: '', addressLine1: '', addressLine2: '', postalCode: '', country: '' };
    expect(data.postalAddresses).toEqual([
      { ...empty, city: 'Berlin', isDefault: true },
      { ...empty, city: '', isDefault: false },
    ]);
    expect(contacts.byEmail('E.Muster@example.com')).toBe(contact);
    expect(fullName(contact)).toBe('Erika');
  });

  it('keeps its identity, and fields that an answer omits', async () => {
    await using open = await openService();
    const { contacts } = open.inbox;
    const contact = contacts.forPhone(phone);
    contacts.applyCrm(contact, { crmContactId: 'C-7', lastName: 'Muster', company: 'Example Ltd' });
    contacts.applyCrm(contact, { svcContactId: 1, phoneNumber: '+4930901899', company: null, email: '' });
    expect(contacts.contactData(contact)).toMatchObject({
      svcContactId: contact.id,
      phoneNumber: phone,
      crmContactId: 'C-7',
      lastName: 'Muster',
      company: null,
      email: null,
    });
    expect(contacts.byPhone('+4930901899')).toBeUndefined();
    const odd = '{"crmContactId":"","language":"fr","unknown":"x","__proto__":{"polluted":true}}';
    contacts.applyCrm(contact, JSON.parse(odd));
    expect(contacts.contactData(contact)).toMatchObject({ crmContactId: null, language: 'de-DE' });
    expect(Object.keys(contacts.contactData(contact))).toHaveLength(29);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('reports changes, if there are any', async () => {
    await using open = await openService();
    const { contacts } = open.inbox;
    const contact = contacts.forPhone(phone);
    contacts.applyCrm(contact, { firstName: 'Erika', email: 'erika@example.com', city: null });
    contacts.applyCrm(contact, { firstName: 'Erika', email: 'erika@example.com' });
    const logged = open.events('crm-data');
    expect(logged).toMatchObject([{ data: { of: 'contact', contactId: contact.id, changed: ['firstName', 'email'] } }]);
    // Names of fields, not their values.
    expect(JSON.stringify(logged)).not.toContain('Erika');
  });

  it('cuts crmAiInfo at 5000 characters, between characters', async () => {
    await using open = await openService();
    const { contacts } = open.inbox;
    const contact = contacts.forPhone(phone);
    contacts.applyCrm(contact, { crmAiInfo: '😀'.repeat(5001) });
    expect([...(contacts.contactData(contact).crmAiInfo ?? '')]).toHaveLength(5000);
  });
});

describe('a time of the other side', () => {
  it.each([
    ['2026-10-11T09:30:00Z', '2026-10-11T09:30:00.000Z'],
    ['2026-10-11T09:30:00', '2026-10-11T09:30:00.000Z'],
    ['2026-10-11 09:30', '2026-10-11T09:30:00.000Z'],
    ['2026-10-11t09:30z', '2026-10-11T09:30:00.000Z'],
    ['2026-10-11T09:30:00.1239+02:00', '2026-10-11T07:30:00.123Z'],
    ['2026-10-11T09:30:00,5-0330', '2026-10-11T13:00:00.500Z'],
    ['2026-10-11T00:30+01', '2026-10-10T23:30:00.000Z'],
    ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
  ])('%s', (text, iso) => {
    expect(new Date(parseAnyTime(text) ?? NaN).toISOString()).toBe(iso);
  });

  it.each(['', 'now', '2026-10-11', '11.10.2026 09:30', '2026-10-11T09:30:00 Z'])('is not %j', (text) => {
    expect(parseAnyTime(text)).toBeUndefined();
  });
});
