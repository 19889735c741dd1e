import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import { openService } from './open-service.ts';

const phone = '+4930901820';

describe('contacts', () => {
  it('service/api-creates-a-contact', async () => {
    await using open = await openService();
    const { status, json } = await open.post('/v1/contacts', { phone });
    expect(status).toBe(201);
    expect(validate('contact', json)).toEqual([]);
    expect(json).toEqual({ id: json.id, phone, firstName: null, lastName: null, email: null, serviceConsent: false });
    expect(Number.isInteger(json.id)).toBe(true);
    expect(open.inbox.contacts.get(json.id)).toMatchObject({ phone, marketingConsent: false });
  });

  it('service/api-changes-the-contact-of-a-phone: what is sent, and nothing else', async () => {
    await using open = await openService();
    const first = await open.post('/v1/contacts', { phone, firstName: 'Erika', lastName: 'Muster' });
    const count = open.inbox.workspace.contacts.size;
    const second = await open.post('/v1/contacts', {
      phone: '+49 30-90 18 20',
      lastName: 'Mustermann',
      firstName: null,
    });
    expect(second.status).toBe(200);
    expect(second.json).toEqual({ ...first.json, lastName: 'Mustermann' });
    expect(open.inbox.workspace.contacts.size).toBe(count);
  });

  it('service/api-contact-needs-a-phone', async () => {
    await using open = await openService();
    for (const body of [{}, { firstName: 'Erika' }, { phone: null }, { phone: '' }, [], 'text', 5]) {
      const answer = await open.post('/v1/contacts', JSON.stringify(body));
      expect([answer.status, answer.json.title], JSON.stringify(body)).toEqual([400, 'invalid_request']);
    }
    expect((await open.post('/v1/contacts', {})).json.detail).toBe(
      'at /phone: expected a field phone, received (missing)',
    );
  });

  it('service/api-contact-keeps-its-members', async () => {
    await using open = await openService();
    const sent = {
      phone,
      firstName: ' Zoë-Ann ',
      lastName: '王 😀',
      email: 'Zoe.Ann+x@Example.com',
      serviceConsent: true,
    };
    const { json } = await open.post('/v1/contacts', { ...sent, loyalty: 'gold' });
    expect(json).toEqual({ id: json.id, ...sent });
    expect((await open.post('/v1/contacts', { phone })).json).toEqual({ id: json.id, ...sent });
    expect((await open.post('/v1/contacts', { phone, serviceConsent: false, firstName: '' })).json).toMatchObject({
      serviceConsent: false,
      firstName: '',
    });
  });

  it('service/api-contact-phone-is-international: a plus sign and at most 15 digits', async () => {
    await using open = await openService();
    const taken = [
      '+4930901820',
      '+49 30 901 820',
      '+1-202-555-0143',
      '+49 (30) 90.18/20',
      '+49 (0)30 901820',
      '+49\u00a030\u2013901820',
      '+49   30901820',
      '+112',
      '004930901820',
      '00 49 (0)30 901820',
      '+123456789012345',
    ];
    const refused = ['030901820', '000930901820', '+0930901820', '+1234567890123456', '+4930901820 or so'];
    for (const one of taken) expect((await open.post('/v1/contacts', { phone: one })).status, one).toBeLessThan(300);
    for (const one of [...refused, '+49\n30901820', 4930901820]) {
      const answer = await open.post('/v1/contacts', { phone: one });
      expect(answer.status, String(one)).toBe(400);
      expect(answer.json.detail).toMatch(/^at \/phone: expected a (phone number in international form|string)/);
    }
    expect(open.inbox.contacts.byPhone('+1-202-555-0143')?.phone).toBe('+12025550143');
    expect(open.inbox.contacts.byPhone('+49 (0)30 901820')).toBe(open.inbox.contacts.byPhone('+4930901820'));
  });

  it('finds a contact by its email address, whatever the case, also after that has changed', async () => {
    await using open = await openService({ contacts: [] });
    const { contacts } = open.inbox;
    await open.post('/v1/contacts', { phone, email: 'Erika@example.com' });
    const first = contacts.byEmail('erika@EXAMPLE.com');
    expect(first?.phone).toBe(phone);
    // A second contact with the same address is found only after the address of the first has changed.
    await open.post('/v1/contacts', { phone: '+4930901821', email: 'erika@example.com' });
    expect(contacts.byEmail('erika@example.com')).toBe(first);
    await open.post('/v1/contacts', { phone, email: 'erika@example.org' });
    expect(contacts.byEmail('erika@example.com')?.phone).toBe('+4930901821');
    expect(contacts.byEmail('erika@example.org')).toBe(first);
  });
});

describe('lists of the inbox', () => {
  it('service/api-lists-senders', async () => {
    const senders = [{ id: '493012345', channel: 'sms' as const, name: 'Workshop' }];
    await using open = await openService({ senders });
    expect(await open.get('/v1/senders')).toMatchObject({ status: 200, json: senders });
    await using usual = await openService();
    const { json } = await usual.get('/v1/senders');
    expect(validate('senders', json)).toEqual([]);
    expect(json.map(({ channel }: { channel: string }) => channel)).toEqual(['whatsapp', 'sms', 'email']);
  });

  it('service/api-lists-approved-templates', async () => {
    await using open = await openService();
    const { status, json } = await open.get('/v1/whatsapp/templates');
    expect(status).toBe(200);
    expect(validate('whatsAppTemplates', json)).toEqual([]);
    expect(json).toEqual(open.inbox.workspace.templates);
    expect(json).toHaveLength(2);
    await using none = await openService({ templates: [] });
    expect((await none.get('/v1/whatsapp/templates')).json).toEqual([]);
  });
});
