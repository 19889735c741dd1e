import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '../../specs/limits.ts';
import type { AgentReplyRequest } from '../../specs/generated/types.ts';
import { validate } from '../../specs/validators.ts';
import type { ProjectRecord } from '../../service/workspace.ts';
import { openService } from './open-service.ts';
import { TalkingService } from './talking-service.ts';

let talk: TalkingService;
let project: ProjectRecord;

beforeEach(async () => {
  talk = await TalkingService.open();
  project = await talk.writes('Hello?');
});
afterEach(() => talk[Symbol.asyncDispose]());

/** A smiling face is one character, and two in UTF-16. */
const longest = '😀'.repeat(limits.ownAiTextCharacters);

describe('accepted replies', () => {
  it('service/reply-is-answered-202: with project, message, status and auto-reply', async () => {
    const { status, body } = await talk.reply(project, { text: 'We open at nine.' });
    expect(status).toBe(202);
    expect(body).toEqual({
      projectId: project.id,
      messageId: body.messageId,
      status: 'sent',
      autoReply: { state: 'on' },
    });
    expect(body.messageId).toEqual(expect.any(Number));
    expect(talk.saidToCustomer).toEqual(['We open at nine.']);
    expect(project.turns.at(-1)).toMatchObject({ role: 'agent', text: 'We open at nine.', messageId: body.messageId });
  });

  it.each([
    ['text', { text: 'Yes.' }, 'sent'],
    ['text and end', { text: 'Bye.', action: 'end' }, 'sent'],
    ['text and none', { text: 'Yes.', action: 'none' }, 'sent'],
    ['text and a handover', { text: 'One moment.', action: 'handover' }, 'handed_over'],
    ['a handover', { action: 'handover' }, 'handed_over'],
    ['text and a forward', { text: 'One moment.', executeSkills: ['sales'] }, 'handed_over'],
    ['a forward', { executeSkills: ['sales'] }, 'handed_over'],
    ['an alert', { executeSkills: ['urgent'] }, 'noop'],
    ['a note', { note: 'Wants another date.' }, 'noop'],
    ['end', { action: 'end' }, 'noop'],
    ['an empty text', { text: '', executeSkills: [], announcement: '' }, 'noop'],
    ['nothing', {}, 'noop'],
    ['null everywhere', { text: null, action: null, note: null, executeSkills: null, announcement: null }, 'noop'],
    ['unknown fields', { text: 'Yes.', mood: 'good' }, 'sent'],
    ['the longest text', { text: longest }, 'sent'],
  ])('%s', async (_, request, outcome) => {
    const { status, body } = await talk.reply(project, request);
    expect({ status, outcome: body.status }).toEqual({ status: 202, outcome });
    expect(validate('agentReplyResponse', body)).toEqual([]);
    const hasText = 'text' in request && Boolean(request.text);
    expect(body.messageId).toEqual(hasText ? expect.any(Number) : null);
    expect(talk.saidToCustomer).toEqual(hasText ? [request.text] : []);
    expect('skills' in body).toBe('executeSkills' in request && (request.executeSkills ?? []).length > 0);
  });

  it('service/note-is-cut-at-500: by characters, and only the team sees it', async () => {
    const note = '😀'.repeat(limits.ownAiNoteCharacters);
    const { status } = await talk.reply(project, { text: 'Yes.', note: `${note}, and more` });
    expect(status).toBe(202);
    expect(project.notes.map(({ text }) => text)).toEqual([note]);
    await talk.reply(project, { note });
    expect(project.notes.map(({ text }) => text)).toEqual([note, note]);
    expect(talk.saidToCustomer).toEqual(['Yes.']);
    await talk.writes('And now?');
    expect(JSON.stringify(talk.event.data.history)).not.toContain('😀');
  });
});

describe('a refused reply', () => {
  /** The reply had no effect on customer, team or conversation. */
  async function expectRefused(request: object, status: number, title: string, id = project.id): Promise<void> {
    const before = JSON.stringify([project, talk.reported('to-customer', 'to-team', 'auto-reply', 'skill')]);
    const answer = await talk.api('POST', `/v1/projects/${id}/agent-replies`, request);
    expect({ status: answer.status, title: answer.body.title }, JSON.stringify(request).slice(0, 80)).toEqual({
      status,
      title,
    });
    expect(validate('problemDetails', answer.body)).toEqual([]);
    expect(JSON.stringify([project, talk.reported('to-customer', 'to-team', 'auto-reply', 'skill')])).toBe(before);
  }

  it('service/reply-invalid-is-400', async () => {
    const most = limits.executeSkillsPerAnswer;
    for (const request of [
      { text: 'Yes.', action: 'hangup' },
      { text: 'Yes.', action: 'END' },
      { text: `${longest}😀` },
      { text: 7 },
      { text: 'Yes.', note: ['x'] },
      { text: 'Yes.', executeSkills: 'urgent' },
      { text: 'Yes.', executeSkills: Array.from({ length: most + 1 }, (_, at) => `skill-${at}`) },
    ]) {
      await expectRefused(request, 400, 'invalid_reply');
    }
    // Code that accepts replies by other routes relies on it, too.
    const { agentReplies } = talk.inbox;
    const unknown = { text: 'Yes.', action: 'hangup' } as unknown as AgentReplyRequest;
    expect(() => agentReplies.reply(project.id, unknown)).toThrow(expect.objectContaining({ code: 'invalid_reply' }));
    expect(talk.saidToCustomer).toEqual([]);
  });

  it('service/reply-unknown-project-is-404: nor is one of another inbox known', async () => {
    for (const id of [project.id + 1_000, 999_999_999]) {
      await expectRefused({ text: 'Yes.' }, 404, 'project_not_found', id);
    }
    await using two = await openService(
      {},
      { inboxes: [{ apiKeys: { svc_sk_a: 'A' } }, { apiKeys: { svc_sk_b: 'B' } }] },
    );
    const { conversations, contacts } = two.inbox;
    const { id } = conversations.current(contacts.forPhone('+4915228817386'), 'webchat');
    for (const [key, status] of Object.entries({ svc_sk_a: 202, svc_sk_b: 404 })) {
      const answer = await two.post(`/v1/projects/${id}/agent-replies`, { text: 'Yes.' }, { key });
      expect({ key, status: answer.status }).toEqual({ key, status });
    }
    const malformed = await talk.api('POST', '/v1/projects/x/agent-replies', { text: 'Yes.' });
    expect(malformed).toMatchObject({ status: 404, body: { title: 'project_not_found' } });
  });

  it('service/reply-not-with-agent-is-409: and nothing runs, until an assistant answers again', async () => {
    const { agentId } = project;
    talk.conversations.answerWith(project, null);
    await expectRefused({ text: 'Yes.', executeSkills: ['urgent'] }, 409, 'project_not_with_agent');
    talk.conversations.answerWith(project, agentId);
    expect((await talk.reply(project, { text: 'Yes.' })).status).toBe(202);
  });

  it('service/reply-not-deliverable-is-422: the team gets the conversation, and no skill runs', async () => {
    talk.contact().undeliverable = true;
    const { status, body } = await talk.reply(project, { text: 'Yes.', note: 'Hm.', executeSkills: ['urgent'] });
    expect({ status, title: body.title }).toEqual({ status: 422, title: 'not_deliverable' });
    expect(talk.conversations.autoReply(project)).toEqual({ state: 'off' });
    expect(talk.reported('skill')).toEqual([]);
    expect(talk.shownToTeam.map((text) => text.split(':')[0])).toEqual(['note', 'push']);
    expect(project.turns.filter(({ role }) => role === 'agent')).toEqual([]);
    // The team handles the conversation now, and is notified once.
    expect((await talk.reply(project, { text: 'Yes.' })).status).toBe(422);
    expect(talk.shownToTeam).toHaveLength(2);
  });

  it('without text need not be deliverable', async () => {
    talk.contact().undeliverable = true;
    expect((await talk.reply(project, { executeSkills: ['urgent'] })).body).toMatchObject({
      status: 'noop',
      skills: [{ key: 'urgent', ok: true }],
    });
  });
});

describe('a direct answer', () => {
  it('that cannot be delivered hands the conversation to the team', async () => {
    talk.contact().undeliverable = true;
    await talk.writesAndGets({ text: 'Yes.', executeSkills: ['urgent'] });
    expect(talk.conversations.autoReply(project)).toEqual({ state: 'off' });
    expect(talk.reported('skill')).toEqual([]);
  });

  it('has the same effects as a later reply', async () => {
    await talk.writesAndGets({ text: 'One moment.', note: 'Angry.', executeSkills: ['urgent'], action: 'handover' });
    expect(
      talk.reported('to-customer', 'to-team', 'skill', 'auto-reply').map(({ type, text }) => `${type} ${text}`),
    ).toEqual([
      'to-customer One moment. (webchat)',
      'to-team note: Angry.',
      'to-team alert: Angry.',
      'skill [urgent] done',
      'auto-reply off: the conversation was handed over',
      'to-team push: The AI has handed the conversation over.',
    ]);
  });
});
