import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import { limits } from '../../specs/limits.ts';
import type { AutoReply } from '../../specs/types.ts';
import { begin } from './open-service.ts';
import { TalkingService } from './talking-service.ts';

let talk: TalkingService;

beforeEach(async () => {
  talk = await TalkingService.open();
});
afterEach(() => talk[Symbol.asyncDispose]());

const off: AutoReply = { state: 'off' };
const on: AutoReply = { state: 'on' };

/** What the AI is told about auto-reply with the next message of the customer. */
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

  it('service/chat-end-changes-nothing-else: the text goes out, and the AI keeps the conversation', async () => {
    await talk.writesAndGets({ text: 'Goodbye.', action: 'end' });
    expect(talk.saidToCustomer).toEqual(['Goodbye.']);
    expect(await nextEvent()).toMatchObject({ autoReply: on, skills: [{}, {}, {}, {}] });
    expect(talk.told('to-team', 'auto-reply')).toEqual([]);
  });

  it('service/auto-reply-paused-by-muting: for 30 minutes, or for as long as is said', async () => {
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
    expect(talk.told('auto-reply').map(({ text }) => text)).toEqual([
      'paused: the team muted the conversation',
      'on: the pause is over',
    ]);
    expect((await nextEvent()).autoReply).toEqual(on);
  });

  it('ends no later pause, and none that became off', async () => {
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
  it('service/auto-reply-handover-has-nothing-left: nobody is told, and nothing changes', async () => {
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

/** What must hold of one conversation, written down apart from the code: the table of the interface, row by row. */
interface Model {
  state: AutoReply['state'];
  /** Unix milliseconds on the service's clock. */
  pausedUntil: number;
  forwarded: boolean;
  /** The AI has written since the team stepped in. */
  told: boolean;
  notes: number;
  now: number;
}

interface Real {
  talk: TalkingService;
  phone: string;
}

type Act = readonly [
  name:
    | 'team replies'
    | 'taken over'
    | 'switched off'
    | 'muted'
    | 'handed back'
    | 'time passes'
    | 'AI writes'
    | 'AI hands over'
    | 'AI forwards'
    | 'AI alerts'
    | 'customer writes'
    | 'log pauses'
    | 'log resumes',
  minutes: number,
];

function stepIn(model: Model): void {
  if (model.state === 'on') model.told = false;
  model.state = 'off';
}

function turnOn(model: Model): void {
  model.state = 'on';
  model.forwarded = false;
}

async function play(model: Model, { talk: real, phone }: Real, [name, minutes]: Act): Promise<void> {
  const { conversations } = real;
  const project = conversations.current(real.contact(phone), 'webchat');
  const was = model.state;
  switch (name) {
    case 'team replies':
      conversations.teamReplies(project, 'I am here.');
      return stepIn(model);
    case 'taken over':
      conversations.takeOver(project);
      return stepIn(model);
    case 'switched off':
      conversations.switchOff(project);
      return stepIn(model);
    case 'log pauses':
    case 'log resumes': {
      const ai = name === 'log pauses' ? 'pause' : 'resume';
      const logged = { projectId: project.id, direction: 'out', channel: 'sms', text: 'Said elsewhere.', ai };
      expect((await real.api('POST', '/v1/messages/log', logged)).status).toBe(201);
      return ai === 'pause' ? stepIn(model) : turnOn(model);
    }
    case 'muted':
      conversations.mute(project, minutes);
      if (was === 'off') return;
      if (was === 'on') model.told = false;
      model.state = 'paused';
      model.pausedUntil = model.now + minutes * 60_000;
      return;
    case 'handed back':
      conversations.handBack(project);
      return turnOn(model);
    case 'time passes':
      await real.service.clock.move(minutes * 60_000);
      model.now += minutes * 60_000;
      if (was === 'paused' && model.now >= model.pausedUntil) turnOn(model);
      return;
    case 'AI writes': {
      const { body } = await real.reply(project, { text: 'We open at nine.' });
      expect(body).toMatchObject({ status: 'sent', autoReply: { state: was } });
      if (was === 'on' || model.told) return;
      model.told = true;
      model.notes++;
      return;
    }
    case 'AI hands over': {
      const { body } = await real.reply(project, { action: 'handover' });
      expect(body.status).toBe(was === 'on' ? 'handed_over' : 'noop');
      if (was === 'on') stepIn(model);
      return;
    }
    case 'AI forwards': {
      const { body } = await real.reply(project, { executeSkills: ['sales'] });
      const outcome = was === 'on' ? { key: 'sales', ok: true } : { key: 'sales', ok: false, reason: 'not-allowed' };
      expect(body.skills).toEqual([outcome]);
      expect(body.status).toBe(was === 'on' ? 'handed_over' : 'noop');
      if (was !== 'on') return;
      stepIn(model);
      model.forwarded = true;
      return;
    }
    case 'AI alerts': {
      const { status, body } = await real.api('POST', `/v1/projects/${project.id}/skills/urgent`);
      const isOn = was === 'on';
      expect({ status, body }).toMatchObject(
        isOn
          ? { status: 200, body: { key: 'urgent', ok: true } }
          : { status: 409, body: { title: 'project_not_with_agent' } },
      );
      return;
    }
    case 'customer writes': {
      const before = real.taken.length;
      await real.writes('Hello?', { phone });
      expect(real.taken.length - before).toBe(model.forwarded ? 0 : 1);
      if (model.forwarded) return;
      const { skills, autoReply } = real.event.data;
      expect(autoReply.state).toBe(was);
      expect(skills).toHaveLength(was === 'on' ? 4 : 0);
    }
  }
}

const act: fc.Arbitrary<Act> = fc.tuple(
  fc.constantFrom<Act[0]>(
    'team replies', 'taken over', 'switched off', 'muted', 'handed back', 'time passes', 'AI writes',
    'AI hands over', 'AI forwards', 'AI alerts', 'customer writes', 'log pauses', 'log resumes',
  ), // prettier-ignore
  fc.integer({ min: 1, max: 45 }),
);

describe('any order of events', () => {
  it('leads where the table leads, and to what follows from it', async () => {
    await using real = await TalkingService.open({ agent: { skillsPerHourLimit: 1_000 } });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
        const phone = `+49152288${10_000 + runs++}`;
        const project = await real.writes('Hello?', { phone });
        const model: Model = { state: 'on', pausedUntil: 0, forwarded: false, told: false, notes: 0, now: 0 };
        for (const one of acts) {
          await play(model, { talk: real, phone }, one);
          const { state } = real.conversations.autoReply(project);
          expect(state, `after ${one[0]} in ${acts.map(([name, m]) => `${name} ${m}`).join(', ')}`).toBe(model.state);
          expect(project.forwarded).toBe(model.forwarded);
          expect(project.notes).toHaveLength(model.notes);
        }
      }),
      { numRuns: 60 },
    );
    expect(runs).toBeGreaterThanOrEqual(60);
  });

  it('tells pausedUntil to the second, and never before it is over', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100_000 }), async (ms) => {
        const project = talk.conversations.current(talk.contact(), 'webchat');
        talk.conversations.handBack(project);
        talk.conversations.mute(project, ms / 60_000);
        const { autoReply } = project;
        if (autoReply.state !== 'paused') throw new Error('expected a pause');
        expect(talk.conversations.autoReply(project)).toEqual({
          state: 'paused',
          pausedUntil: timestamp(autoReply.pausedUntil),
        });
        await talk.service.clock.move(autoReply.pausedUntil - talk.service.clock.now());
        expect(talk.conversations.isOn(project)).toBe(true);
      }),
      { numRuns: 20 },
    );
  });
});
