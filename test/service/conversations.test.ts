import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import { cutText, oneLine } from '../../service/cut-text.ts';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { begin } from './open-service.ts';
import { TalkingService } from './talking-service.ts';

let talk: TalkingService;

beforeEach(async () => {
  talk = await TalkingService.open();
});
afterEach(async () => {
  vi.useRealTimers();
  await talk[Symbol.asyncDispose]();
});

const day = 24 * 3_600_000;

describe('the transcript', () => {
  it('service/transcript-is-of-the-project: all of its messages, oldest first', async () => {
    const project = await talk.writesAndGets({ text: 'We open at nine.', note: 'Not said.' }, 'When do you open?');
    await talk.service.clock.move(60_000);
    talk.conversations.teamReplies(project, 'On Sundays at ten.');
    await talk.writes('Another person.', { phone: '+4915228895456' });
    const { status, body } = await talk.api('GET', `/v1/projects/${project.id}/messages`);
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { role: 'customer', text: 'When do you open?', at: timestamp(begin) },
        { role: 'agent', text: 'We open at nine.', at: timestamp(begin) },
        { role: 'team', text: 'On Sundays at ten.', at: timestamp(begin + 60_000) },
      ],
    });
  });

  it('matches its schema and is complete, with messages of any length; only the history of events is cut', async () => {
    const project = await talk.writes('Hello?');
    const long = '😀'.repeat(limits.ownAiTextCharacters + 1);
    talk.conversations.teamReplies(project, long);
    talk.conversations.addTurn(project, 'system', '');
    const { body } = await talk.api('GET', `/v1/projects/${project.id}/messages`);
    expect(validate('transcript', body)).toEqual([]);
    expect(body).toMatchObject([{ text: 'Hello?' }, { text: long }]);
    expect(body).toHaveLength(2);
    await talk.writes('And now?');
    expect(talk.event.data.history.at(-1)?.text).toBe(cutText(long, limits.ownAiTextCharacters));
  });

  it('service/transcript-of-an-unknown-project-is-404', async () => {
    for (const id of ['999999', '0', 'x', '1e3']) {
      const { status, body } = await talk.api('GET', `/v1/projects/${id}/messages`);
      expect({ status, title: body.title }, id).toEqual({ status: 404, title: 'project_not_found' });
    }
  });
});

describe('the history of an event', () => {
  it('service/chat-history-is-the-last-30-turns: without the new message, oldest first', async () => {
    const texts = Array.from({ length: limits.historyTurns + 5 }, (_, at) => `Message ${at}`);
    for (const [at, text] of texts.entries()) {
      await talk.writes(text);
      const { history, message } = talk.event.data;
      expect(message.text).toBe(text);
      expect(history.map((turn) => turn.text)).toEqual(texts.slice(Math.max(0, at - limits.historyTurns), at));
    }
  });

  it('has a logged message at its time, and none after the new one', async () => {
    const project = await talk.writes('Hello?');
    await talk.service.clock.move(3_600_000);
    await talk.writes('Still there?');
    const logged = { projectId: project.id, direction: 'in', channel: 'sms', text: 'By SMS.' };
    const occurredAt = `${timestamp(begin + 1_800_000)}Z`;
    await talk.api('POST', '/v1/messages/log', { ...logged, occurredAt });
    await talk.writes('And now?');
    expect(talk.event.data.history.map(({ text }) => text)).toEqual(['Hello?', 'By SMS.', 'Still there?']);
    const first = project.turns.find(({ text }) => text === 'Still there?');
    expect(talk.conversations.history(project, first?.messageId).map(({ text }) => text)).toEqual([
      'Hello?',
      'By SMS.',
    ]);
  });

  it('has a logged message with a time in the future as one of now', async () => {
    const project = await talk.writes('Hello?');
    const logged = { projectId: project.id, direction: 'in', channel: 'sms', text: 'By SMS.' };
    await talk.api('POST', '/v1/messages/log', { ...logged, occurredAt: `${timestamp(begin + day)}Z` });
    await talk.service.clock.move(1_000);
    await talk.writes('And now?');
    expect(talk.event.data.history.map(({ text, at }) => [text, at])).toEqual([
      ['Hello?', timestamp(begin)],
      ['By SMS.', timestamp(begin)],
    ]);
  });

  it('service/chat-omits-missing-contact-members', async () => {
    await talk.writes('Hello?', { phone: '+4915228899999' });
    const { contact } = talk.event.data;
    expect(contact).toEqual({ id: contact.id, phone: '+4915228899999' });
    await talk.writes('Hello?');
    expect(Object.keys(talk.event.data.contact)).toEqual(['id', 'name', 'phone', 'email']);
  });
});

describe('the channel', () => {
  it('service/reply-goes-out-where-the-customer-wrote: last', async () => {
    const channels = ['webchat', 'telegram', 'whatsapp', 'webchat'] as const;
    for (const channel of channels) {
      const project = await talk.writes('Hello?', { channel });
      await talk.reply(project, { text: 'Hello!' });
    }
    expect(talk.reported('to-customer').map(({ data }) => data.channel)).toEqual(channels);
    expect(new Set(talk.taken.map(({ data }) => data.projectId)).size).toBe(1);
  });

  it('of a message after a call is one that carries messages', async () => {
    const contact = talk.contact();
    const call = talk.conversations.open(contact, 'phone');
    contact.lastWroteAt.telegram = begin;
    await talk.reply(call, { text: 'Here is the address.' });
    expect(talk.reported('to-customer').at(-1)?.data).toMatchObject({
      channel: 'telegram',
      text: 'Here is the address.',
    });
  });

  it('other than a chat causes no event', async () => {
    for (const channel of ['sms', 'rcs', 'email'] as const) await talk.writes('Hello?', { channel });
    expect(talk.taken).toEqual([]);
    expect(talk.shownToTeam).toHaveLength(3);
  });
});

describe('the WhatsApp window', () => {
  it('is open for a day; after that a message waits until the customer replies there', async () => {
    const project = await talk.writes('Hello?', { channel: 'whatsapp' });
    await talk.service.clock.move(day - 1);
    await talk.reply(project, { text: 'Just in time.' });
    expect(talk.saidToCustomer).toEqual(['Just in time.']);
    await talk.service.clock.move(1);
    const { status, body } = await talk.reply(project, { text: 'Too late.' });
    expect({ status, outcome: body.status }).toEqual({ status: 202, outcome: 'sent' });
    expect(talk.reported('to-customer').at(-1)?.data).toMatchObject({ kind: 'notification' });
    expect(talk.saidToCustomer).not.toContain('Too late.');
    await talk.writes('Hello again.', { channel: 'whatsapp' });
    expect(talk.reported('to-customer').at(-1)?.data).toMatchObject({ text: 'Too late.', messageId: body.messageId });
    expect(project.waiting).toEqual([]);
    await talk.writes('And once more.', { channel: 'whatsapp' });
    expect(talk.saidToCustomer.filter((text) => text === 'Too late.')).toHaveLength(1);
  });

  it('opens with a tap on the button, and waiting messages are sent in order', async () => {
    const project = talk.conversations.open(talk.contact(), 'whatsapp');
    for (const text of ['One.', 'Two.']) talk.conversations.teamReplies(project, text);
    expect(project.waiting).toHaveLength(2);
    talk.conversations.customerTaps(project);
    expect(talk.saidToCustomer.slice(2)).toEqual(['One.', 'Two.']);
    talk.conversations.teamReplies(project, 'Three.');
    expect(talk.saidToCustomer.at(-1)).toBe('Three.');
  });

  it('does not open by a message on another channel', async () => {
    const project = talk.conversations.open(talk.contact(), 'whatsapp');
    talk.conversations.teamReplies(project, 'One.');
    await talk.writes('Hello?', { channel: 'webchat' });
    expect(project.waiting).toHaveLength(1);
  });
});

describe('a new conversation', () => {
  it('is reported to the CRM once, and the answer of the CRM is in the first event', async () => {
    talk.answerOfCrm = () => ({
      requestContactUpdate: true,
      contactData: { firstName: 'Kim', lastName: 'Sample' },
      requestProjectUpdate: true,
      projectData: { crmProjectId: 'C-1', projectName: 'Boiler' },
    });
    const project = await talk.writes('Hello?', { phone: '+4915228899999' });
    expect(talk.event.data.contact.name).toBe('Kim Sample');
    expect(talk.conversations.projectData(project)).toMatchObject({ crmProjectId: 'C-1', projectName: 'Boiler' });
    await talk.writes('Still there?', { phone: '+4915228899999' });
    expect(talk.crm).toEqual(['NewConversation']);
    project.isOpen = false;
    const next = await talk.writes('Me again.', { phone: '+4915228899999' });
    expect(next.id).not.toBe(project.id);
    expect(talk.event.data).toMatchObject({ projectId: next.id, history: [] });
    expect(talk.crm).toEqual(['NewConversation', 'NewConversation']);
  });

  it.each([
    ['a note', (phone: string) => talk.api('POST', '/v1/notes', { phone, text: 'VIP.' })],
    ['a call', (phone: string) => talk.inbox.phone.call({ from: phone })],
    ['an email', (phone: string) => talk.writes('Hello?', { phone, channel: 'email' })],
  ])('is reported to the CRM when the project existed already, after %s', async (_what, begins) => {
    const phone = '+4915228899999';
    await begins(phone);
    const before = talk.crm.length;
    expect(talk.crm).not.toContain('NewConversation');
    await talk.writes('Hello?', { phone });
    await talk.writes('Still there?', { phone });
    expect(talk.crm.slice(before)).toEqual(['NewConversation']);
  });

  it('does not exist on channels other than chat', async () => {
    for (const channel of ['email', 'sms', 'rcs'] as const) await talk.writes('Hello?', { channel });
    expect(talk.crm).toEqual([]);
  });

  it('that was begun elsewhere is not reported again', async () => {
    const contactId = talk.contact().id;
    talk.conversations.adopt({ id: 812, contactId, channel: 'webchat' });
    expect((await talk.writes('Hello?')).id).toBe(812);
    expect(talk.crm).toEqual([]);
  });

  it('waits two seconds for the CRM, and no message overtakes another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let answer = (_: number): void => undefined;
    talk.answerOfCrm = () => new Promise<number>((resolve) => (answer = resolve));
    const written = [talk.writes('One.'), talk.writes('Two.')];
    await vi.advanceTimersByTimeAsync(limits.crmLookupAnswerMs - 1);
    expect(talk.taken).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(talk.taken.map(({ data }) => data.message.text)).toEqual(['One.', 'Two.']);
    expect(talk.taken.map(({ data }) => data.history.length)).toEqual([0, 1]);
    answer(204);
    const [first, second] = await Promise.all(written);
    expect(first?.id).toBe(second?.id);
  });

  it('of an own AI has no greeting; the one of the service begins with it', async () => {
    await talk.writes('Hello?');
    expect(talk.saidToCustomer).toEqual([]);
    await using own = await TalkingService.open({ agents: [] });
    const project = await own.writes('Hello?');
    const said = own.saidToCustomer;
    expect(said[0]).toContain('privacy');
    await own.writes('Hello?');
    expect(own.saidToCustomer.filter((text) => text === said[0])).toHaveLength(1);
    expect(project.turns.map(({ role }) => role)).toEqual(['customer', 'system', 'agent', 'customer', 'agent']);
    const phone = '+4915228899999';
    await own.api('POST', '/v1/notes', { phone, text: 'VIP.' });
    await own.writes('Hello?', { phone });
    expect(own.saidToCustomer.filter((text) => text === said[0])).toHaveLength(2);
  });
});

describe('a project', () => {
  it('is answered by the first assistant; a contact has one open at a time', () => {
    const contact = talk.contact();
    const project = talk.conversations.current(contact, 'webchat');
    expect(project).toMatchObject({ agentId: talk.agent.agentId, channel: 'webchat', autoReply: { state: 'on' } });
    expect(talk.conversations.current(contact, 'whatsapp')).toBe(project);
    expect(talk.conversations.get(project.id)).toBe(project);
    expect(() => talk.conversations.get(undefined)).toThrow(expect.objectContaining({ code: 'project_not_found' }));
  });

  it('can be reopened unchanged, with its current pause', async () => {
    const pausedUntil = begin + 60_000;
    const project = talk.conversations.adopt({
      id: 812,
      channel: 'whatsapp',
      autoReply: { state: 'paused', pausedUntil },
    });
    expect(talk.conversations.autoReply(project)).toEqual({ state: 'paused', pausedUntil: timestamp(pausedUntil) });
    expect((await talk.reply(project, { text: 'Yes.' })).body).toMatchObject({ projectId: 812, status: 'sent' });
    // Its customer has just written, so that the window is open.
    expect(talk.saidToCustomer).toEqual(['Yes.']);
    await talk.service.clock.move(60_000);
    expect(talk.reported('auto-reply').map(({ text }) => text)).toEqual(['on: the pause is over']);
  });

  it('applies the answer of the CRM, keeps its id and always has a name', async () => {
    const project = await talk.writes('When do you open?');
    expect(validate('projectData', talk.conversations.projectData(project))).toEqual([]);
    talk.conversations.applyCrm(project, {
      svcProjectId: 1,
      crmProjectId: 'C-1',
      projectName: ' ',
      city: 'Ulm',
      crmAiInfo: 'VIP',
    });
    const data = talk.conversations.projectData(project);
    expect(data).toMatchObject({ svcProjectId: project.id, crmProjectId: 'C-1', city: 'Ulm', crmAiInfo: 'VIP' });
    expect(data.projectName).toContain('Erika Mustermann');
    expect(talk.reported('crm-data').at(-1)?.data.changed).toEqual(['crmProjectId', 'city', 'crmAiInfo']);
    talk.conversations.applyCrm(project, { crmProjectId: '', city: null });
    expect(talk.conversations.projectData(project)).toMatchObject({ crmProjectId: null, city: null, crmAiInfo: 'VIP' });
    const changes = talk.reported('crm-data').length;
    talk.conversations.applyCrm(project, { city: null });
    expect(talk.reported('crm-data')).toHaveLength(changes);
  });

  it('that is paused is reported to the CRM, and auto-reply stays unchanged', async () => {
    const project = await talk.writes('Hello?');
    await talk.inbox.crmWebhook.conversationPaused(project);
    expect(talk.crm).toEqual(['NewConversation', 'ConversationPaused']);
    expect(talk.conversations.isOn(project)).toBe(true);
  });
});

describe('message text', () => {
  it('is cut between characters', () => {
    expect(cutText('abc', 3)).toBe('abc');
    expect(cutText('abcd', 3)).toBe('abc');
    expect(cutText('a😀b', 2)).toBe('a😀');
    expect(cutText('😀😀', 2)).toBe('😀😀');
    expect(cutText('\ud83d\ud83d', 1)).toBe('\ud83d');
    expect(cutText('abc', 0)).toBe('');
  });

  it('is put on one line, with a mark where it was cut', () => {
    expect(oneLine(' a\r\n b\tc ')).toBe('a b c');
    expect(oneLine('x'.repeat(80))).toBe('x'.repeat(80));
    expect(oneLine('x'.repeat(81))).toBe(`${'x'.repeat(80)}…`);
    expect(oneLine(`a${' '.repeat(1_000)}b`)).toBe('a…');
    expect(oneLine('')).toBe('');
  });

  it('of customers is not empty', async () => {
    await expect(talk.writes('')).rejects.toThrow(RangeError);
  });
});
