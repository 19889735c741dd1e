import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import { openService } from './open-service.ts';

const phone = '+4930901820';

describe('a note', () => {
  it('service/note-is-created: with its title, if there is one', async () => {
    await using open = await openService();
    const { status, json } = await open.post('/v1/notes', { phone, title: 'Order 77', text: 'Wants an invoice.' });
    expect(status).toBe(201);
    expect(validate('noteResponse', json)).toEqual([]);
    const project = open.inbox.conversations.get(json.projectId);
    expect(json).toEqual({ projectId: project.id, contactId: project.contactId, noteId: project.notes[0]?.id });
    await open.post('/v1/notes', { phone, text: 'Another.' });
    expect(project.notes).toMatchObject([
      { title: 'Order 77', text: 'Wants an invoice.' },
      { title: null, text: 'Another.' },
    ]);
    for (const body of [{ phone }, { phone, text: 'x', title: 5 }]) {
      expect((await open.post('/v1/notes', body)).status).toBe(400);
    }
  });

  it('service/note-takes-four-targets: at the top or in target, one of them', async () => {
    await using open = await openService({ contacts: [{ phone, email: 'erika@example.com' }] });
    const contact = open.inbox.contacts.forPhone(phone);
    const project = open.inbox.conversations.open(contact, 'email');
    for (const target of [
      { projectId: project.id },
      { contactId: contact.id },
      { phone },
      { email: 'erika@example.com' },
    ]) {
      for (const form of [target, { target }]) {
        const { status, json } = await open.post('/v1/notes', { ...form, text: 'x' });
        expect([status, json.projectId, json.contactId], JSON.stringify(form)).toEqual([201, project.id, contact.id]);
      }
    }
    expect(project.notes).toHaveLength(8);
    for (const wrong of [{}, { phone, email: 'a@b' }, { target: {} }, { phone, target: { phone } }]) {
      expect((await open.post('/v1/notes', { ...wrong, text: 'x' })).status, JSON.stringify(wrong)).toBe(400);
    }
    const made = await open.post('/v1/notes', { email: 'new@example.com', text: 'x' });
    expect(open.inbox.contacts.byEmail('new@example.com')?.id).toBe(made.json.contactId);
  });

  it('service/note-never-reaches-the-customer: and does not change who answers', async () => {
    await using open = await openService();
    const { json } = await open.post('/v1/notes', { phone, text: 'Pays late.' });
    expect(open.outbound.sent).toEqual([]);
    expect(open.events('to-customer')).toEqual([]);
    expect((await open.get(`/v1/projects/${json.projectId}/messages`)).json).toEqual([]);
    expect(open.inbox.conversations.isOn(open.inbox.conversations.get(json.projectId))).toBe(true);
  });

  it('service/note-is-not-read-by-the-assistant', async () => {
    await using open = await openService({ agents: [{ chatUrl: 'https://ai.example/chat' }] });
    await open.post('/v1/notes', { phone, title: 'Credit', text: 'Pays late.' });
    const contact = open.inbox.contacts.forPhone(phone);
    await open.inbox.customers.write(contact, { channel: 'whatsapp', text: 'Hello?' });
    const [event] = open.outbound.to('ai.example');
    expect(event?.json.data.message.text).toBe('Hello?');
    expect(JSON.stringify(event?.json)).not.toMatch(/Pays late|Credit/);
  });

  it('service/note-unknown-project-is-404: and a contact is not_found', async () => {
    await using open = await openService();
    for (const target of [{ projectId: 99 }, { target: { projectId: 99 } }]) {
      const { status, json } = await open.post('/v1/notes', { ...target, text: 'x' });
      expect([status, json.title]).toEqual([404, 'project_not_found']);
    }
    expect((await open.post('/v1/notes', { contactId: 99, text: 'x' })).json).toMatchObject({ title: 'not_found' });
  });
});
