import { describe, expect, it } from 'vitest';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { openService, type OpenService } from './open-service.ts';

const phone = '+4930901820';
const hour = 3_600_000;
const window = limits.whatsAppWindowHours * hour;

const send = (open: OpenService, body: object) => open.post('/v1/messages', { phone, text: 'It is ready.', ...body });
const writes = async (open: OpenService, text = 'Hello?') =>
  await open.inbox.customers.write(open.inbox.contacts.forPhone(phone), { channel: 'whatsapp', text });
const toCustomer = (open: OpenService) => open.events('to-customer').map(({ data }) => data);

describe('a message', () => {
  it('service/message-is-queued: with everything that the interface lists', async () => {
    await using open = await openService();
    const { status, json } = await send(open, { channels: ['sms'] });
    expect(status).toBe(202);
    expect(validate('messageResponse', json)).toEqual([]);
    const project = open.inbox.conversations.get(json.projectId);
    expect(json).toEqual({
      projectId: project.id,
      contactId: project.contactId,
      messageId: project.turns[0]?.messageId,
      status: 'queued',
      channel: 'sms',
      senderId: '4930231255001',
      sentAsTemplate: false,
      waitingForReply: false,
      consentOverridden: false,
    });
  });

  it('service/message-goes-to-one-target: exactly one of three', async () => {
    await using open = await openService({ contacts: [{ phone, email: 'erika@example.com', firstName: 'Erika' }] });
    const { id } = open.inbox.contacts.forPhone(phone);
    for (const target of [{ phone: '+49 30 901820' }, { email: 'ERIKA@example.com' }, { contactId: id }]) {
      const answer = await open.post('/v1/messages', { text: 'x', ...target });
      expect([answer.status, answer.json.contactId], JSON.stringify(target)).toEqual([202, id]);
    }
    const none = { contactId: null, email: null };
    for (const target of [
      {},
      none,
      { phone, contactId: id },
      { phone, email: 'a@b' },
      { projectId: 1 },
      { target: { phone } },
    ]) {
      const answer = await open.post('/v1/messages', { text: 'x', ...target });
      expect(answer.status, JSON.stringify(target)).toBe(400);
      expect(answer.json.detail).toContain('expected exactly one of phone, email, contactId, received ');
    }
    expect(open.inbox.workspace.contacts.size).toBe(1);
  });

  it('service/message-contact-must-exist: a number or address need not', async () => {
    await using open = await openService({ contacts: [] });
    const unknown = await open.post('/v1/messages', { contactId: 77, text: 'x' });
    expect([unknown.status, unknown.json.title]).toEqual([404, 'not_found']);
    expect([open.inbox.workspace.contacts.size, open.inbox.workspace.projects.size]).toEqual([0, 0]);
    expect((await open.post('/v1/messages', { phone, text: 'x' })).status).toBe(202);
    expect((await open.post('/v1/messages', { email: 'new@example.com', text: 'x' })).json.channel).toBe('email');
    expect(open.inbox.workspace.contacts.size).toBe(2);
  });

  it('service/message-purpose-is-none-by-default: none and service need no consent', async () => {
    await using open = await openService();
    for (const body of [{}, { purpose: null }, { purpose: 'none' }, { purpose: 'service' }]) {
      expect((await send(open, body)).status, JSON.stringify(body)).toBe(202);
    }
    for (const purpose of ['promo', '', 'Marketing', 1]) {
      const answer = await send(open, { purpose });
      expect([answer.status, answer.json.title], String(purpose)).toEqual([400, 'invalid_request']);
    }
  });

  it('service/message-marketing-needs-consent: or nothing is sent, and no contact created', async () => {
    await using open = await openService({ contacts: [{ phone, serviceConsent: true }] });
    const targets = [{ phone }, { phone: '+4930901899' }, { email: 'new@example.com' }];
    for (const target of targets) {
      const answer = await open.post('/v1/messages', { text: 'Sale!', purpose: 'marketing', ...target });
      expect([answer.status, answer.json.title]).toEqual([403, 'consent_missing']);
    }
    expect(toCustomer(open)).toEqual([]);
    expect([open.inbox.workspace.contacts.size, open.inbox.workspace.projects.size]).toEqual([1, 0]);
  });

  it('service/message-marketing-goes-with-consent', async () => {
    await using open = await openService({ contacts: [{ phone, marketingConsent: true }] });
    expect((await send(open, { purpose: 'marketing', text: 'Sale!', channels: ['sms'] })).status).toBe(202);
    expect(toCustomer(open)).toMatchObject([{ kind: 'text', text: 'Sale!' }]);
  });

  it('service/message-takes-channels-in-order: the first that has a sender and an address', async () => {
    await using open = await openService({
      contacts: [{ phone, email: 'erika@example.com' }, { email: 'kim@example.com' }],
    });
    const rows = [
      [{ phone }, ['sms', 'whatsapp'], 'sms'],
      [{ phone }, ['whatsapp', 'sms'], 'whatsapp'],
      // The inbox has no sender for RCS.
      [{ phone }, ['rcs', 'email', 'sms'], 'email'],
      [{ email: 'kim@example.com' }, ['whatsapp', 'sms', 'email'], 'email'],
    ] as const;
    for (const [target, channels, channel] of rows) {
      const { json } = await open.post('/v1/messages', { text: 'x', channels, ...target });
      expect(json.channel, channels.join()).toBe(channel);
      expect(json.senderId).toBe(open.inbox.workspace.senders.find((one) => one.channel === channel)?.id);
    }
    expect((await send(open, { channels: [] })).status).toBe(202);
    for (const channels of [['fax'], 'sms', ['sms', 'fax']]) expect((await send(open, { channels })).status).toBe(400);
  });

  it('is not deliverable without a usable channel: the team gets the conversation', async () => {
    await using open = await openService({ contacts: [{ phone }] });
    const answer = await send(open, { channels: ['email', 'rcs'] });
    expect([answer.status, answer.json.title]).toEqual([422, 'not_deliverable']);
    expect(answer.json.detail).toContain('a phone number');
    const [project] = open.inbox.workspace.projects.values();
    expect(project).toMatchObject({ autoReply: { state: 'off' }, turns: [] });
    expect(project?.notes).toHaveLength(1);
    open.inbox.contacts.forPhone(phone).undeliverable = true;
    expect((await send(open, {})).status).toBe(422);
    expect(toCustomer(open)).toEqual([]);
  });

  it('service/message-channel-is-chosen: WhatsApp, SMS, RCS, email', async () => {
    const sender = (channel: 'whatsapp' | 'sms' | 'rcs' | 'email') => ({ id: channel, channel, name: 'Us' });
    const all = (['email', 'rcs', 'sms', 'whatsapp'] as const).map(sender);
    for (const [count, chosen] of [
      [4, 'whatsapp'],
      [3, 'sms'],
      [2, 'rcs'],
      [1, 'email'],
    ] as const) {
      await using open = await openService({
        senders: all.slice(0, count),
        contacts: [{ phone, email: 'erika@example.com' }, { email: 'kim@example.com' }],
      });
      expect((await send(open, {})).json.channel).toBe(chosen);
      expect((await open.post('/v1/messages', { email: 'kim@example.com', text: 'x' })).json.channel).toBe('email');
    }
  });

  it('service/message-opens-a-project: when none is open', async () => {
    await using open = await openService();
    const first = (await send(open, { channels: ['sms'] })).json;
    const second = (await send(open, { channels: ['whatsapp'] })).json;
    expect(second.projectId).toBe(first.projectId);
    open.inbox.conversations.get(first.projectId).isOpen = false;
    const third = (await send(open, {})).json;
    expect(third.projectId).not.toBe(first.projectId);
    expect(third.contactId).toBe(first.contactId);
    const { contacts, conversations } = open.inbox;
    const latest = conversations.open(contacts.forPhone(phone), 'email');
    expect((await send(open, {})).json.projectId).toBe(latest.id);
  });

  it('service/message-counts-as-the-team: and the assistant does not take over after it', async () => {
    await using open = await openService({ agents: [{ chatUrl: 'https://ai.example/chat' }] });
    const project = await writes(open);
    expect(open.outbound.to('ai.example')).toHaveLength(1);
    expect(open.inbox.conversations.isOn(project)).toBe(true);
    await send(open, { text: 'A colleague is on it.' });
    expect(open.inbox.conversations.autoReply(project)).toEqual({ state: 'off' });
    expect(project.turns.at(-1)).toMatchObject({ role: 'team', text: 'A colleague is on it.' });
    expect(toCustomer(open)).toMatchObject([{ from: 'team', by: 'Tests' }]);
    await writes(open, 'Thanks!');
    expect(open.outbound.to('ai.example').at(-1)?.json.data.autoReply).toEqual({ state: 'off' });
    // A pause ends in the same way, and stays ended.
    open.inbox.conversations.handBack(project);
    open.inbox.conversations.mute(project);
    await send(open, {});
    await open.clock.move(hour);
    expect(open.inbox.conversations.autoReply(project)).toEqual({ state: 'off' });
  });
});

describe('the WhatsApp window', () => {
  it('service/message-in-the-window-goes-at-once: 24 hours from the last message of the customer', async () => {
    await using open = await openService();
    await writes(open);
    await open.clock.move(window - 60_000);
    const { json } = await send(open, {});
    expect(json).toMatchObject({ channel: 'whatsapp', waitingForReply: false, sentAsTemplate: false });
    expect(toCustomer(open)).toMatchObject([{ kind: 'text', text: 'It is ready.' }]);
    await open.clock.move(60_000);
    expect((await send(open, {})).json.waitingForReply).toBe(true);
    expect(limits.whatsAppWindowHours).toBe(24);
  });

  it('service/message-outside-the-window-waits: also when the customer wrote elsewhere', async () => {
    await using open = await openService();
    const contact = open.inbox.contacts.forPhone(phone);
    await open.inbox.customers.write(contact, { channel: 'sms', text: 'Hi' });
    const { status, json } = await send(open, {});
    expect([status, json.channel]).toEqual([202, 'whatsapp']);
    expect(json).toMatchObject({ waitingForReply: true, sentAsTemplate: false });
    // Other channels have no window.
    expect((await send(open, { channels: ['sms'] })).json.waitingForReply).toBe(false);
  });

  it('service/message-outside-the-window-is-announced: by a notification without the message', async () => {
    await using open = await openService();
    await send(open, { text: 'Your secret gift is here.' });
    const [notice, ...others] = open.events('to-customer');
    expect(notice).toMatchObject({ data: { kind: 'notification', channel: 'whatsapp' } });
    expect(JSON.stringify(notice)).not.toContain('gift');
    expect(others).toEqual([]);
  });

  it('service/message-that-waits-goes-with-the-tap: or with a reply, once and in order', async () => {
    for (const how of ['taps', 'replies'] as const) {
      await using open = await openService();
      await send(open, { text: 'First.' });
      const { json } = await send(open, { text: 'Second.' });
      const project = open.inbox.conversations.get(json.projectId);
      const act = async () => (how === 'taps' ? open.inbox.conversations.customerTaps(project) : await writes(open));
      await act();
      const texts = () => toCustomer(open).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
      expect(texts(), how).toEqual(['First.', 'Second.']);
      expect((await send(open, { text: 'Third.' })).json.waitingForReply).toBe(false);
      await act();
      expect(texts(), how).toEqual(['First.', 'Second.', 'Third.']);
    }
  });

  it('service/message-with-template-goes-at-once: with any form of the reference', async () => {
    await using open = await openService();
    for (const template of ['order_ready', 7, { name: 'order_ready', language: 'en' }]) {
      const { status, json } = await send(open, { whatsApp: { template } });
      expect(status).toBe(202);
      expect(json).toMatchObject({ channel: 'whatsapp', sentAsTemplate: true, waitingForReply: false });
    }
    expect(toCustomer(open).map(({ kind }) => kind)).toEqual(['template', 'template', 'template']);
    const project = open.inbox.conversations.current(open.inbox.contacts.forPhone(phone));
    expect(project.waiting).toEqual([]);
    // A template applies to WhatsApp only, and null means no template.
    expect((await send(open, { channels: ['sms'], whatsApp: { template: 'x' } })).json.sentAsTemplate).toBe(false);
    expect((await send(open, { whatsApp: { template: null } })).json.waitingForReply).toBe(true);
  });
});
