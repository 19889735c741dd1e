import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import { limits } from '../../specs/limits.ts';
import type { AutoReply } from '../../specs/generated/types.ts';
import { begin } from './open-service.ts';
import { TalkingService } from './talking-service.ts';

let talk: TalkingService;

beforeEach(async () => {
  talk = await TalkingService.open();
});
afterEach(() => talk[Symbol.asyncDispose]());

const off: AutoReply = { state: 'off' };
const on: AutoReply = { state: 'on' };

/** The auto-reply state in the next event to the AI. */
async function nextEvent() {
  const before = talk.taken.length;
  await talk.writes('Still there?');
  expect(talk.taken.length).toBe(before + 1);
  return talk.event.data;
}

describe('from on', () => {
  it('service/auto-reply-off-when-the-team-replies: in the app, or through the API', async () => {
    const project = await talk.writes('Hello?');
    expect(talk.event.data.autoReply).toEqual(on);
    talk.conversations.teamReplies(project, 'I am here.');
    expect(await nextEvent()).toMatchObject({ autoReply: off, skills: [] });
    talk.conversations.handBack(project);
    const sent = await talk.api('POST', '/v1/messages', { contactId: project.contactId, text: 'Me again.' });
    expect(sent.status).toBe(202);
    expect((await nextEvent()).autoReply).toEqual(off);
    const logged = talk.reported('auto-reply').map(({ text }) => text);
    expect(logged.filter((text) => text.startsWith('off'))).toEqual(Array(2).fill('off: the team replied'));
  });

  it('service/auto-reply-off-when-taken-over', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.takeOver(project);
    expect((await nextEvent()).autoReply).toEqual(off);
  });

  it('service/auto-reply-off-when-switched-off', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.switchOff(project);
    expect((await nextEvent()).autoReply).toEqual(off);
  });

  it('service/auto-reply-off-after-a-handover: of a direct answer and of a later reply', async () => {
    const project = await talk.writesAndGets({ text: 'A colleague will write.', action: 'handover' });
    expect(talk.conversations.autoReply(project)).toEqual(off);
    talk.conversations.handBack(project);
    const { body } = await talk.reply(project, { action: 'handover' });
    expect(body).toMatchObject({ status: 'handed_over', autoReply: off });
    expect(talk.shownToTeam.filter((text) => text.startsWith('push'))).toHaveLength(2);
  });

  it('service/chat-handover-turns-auto-reply-off: until the conversation is handed back', async () => {
    const project = await talk.writesAndGets({ action: 'handover' });
    talk.answer = () => 204;
    expect((await nextEvent()).autoReply).toEqual(off);
    expect((await nextEvent()).autoReply).toEqual(off);
    talk.conversations.handBack(project);
    expect((await nextEvent()).autoReply).toEqual(on);
  });

  it('service/chat-end-changes-nothing-else: the message goes out, and the AI keeps the conversation', async () => {
    await talk.writesAndGets({ text: 'Goodbye.', action: 'end' });
    expect(talk.saidToCustomer).toEqual(['Goodbye.']);
    expect(await nextEvent()).toMatchObject({ autoReply: on, skills: [{}, {}, {}, {}] });
    expect(talk.reported('to-team', 'auto-reply')).toEqual([]);
  });

  it('service/auto-reply-paused-by-muting: for 30 minutes, or for the given time', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.mute(project);
    const { autoReply, skills } = await nextEvent();
    expect(skills).toEqual([]);
    const after = (minutes: number) => ({ state: 'paused', pausedUntil: timestamp(begin + minutes * 60_000) });
    expect(autoReply).toEqual(after(limits.autoReplyPauseMinutes));
    talk.conversations.mute(project, 5);
    expect((await nextEvent()).autoReply).toEqual(after(5));
  });
});

describe('and back', () => {
  it('service/auto-reply-on-after-the-pause', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.mute(project, 30);
    await talk.service.clock.move(29 * 60_000);
    expect(talk.conversations.isOn(project)).toBe(false);
    await talk.service.clock.move(60_000);
    expect(talk.reported('auto-reply').map(({ text }) => text)).toEqual([
      'paused: the team muted the conversation',
      'on: the pause is over',
    ]);
    expect((await nextEvent()).autoReply).toEqual(on);
  });

  it('does not end a later pause, or one that became off', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.mute(project, 10);
    talk.conversations.mute(project, 30);
    await talk.service.clock.move(11 * 60_000);
    expect(talk.conversations.autoReply(project).state).toBe('paused');
    talk.conversations.takeOver(project);
    await talk.service.clock.move(60 * 60_000);
    expect(talk.conversations.autoReply(project)).toEqual(off);
  });

  it('service/auto-reply-on-when-handed-back: from off, and out of a pause', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.switchOff(project);
    talk.conversations.handBack(project);
    expect(await nextEvent()).toMatchObject({ autoReply: on, skills: [{}, {}, {}, {}] });
    talk.conversations.mute(project);
    talk.conversations.handBack(project);
    expect((await nextEvent()).autoReply).toEqual(on);
  });
});

describe('while it is not on', () => {
  it('service/auto-reply-handover-has-nothing-left: no one is notified, and nothing changes', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.mute(project, 30);
    const paused = talk.conversations.autoReply(project);
    const { body } = await talk.reply(project, { action: 'handover' });
    expect(body).toEqual({ projectId: project.id, messageId: null, status: 'noop', autoReply: paused });
    talk.conversations.takeOver(project);
    const withText = await talk.reply(project, { text: 'Over to you.', action: 'handover' });
    expect(withText.body).toMatchObject({ status: 'sent', autoReply: off });
    expect(talk.shownToTeam.filter((text) => text.startsWith('push'))).toEqual([]);
  });

  it('service/reply-while-the-team-has-it-is-delivered: by a direct answer and by a later reply', async () => {
    const project = await talk.writes('Hello?');
    talk.conversations.takeOver(project);
    await talk.writesAndGets({ text: 'We open at nine.' });
    const { status, body } = await talk.reply(project, { text: 'And close at six.' });
    expect(status).toBe(202);
    expect(body).toMatchObject({ status: 'sent', autoReply: off });
    expect(talk.saidToCustomer).toEqual(['We open at nine.', 'And close at six.']);
  });

  it('service/reply-while-the-team-has-it-is-noted-once: each time that the team steps in', async () => {
    const project = await talk.writes('Hello?');
    const notes = () => project.notes.length;
    await talk.reply(project, { text: 'Good morning.' });
    expect(notes()).toBe(0);
    for (const expected of [1, 2]) {
      talk.conversations.takeOver(project);
      await talk.reply(project, { action: 'handover' });
      expect(notes()).toBe(expected - 1);
      await talk.reply(project, { text: 'We open at nine.' });
      await talk.reply(project, { text: 'And close at six.' });
      expect(notes()).toBe(expected);
      talk.conversations.handBack(project);
    }
    await talk.reply(project, { text: 'Here I am again.' });
    expect(notes()).toBe(2);
  });

  it('service/auto-reply-off-quiets-the-assistant: the one of the service, where no own AI answers', async () => {
    await using service = await TalkingService.open({ agents: [] });
    const project = await service.writes('Hello?');
    const answered = service.saidToCustomer.length;
    expect(answered).toBeGreaterThan(0);
    service.conversations.takeOver(project);
    await service.writes('Still there?');
    expect(service.saidToCustomer).toHaveLength(answered);
    service.conversations.handBack(project);
    await service.writes('And now?');
    expect(service.saidToCustomer.length).toBeGreaterThan(answered);
  });
});
