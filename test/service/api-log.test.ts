import { describe, expect, it } from 'vitest';
import { validate } from '../../specs/validators.ts';
import { begin, openService, type OpenService } from './open-service.ts';

const phone = '+4930901820';
const ai = 'https://ai.example/chat';
const withAi = { agents: [{ chatUrl: ai }] };

const log = (open: OpenService, body: object) =>
  open.post('/v1/messages/log', { phone, direction: 'in', channel: 'email', text: 'When does it arrive?', ...body });
const projectOf = (open: OpenService, { projectId }: { projectId: number }) => open.inbox.conversations.get(projectId);

describe('a logged message', () => {
  it('service/log-is-created', async () => {
    await using open = await openService();
    const { status, json } = await log(open, {});
    expect(status).toBe(201);
    expect(validate('messageLogResponse', json)).toEqual([]);
    const project = projectOf(open, json);
    const messageId = project.turns[0]?.messageId;
    expect(json).toEqual({
      projectId: project.id,
      contactId: project.contactId,
      messageId,
      created: true,
      truncated: false,
    });
  });

  it('service/log-takes-four-targets: at the top or in target, one of them', async () => {
    await using open = await openService({ contacts: [{ phone, email: 'erika@example.com' }] });
    const contact = open.inbox.contacts.forPhone(phone);
    const project = open.inbox.conversations.open(contact, 'email');
    const body = { direction: 'in', channel: 'email', text: 'x' };
    const post = (more: object) => open.post('/v1/messages/log', { ...body, ...more });
    for (const target of [
      { projectId: project.id },
      { contactId: contact.id },
      { phone },
      { email: 'erika@example.com' },
    ]) {
      for (const form of [target, { target }]) {
        const { status, json } = await post(form);
        expect([status, json.projectId, json.contactId], JSON.stringify(form)).toEqual([201, project.id, contact.id]);
      }
    }
    expect(project.turns).toHaveLength(8);
    for (const wrong of [
      {},
      { target: {} },
      { phone, contactId: contact.id },
      { phone, target: { phone } },
      { target: { phone, email: 'a@b' } },
      { target: phone },
    ]) {
      expect((await post(wrong)).status, JSON.stringify(wrong)).toBe(400);
    }
    expect((await post({})).json.detail).toContain(
      'expected exactly one of projectId, contactId, phone, email, target',
    );
  });

  it('service/log-has-a-direction: in is the customer, out is the team', async () => {
    await using open = await openService();
    await log(open, { direction: 'in', text: 'Question' });
    const { json } = await log(open, { direction: 'out', text: 'Answer' });
    expect(projectOf(open, json).turns.map(({ role, text }) => [role, text])).toEqual([
      ['customer', 'Question'],
      ['team', 'Answer'],
    ]);
    for (const direction of [undefined, null, 'sideways', 'IN'])
      expect((await log(open, { direction })).status).toBe(400);
  });

  it('service/log-has-a-channel: one of four', async () => {
    await using open = await openService();
    for (const channel of ['email', 'whatsapp', 'sms', 'rcs']) expect((await log(open, { channel })).status).toBe(201);
    for (const channel of ['telegram', 'webchat', 'phone', '', null]) {
      expect((await log(open, { channel })).status, String(channel)).toBe(400);
    }
  });

  it('service/log-has-a-subject-on-email-only', async () => {
    await using open = await openService();
    const texts = [];
    for (const body of [{ subject: 'Order 77' }, { subject: 'Order 77', channel: 'sms' }, { subject: '' }]) {
      const { status, json } = await log(open, { text: 'x', ...body });
      expect(status).toBe(201);
      texts.push(projectOf(open, json).turns.at(-1)?.text);
    }
    expect(texts).toEqual(['Order 77\n\nx', 'x', 'x']);
  });

  it('service/log-keeps-when-it-occurred: in its place among the others', async () => {
    await using open = await openService();
    const { json } = await log(open, { text: 'now' });
    const times = [
      ['2026-10-11T09:00:00Z', 'an hour'],
      ['2026-10-11T11:10:30+02:00', 'with a zone'],
      ['20261011T08', 'first, without a zone'],
    ] as const;
    for (const [occurredAt, text] of times) expect((await log(open, { occurredAt, text })).status).toBe(201);
    const { json: turns } = await open.get(`/v1/projects/${json.projectId}/messages`);
    expect(validate('transcript', turns)).toEqual([]);
    expect(turns.map(({ at, text }: { at: string; text: string }) => [at, text])).toEqual([
      ['2026-10-11T08:00:00', 'first, without a zone'],
      ['2026-10-11T09:00:00', 'an hour'],
      ['2026-10-11T09:10:30', 'with a zone'],
      [new Date(begin).toISOString().slice(0, 19), 'now'],
    ]);
    for (const occurredAt of ['yesterday', '2026-10-11 08:00', '2026-02-30T09:00:00Z', 1760000000]) {
      expect((await log(open, { occurredAt })).status, String(occurredAt)).toBe(400);
    }
  });

  it('service/log-again-is-the-first: whatever the second request contains', async () => {
    await using open = await openService();
    const first = await log(open, { externalId: 'mail-77' });
    const again = await log(open, {
      externalId: 'mail-77',
      text: 'Other.',
      notify: true,
      ai: 'pause',
      phone: '+4930901899',
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.json).toEqual({ ...first.json, created: false });
    const project = projectOf(open, first.json);
    expect(project.turns.map(({ text }) => text)).toEqual(['When does it arrive?']);
    expect(open.inbox.conversations.isOn(project)).toBe(true);
    expect(open.events('to-team')).toEqual([]);
    expect(open.inbox.workspace.projects.size).toBe(1);
    // Without an externalId, no repetition is recognised.
    await log(open, {});
    await log(open, {});
    expect(project.turns).toHaveLength(3);
  });

  it('service/log-on-another-channel-is-another', async () => {
    await using open = await openService();
    const ids = [];
    for (const channel of ['email', 'whatsapp', 'sms', 'rcs']) {
      const { status, json } = await log(open, { channel, externalId: '77' });
      expect(status).toBe(201);
      ids.push(json.messageId);
    }
    expect(new Set(ids).size).toBe(4);
  });

  it('service/log-sends-nothing: to no one, on no channel', async () => {
    await using open = await openService({ ...withAi, crmWebhook: { url: 'https://crm.example/hook', token: 't' } });
    for (const direction of ['in', 'out']) for (const notify of [true, false]) await log(open, { direction, notify });
    expect(open.outbound.sent).toEqual([]);
    expect(open.events('to-customer')).toEqual([]);
  });

  it('service/log-is-not-answered: neither by the own AI nor by that of the service', async () => {
    for (const agents of [withAi.agents, []]) {
      await using open = await openService({ agents });
      const { json } = await log(open, { channel: 'whatsapp' });
      expect(open.outbound.sent).toEqual([]);
      expect(projectOf(open, json).turns).toHaveLength(1);
      expect(projectOf(open, json).autoReply).toEqual({ state: 'on' });
    }
  });

  it('service/log-is-read-by-the-assistant: in the history of what comes next', async () => {
    await using open = await openService(withAi);
    await log(open, { text: 'Logged.', channel: 'sms' });
    await log(open, { text: 'Answered by phone.', direction: 'out', channel: 'sms' });
    const contact = open.inbox.contacts.forPhone(phone);
    await open.inbox.customers.write(contact, { channel: 'whatsapp', text: 'And now?' });
    const [event] = open.outbound.to(ai);
    expect(event?.json.data.history).toMatchObject([
      { role: 'customer', text: 'Logged.' },
      { role: 'team', text: 'Answered by phone.' },
    ]);
  });

  it('service/log-incoming-is-unread: an outgoing one is not', async () => {
    await using open = await openService();
    const { json } = await log(open, { direction: 'out' });
    expect(projectOf(open, json).unread).toBe(false);
    await log(open, { direction: 'in' });
    expect(projectOf(open, json).unread).toBe(true);
  });

  it('service/log-pushes-only-when-asked', async () => {
    await using open = await openService();
    const pushes = () => open.events('to-team').filter(({ data }) => data.kind === 'push').length;
    for (const notify of [undefined, false, null]) await log(open, { notify });
    expect(pushes()).toBe(0);
    await log(open, { notify: true });
    expect(pushes()).toBe(1);
    expect((await log(open, { notify: 'yes' })).status).toBe(400);
  });

  it('service/log-keeps-the-reply-channel: and leaves the WhatsApp window unchanged', async () => {
    await using open = await openService();
    const contact = open.inbox.contacts.forPhone(phone);
    const project = await open.inbox.customers.write(contact, { channel: 'telegram', text: 'Hi' });
    const before = { ...contact.lastWroteAt };
    for (const channel of ['email', 'whatsapp', 'sms']) await log(open, { channel });
    expect(project.channel).toBe('telegram');
    expect(contact.lastWroteAt).toEqual(before);
    expect((await open.post('/v1/messages', { phone, text: 'x' })).json.waitingForReply).toBe(true);
  });

  it('service/log-lands-in-the-current-project: the open one, or a new one', async () => {
    await using open = await openService();
    const contact = open.inbox.contacts.forPhone(phone);
    const body = { contactId: contact.id, phone: null };
    const old = open.inbox.conversations.open(contact, 'sms');
    const current = open.inbox.conversations.open(contact, 'email');
    expect((await log(open, body)).json.projectId).toBe(current.id);
    expect((await log(open, { projectId: old.id, phone: null })).json.projectId).toBe(old.id);
    current.isOpen = false;
    const { projectId } = (await log(open, body)).json;
    expect([old.id, current.id]).not.toContain(projectId);
    expect((await log(open, body)).json.projectId).toBe(projectId);
  });

  it('service/log-pause-hands-to-the-team', async () => {
    await using open = await openService();
    const { json } = await log(open, { ai: 'pause' });
    expect(open.inbox.conversations.autoReply(projectOf(open, json))).toEqual({ state: 'off' });
    for (const wrong of ['off', 'PAUSE', true]) expect((await log(open, { ai: wrong })).status).toBe(400);
  });

  it('service/log-resume-returns-to-the-assistant: nothing else does', async () => {
    await using open = await openService();
    const { json } = await log(open, { ai: 'pause' });
    const project = projectOf(open, json);
    await log(open, { ai: null });
    expect(open.inbox.conversations.isOn(project)).toBe(false);
    await log(open, { ai: 'resume' });
    expect(open.inbox.conversations.isOn(project)).toBe(true);
    await log(open, {});
    expect(open.inbox.conversations.isOn(project)).toBe(true);
  });

  it('service/log-tells-truncation: after 4000 characters, counted as people do', async () => {
    await using open = await openService();
    const rows = [
      ['x'.repeat(4000), false],
      ['😀'.repeat(4000), false],
      ['x'.repeat(4001), true],
      ['😀'.repeat(4001), true],
    ] as const;
    for (const [text, truncated] of rows) {
      const { json } = await log(open, { text });
      expect(json.truncated).toBe(truncated);
      expect([...(projectOf(open, json).turns.at(-1)?.text ?? '')]).toHaveLength(4000);
    }
    const again = { externalId: 'long', text: 'x'.repeat(5000) };
    await log(open, again);
    expect((await log(open, again)).json.truncated).toBe(true);
    expect((await log(open, { text: '' })).json.truncated).toBe(false);
  });

  it('service/log-unknown-project-is-404: and a contact is not_found', async () => {
    await using open = await openService();
    const post = (target: object) => log(open, { phone: null, ...target });
    for (const target of [{ projectId: 99 }, { target: { projectId: 99 } }]) {
      const { status, json } = await post(target);
      expect([status, json.title]).toEqual([404, 'project_not_found']);
    }
    expect((await post({ contactId: 99 })).json).toMatchObject({ status: 404, title: 'not_found' });
    expect(open.inbox.workspace.projects.size).toBe(0);
  });
});
