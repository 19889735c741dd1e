import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../service/clock.ts';
import type { AutoReply } from '../../specs/generated/types.ts';
import { TalkingService } from './talking-service.ts';

/** The expected state of one conversation, independent of the code: the table of the interface, row by row. */
interface Model {
  state: AutoReply['state'];
  /** Unix milliseconds on the service's clock. */
  pausedUntil: number;
  forwarded: boolean;
  /** The AI has written since the team stepped in. */
  reported: boolean;
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
  if (model.state === 'on') model.reported = false;
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
      if (was === 'on') model.reported = false;
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
      if (was === 'on' || model.reported) return;
      model.reported = true;
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
  it('gives the state and the effects of the table', async () => {
    await using real = await TalkingService.open({ agent: { skillsPerHourLimit: 1_000 } });
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 25 }), async (acts) => {
        const phone = `+49152288${10_000 + runs++}`;
        const project = await real.writes('Hello?', { phone });
        const model: Model = { state: 'on', pausedUntil: 0, forwarded: false, reported: false, notes: 0, now: 0 };
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

  it('shows pausedUntil to the second, and never before it is over', async () => {
    await using talk = await TalkingService.open();
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
