import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { skillResults } from '../../harness/wire/skill-results.ts';
import type { ProjectRecord, SkillRecord } from '../../service/workspace.ts';
import { limits } from '../../specs/limits.ts';
import { validate } from '../../specs/validators.ts';
import { done, leak, refused, sales, support, TalkingService, urgent } from './talking-service.ts';

let talk: TalkingService;
let project: ProjectRecord;

beforeEach(async () => {
  talk = await TalkingService.open();
  project = await talk.writes('Hello?');
});
afterEach(() => talk[Symbol.asyncDispose]());

function skill(key: string): SkillRecord {
  const found = talk.agent.skills.find((one) => one.key === key);
  if (!found) throw new Error(`expected a skill ${key}`);
  return found;
}

/** The outcomes of the skills of a reply. */
async function outcomes(...named: (string | number)[]): Promise<unknown> {
  const { status, body } = await talk.reply(project, { executeSkills: named });
  expect(status).toBe(202);
  expect(validate('agentReplyResponse', body)).toEqual([]);
  return body.skills;
}

/** Runs a skill by its key. */
const run = (key: string, body?: object) => talk.api('POST', `/v1/projects/${project.id}/skills/${key}`, body);

describe('each reason', () => {
  it('service/skill-unknown-is-refused: also one of another assistant', async () => {
    const other = { ...urgent, id: 99, key: 'nobody', hoursLimited: false };
    talk.inbox.workspace.agents.set(9, { ...talk.agent, agentId: 9, skills: [other] });
    expect(await outcomes('nobody', 99, '', 'urgent')).toEqual([
      refused('nobody', 'unknown-skill'),
      refused('99', 'unknown-skill'),
      refused('""', 'unknown-skill'),
      done('urgent'),
    ]);
    expect((await run('nobody')).body).toEqual(refused('nobody', 'unknown-skill'));
  });

  it.each([
    ['service/skill-outside-hours-is-refused', 'urgent', 'outside-hours', false],
    ['service/skill-not-allowed-is-refused', 'urgent', 'not-allowed', false],
    ['service/skill-without-target-is-refused', 'sales', 'no-target', false],
    ['service/skill-without-recipient-is-refused', 'urgent', 'no-recipient', false],
    ['service/skill-without-answer-is-refused', 'sales', 'no-answer', true],
    ['service/skill-that-fails-is-reported', 'urgent', 'failed', true],
  ] as const)('%s', async (_, key, refuse, isOffered) => {
    skill(key).refuse = refuse;
    expect(await outcomes(key)).toEqual([refused(key, refuse)]);
    expect(await run(key)).toEqual({ status: 200, body: refused(key, refuse) });
    expect(talk.shownToTeam).toEqual([]);
    expect(talk.conversations.isOn(project)).toBe(true);
    // A skill with a known obstacle is not offered; one that fails only when it runs is.
    await talk.writes('And now?');
    expect(talk.event.data.skills.some((one) => one.key === key)).toBe(isOffered);
  });

  it('service/skill-named-twice-is-refused: by key or by id', async () => {
    expect(await outcomes('urgent', 3, 'urgent', 'leak')).toEqual([
      done('urgent'),
      refused('urgent', 'not-allowed'),
      refused('urgent', 'not-allowed'),
      done('leak'),
    ]);
    expect(talk.shownToTeam).toHaveLength(2);
  });

  it('service/skill-limit-per-hour-is-refused: of the conversation, until the hour is over', async () => {
    talk.agent.skillsPerHourLimit = 2;
    expect(await outcomes('urgent', 'leak')).toEqual([done('urgent'), done('leak')]);
    expect(await outcomes('urgent')).toEqual([refused('urgent', 'limit-reached')]);
    expect((await run('urgent')).body).toEqual(refused('urgent', 'limit-reached'));
    await talk.writes('And now?');
    expect(talk.event.data.skills).toEqual([]);
    const other = await talk.writes('Hello?', { phone: '+4915228895456' });
    expect((await talk.reply(other, { executeSkills: ['urgent'] })).body.skills).toEqual([done('urgent')]);
    await talk.service.clock.move(3_599_999);
    expect(await outcomes('urgent')).toEqual([refused('urgent', 'limit-reached')]);
    await talk.service.clock.move(1);
    expect(await outcomes('sales', 'urgent')).toEqual([done('urgent'), done('sales')]);
  });

  it('service/skill-second-forward-is-refused: the first that is named runs', async () => {
    expect(await outcomes('support', 'sales', 'urgent')).toEqual([
      refused('sales', 'one-forward-per-turn'),
      done('urgent'),
      done('support'),
    ]);
    expect(talk.shownToTeam.at(-1)).toContain('Support');
  });

  it('a forward that was not attempted permits another; an unanswered one does not', async () => {
    skill('sales').refuse = 'no-answer';
    expect(await outcomes('sales', 'support')).toEqual([
      refused('support', 'one-forward-per-turn'),
      refused('sales', 'no-answer'),
    ]);
    skill('sales').refuse = 'outside-hours';
    expect(await outcomes('sales', 'support')).toEqual([refused('sales', 'outside-hours'), done('support')]);
  });

  it('limit-reached also applies to the forwards of a call, and to no alert', () => {
    talk.agent.forwardsPerCallLimit = 1;
    const { skills } = talk.inbox;
    const call = { forwards: 0 };
    expect(skills.run(project, ['sales'], {}, call)).toEqual([done('sales')]);
    expect(call.forwards).toBe(1);
    expect(skills.run(project, ['support', 'urgent'], {}, call)).toEqual([
      refused('support', 'limit-reached'),
      done('urgent'),
    ]);
    expect(skills.allowedNow(project, call).map(({ key }) => key)).toEqual(['urgent', 'leak']);
    expect(skills.allowedNow(project).map(({ key }) => key)).toEqual(['sales', 'support', 'urgent', 'leak']);
    expect(talk.conversations.isOn(project)).toBe(true);
  });

  it('service/skill-pending-approval-is-ok: and nothing happens before it is given', async () => {
    skill('sales').needsApproval = true;
    const pending = { key: 'sales', ok: true, reason: 'pending-approval' };
    expect(await outcomes('sales')).toEqual([pending]);
    expect(await run('sales')).toEqual({ status: 200, body: pending });
    expect(talk.conversations.isOn(project)).toBe(true);
    expect(talk.reported('skill').map(({ data }) => data.charged)).toEqual([false, false]);
  });

  it('service/skill-limit-of-five: the sixth of a direct answer is refused, and of a reply all are', async () => {
    talk.agent.skills.push(...[5, 6, 7].map((id) => ({ ...urgent, id, key: `alert-${id}`, hoursLimited: false })));
    const six = ['urgent', 'leak', 'alert-5', 'alert-6', 'alert-7', 'sales'];
    await talk.writesAndGets({ executeSkills: six });
    expect(talk.reported('skill').map(({ text }) => text)).toEqual([
      ...six.slice(0, limits.executeSkillsPerAnswer).map((key) => `[${key}] done`),
      '[sales] not-allowed',
    ]);
    expect(talk.conversations.isOn(project)).toBe(true);
    expect(await talk.reply(project, { executeSkills: six })).toMatchObject({
      status: 400,
      body: { title: 'invalid_reply' },
    });
  });

  it('service/skill-refused-costs-nothing: no charge, and no count towards the limits', async () => {
    talk.agent.skillsPerHourLimit = 1;
    skill('urgent').refuse = 'failed';
    for (let tries = 0; tries < 5; tries++) await outcomes('urgent', 'nobody');
    expect(talk.reported('skill').filter(({ data }) => data.charged === true)).toEqual([]);
    expect(await outcomes('leak')).toEqual([done('leak')]);
    expect(talk.reported('skill').filter(({ data }) => data.charged === true)).toHaveLength(1);
    const call = { forwards: 0 };
    talk.agent.skillsPerHourLimit = 10;
    skill('sales').refuse = 'no-answer';
    talk.inbox.skills.run(project, ['sales'], {}, call);
    expect(call.forwards).toBe(0);
  });
});

describe('in chat', () => {
  it('service/chat-lists-skills-allowed-now', async () => {
    const keys = () => talk.event.data.skills.map(({ key }) => key);
    expect(keys()).toEqual(['sales', 'support', 'urgent', 'leak']);
    skill('support').refuse = 'outside-hours';
    skill('urgent').refuse = 'no-recipient';
    await talk.writes('And now?');
    expect(keys()).toEqual(['sales', 'leak']);
    delete skill('support').refuse;
    await talk.writes('And now?');
    expect(keys()).toEqual(['sales', 'support', 'leak']);
    expect(talk.event.data.skills[0]).toEqual(sales);
  });

  it('service/skills-run-in-order: the message, then the alerts, and the forward last', async () => {
    const { status } = await talk.reply(project, {
      text: 'One moment.',
      executeSkills: ['sales', 'urgent', 'leak'],
      note: 'Water.',
    });
    expect(status).toBe(202);
    expect(talk.reported('to-customer', 'to-team', 'skill').map(({ text }) => text)).toEqual([
      'One moment. (webchat)',
      'note: Water.',
      'alert: Water.',
      'alert: Water.',
      'push: The AI has forwarded the conversation to Sales: Water.',
      '[urgent] done',
      '[leak] done',
      '[sales] done',
    ]);
  });

  it('service/skill-is-named-by-key-or-id: in a list and in the address', async () => {
    expect(await outcomes(3, 'leak')).toEqual([done('urgent'), done('leak')]);
    expect((await run('3')).body).toEqual(done('urgent'));
    expect((await run('leak')).body).toEqual(done('leak'));
    skill('leak').key = '3';
    // A value that is a key is read as a key.
    expect((await run('3')).body).toEqual(done('3'));
    expect(await outcomes(3)).toEqual([done('urgent')]);
  });

  it('service/skill-forward-in-chat-goes-to-the-team: no event comes until it is handed back', async () => {
    const before = talk.taken.length;
    expect(await outcomes('sales')).toEqual([done('sales')]);
    expect(talk.conversations.autoReply(project)).toEqual({ state: 'off' });
    expect(talk.shownToTeam).toEqual(['push: The AI has forwarded the conversation to Sales.']);
    await talk.writes('Still there?');
    await talk.writes('Hello?');
    expect(talk.taken).toHaveLength(before);
    talk.conversations.handBack(project);
    await talk.writes('And now?');
    expect(talk.taken).toHaveLength(before + 1);
    expect(talk.event.data.autoReply).toEqual({ state: 'on' });
    // Messages of the meantime are reported.
    expect(talk.event.data.history.map(({ text }) => text)).toEqual(['Hello?', 'Still there?', 'Hello?']);
  });

  it('service/skill-alert-tells-the-team: the note, else the message, else who it is about', async () => {
    const alerts = () => talk.shownToTeam.filter((text) => text.startsWith('alert'));
    await talk.reply(project, { text: 'One moment.', note: 'Water in the cellar.', executeSkills: ['urgent'] });
    await talk.reply(project, { text: 'One moment.', executeSkills: ['urgent'] });
    await talk.reply(project, { executeSkills: ['urgent'] });
    await run('urgent', { note: 'By key.' });
    await run('urgent');
    await run('urgent', { note: 'x'.repeat(limits.ownAiNoteCharacters + 1) });
    const line = `alert: Conversation ${project.id} with Erika Mustermann needs attention.`;
    expect(alerts()).toEqual([
      'alert: Water in the cellar.',
      'alert: One moment.',
      line,
      'alert: By key.',
      line,
      `alert: ${'x'.repeat(limits.ownAiNoteCharacters)}`,
    ]);
    const nameless = await talk.writes('Hello?', { phone: '+4915228899999' });
    await talk.reply(nameless, { executeSkills: ['urgent'] });
    expect(alerts().at(-1)).toBe(`alert: Conversation ${nameless.id} with +4915228899999 needs attention.`);
  });

  it('service/skill-announcement-can-be-set: or be suppressed', async () => {
    skill('sales').announcement = 'I am putting you through.';
    skill('urgent').announcement = 'I am telling the team.';
    const said = async (body: object) => {
      const before = talk.saidToCustomer.length;
      await talk.reply(project, body);
      talk.conversations.handBack(project);
      return talk.saidToCustomer.slice(before);
    };
    expect(await said({ executeSkills: ['sales', 'urgent'] })).toEqual([
      'I am telling the team.',
      'I am putting you through.',
    ]);
    expect(await said({ executeSkills: ['sales', 'urgent'], announcement: 'Wait.' })).toEqual(['Wait.']);
    expect(await said({ executeSkills: ['sales', 'urgent'], announcement: '' })).toEqual([]);
    expect(await said({ executeSkills: ['leak'] })).toEqual([]);
    expect(await said({ executeSkills: ['leak'], announcement: 'Wait.' })).toEqual(['Wait.']);
    skill('sales').refuse = 'outside-hours';
    expect(await said({ executeSkills: ['sales'], announcement: 'Wait.' })).toEqual([]);
  });

  it('service/chat-tells-skill-outcomes-in-the-history: of a direct answer, as system turns', async () => {
    skill('support').needsApproval = true;
    skill('leak').refuse = 'outside-hours';
    await talk.writesAndGets({ text: 'One moment.', executeSkills: ['support', 'urgent', 'leak', 'x'.repeat(5_000)] });
    talk.answer = () => 204;
    await talk.writes('And now?');
    const turns = talk.event.data.history.filter(({ role }) => role === 'system').map(({ text }) => text);
    expect(turns).toEqual([
      'Skill done: [urgent]',
      'Skill refused: [leak] (outside-hours)',
      `Skill refused: [${'x'.repeat(100)}] (unknown-skill)`,
      'Skill waits: [support] (pending-approval)',
    ]);
  });

  it('service/reply-tells-skill-outcomes: and not the history once more', async () => {
    expect(await outcomes('urgent', 'nobody')).toEqual([done('urgent'), refused('nobody', 'unknown-skill')]);
    await talk.writes('And now?');
    expect(talk.event.data.history.filter(({ role }) => role === 'system')).toEqual([]);
  });

  it('service/reply-skills-are-not-allowed-while-not-on: each of them, also one that is not known', async () => {
    for (const stepIn of [() => talk.conversations.mute(project), () => talk.conversations.takeOver(project)]) {
      stepIn();
      expect(await outcomes('urgent', 'sales', 'nobody')).toEqual([
        refused('urgent', 'not-allowed'),
        refused('sales', 'not-allowed'),
        refused('nobody', 'not-allowed'),
      ]);
    }
    expect(talk.shownToTeam).toEqual([]);
  });
});

describe('the rule of the harness', () => {
  it('equals that of the service, if every offered skill runs', () => {
    expect(skillResults(['sales', 1, 'nobody', 'urgent', 'support'], [sales, support, urgent, leak])).toEqual([
      refused('sales', 'not-allowed'),
      refused('nobody', 'unknown-skill'),
      done('urgent'),
      refused('support', 'one-forward-per-turn'),
      done('sales'),
    ]);
  });
});
