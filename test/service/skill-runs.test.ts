import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ProjectRecord } from '../../service/workspace.ts';
import { done, refused, TalkingService } from './talking-service.ts';

let talk: TalkingService;
let project: ProjectRecord;

beforeEach(async () => {
  talk = await TalkingService.open();
  project = await talk.writes('Hello?');
});
afterEach(() => talk[Symbol.asyncDispose]());

/** Runs a skill by its key. */
const run = (key: string, body?: object) => talk.api('POST', `/v1/projects/${project.id}/skills/${key}`, body);

describe('run by its key', () => {
  it('service/skill-run-is-answered: with or without a body', async () => {
    expect(await run('urgent')).toEqual({ status: 200, body: done('urgent') });
    expect(await run('urgent', {})).toEqual({ status: 200, body: done('urgent') });
    const [alert] = talk.agent.skills.filter(({ key }) => key === 'urgent');
    if (alert) alert.refuse = 'failed';
    expect(await run('urgent', { note: 'Water.' })).toEqual({ status: 200, body: refused('urgent', 'failed') });
  });

  it('service/skill-run-while-not-on-is-409: and nothing runs', async () => {
    for (const stepIn of [
      () => talk.conversations.mute(project),
      () => talk.conversations.switchOff(project),
      () => {
        talk.conversations.handBack(project);
        talk.conversations.answerWith(project, null);
      },
    ]) {
      stepIn();
      for (const key of ['urgent', 'nobody']) {
        const { status, body } = await run(key);
        expect({ status, title: body.title }).toEqual({ status: 409, title: 'project_not_with_agent' });
      }
    }
    expect(talk.reported('skill', 'to-team')).toEqual([]);
  });

  it('service/skill-run-unknown-project-is-404', async () => {
    for (const id of ['999999', 'x']) {
      const { status, body } = await talk.api('POST', `/v1/projects/${id}/skills/urgent`);
      expect({ status, title: body.title }).toEqual({ status: 404, title: 'project_not_found' });
    }
  });

  it('service/skill-run-has-chat-semantics: in the conversation of a call, too', async () => {
    const call = talk.conversations.open(talk.contact('+4915228895456'), 'phone');
    const { body } = await talk.api('POST', `/v1/projects/${call.id}/skills/sales`, { note: 'Wants a quote.' });
    expect(body).toEqual(done('sales'));
    expect(call.forwarded).toBe(true);
    expect(talk.conversations.autoReply(call)).toEqual({ state: 'off' });
    expect(talk.shownToTeam).toEqual(['push: The AI has forwarded the conversation to Sales: Wants a quote.']);
    expect(talk.dialled).toEqual([]);
  });
});
