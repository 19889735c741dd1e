import { describe, expect, it } from 'vitest';
import { serviceSeed } from '../../simulate/service-seed.ts';
import { serviceSecrets } from '../../simulate/service-secrets.ts';
import type { ResolvedConfig } from '../../harness/config/settings.ts';
import { fullName } from '../../service/full-name.ts';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { openService } from './open-service.ts';

describe('the initial content of an inbox', () => {
  it('has the known caller of a config with only the number, in any form', () => {
    const config = { stimuli: { knownCaller: '+49.152/288 (173)-86' }, skills: [] } as unknown as ResolvedConfig;
    const { contacts } = serviceSeed(config, serviceSecrets(undefined, undefined, {}));
    expect(contacts).toMatchObject([{ phone: '+4915228817386' }]);
  });

  it('has useful defaults: a contact, a channel, and an assistant with two skills', async () => {
    await using open = await openService();
    const { workspace, contacts, agents } = open.inbox;
    const known = [...workspace.contacts.values()];
    expect(known.map((contact) => fullName(contact))).toEqual(['Erika Mustermann', 'Max Beispiel', 'Kim Sample']);
    expect(known.map(({ marketingConsent }) => marketingConsent)).toEqual([true, false, false]);
    for (const contact of known) {
      if (contact.phone !== null) expect(validate('contactData', contacts.contactData(contact))).toEqual([]);
      expect(validate('contact', contacts.wire(contact))).toEqual([]);
    }
    const [agent, ...others] = [...workspace.agents.values()];
    expect(others).toEqual([]);
    expect(agent?.secret).toMatch(/^whsec_[0-9a-f]{32}$/);
    expect(agent && validate('agent', agents.wire(agent))).toEqual([]);
    expect(agent?.skills.map(({ key, kind }) => [key, kind])).toEqual([
      ['sales', 'forward'],
      ['urgent', 'alert'],
    ]);
    expect(workspace).toMatchObject({ timeZone: 'Europe/Berlin', hasOwnWhatsAppNumber: true, crmWebhook: undefined });
    expect([workspace.projects.size, workspace.appointments.size, workspace.subscriptions.size]).toEqual([0, 0, 0]);
    const ids = [
      workspace.id,
      agent?.agentId,
      ...known.map(({ id }) => id),
      ...(agent?.skills ?? []).map(({ id }) => id),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is the requested one', async () => {
    const skills = [
      { id: 5, key: 'help', name: 'Help', kind: 'alert' as const, announcement: null, needsApproval: true },
    ];
    await using open = await openService({
      name: 'Workshop',
      timeZone: 'America/New_York',
      hasOwnWhatsAppNumber: false,
      agents: [
        { agentId: 7, name: 'Ours', chatUrl: 'https://ai.example/chat', secret: null, timeoutSeconds: 99, skills },
        { timeoutSeconds: 1 },
      ],
      crmWebhook: { url: 'https://crm.example', token: 't' },
      contacts: [{ phone: '+4930901820', marketingConsent: true, undeliverable: true }],
      senders: [],
      subscriptions: [
        { url: 'https://hooks.example' },
        { url: 'https://a.example', events: ['appointment.created'], secret: 's' },
      ],
    });
    const { workspace } = open.inbox;
    expect(workspace).toMatchObject({
      name: 'Workshop',
      timeZone: 'America/New_York',
      senders: [],
      hasOwnWhatsAppNumber: false,
    });
    const [first, second] = [...workspace.agents.values()];
    expect(first).toMatchObject({ agentId: 7, name: 'Ours', chatUrl: 'https://ai.example/chat', secret: undefined });
    expect(first?.timeoutSeconds).toBe(limits.ownAiTimeoutSecondsMax);
    expect(first?.skills).toEqual([{ hoursLimited: false, ...skills[0] }]);
    expect(second).toMatchObject({ timeoutSeconds: limits.ownAiTimeoutSecondsMin, skills: [] });
    expect([...workspace.contacts.values()]).toMatchObject([
      { phone: '+4930901820', undeliverable: true, email: null },
    ]);
    const [all, one] = [...workspace.subscriptions.values()];
    expect(all?.events).toHaveLength(6);
    expect(one).toMatchObject({ events: ['appointment.created'], secret: 's', description: null });
  });

  it('can give the default assistant other skills, and contain no assistant and no customer', async () => {
    await using open = await openService({ skills: [], contacts: [] });
    expect([...open.inbox.workspace.agents.values()]).toMatchObject([{ skills: [] }]);
    expect(open.inbox.workspace.contacts.size).toBe(0);
    await using none = await openService({ agents: [] });
    expect(none.inbox.workspace.agents.size).toBe(0);
  });

  it('is not shared between two inboxes with the same seed', async () => {
    const seed = { contacts: [{ phone: '+4930901820', lastWroteAt: {}, crm: {} }] };
    await using open = await openService({}, { inboxes: [seed, seed] });
    const [a, b] = open.service.inboxes.map(({ contacts }) => contacts.forPhone('+4930901820'));
    if (!a || !b) throw new Error('expected two contacts');
    a.lastWroteAt.whatsapp = 1;
    expect(b.lastWroteAt).toEqual({});
    expect(a.id).not.toBe(b.id);
  });

  it('is refused at once with a time zone that does not exist', async () => {
    await expect(openService({ timeZone: 'Europe/Nowhere' })).rejects.toThrow(RangeError);
  });
});
