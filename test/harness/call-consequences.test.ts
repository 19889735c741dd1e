import { describe, expect, it } from 'vitest';
import type { SessionStarted } from '../../specs/generated/types.ts';
import { Session } from '../../harness/checks/session.ts';
import { ai } from './call-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const skillLimit = 20;

/** A session with an AI that requests the alert skill, hands over, or answers in two pieces. */
async function openCalls() {
  const endpoint = await ai(({ type, text }, say) => {
    if (type !== 'prompt') return;
    if (text === 'Alert') say({ type: 'skill', key: 'urgent' });
    else if (text === 'Sales') say({ type: 'skill', executeSkills: ['sales'] });
    else if (text === 'Person') say({ type: 'action', action: 'handover', text: 'A moment.', note: 'Asked for one.' });
    else
      for (const [piece, last] of [
        ['Of ', false],
        ['course.', true],
      ] as const)
        say({ type: 'text', text: piece, last });
  });
  const session = await Session.open(settingsOf(configOf({ phone: endpoint.url })));
  const { inbox, baseUrl } = session.inbox.service;
  const [apiKey = ''] = inbox.workspace.keys.keys();
  return {
    session,
    api: async (method: string, path: string) => {
      const response = await fetch(`${baseUrl}/v1${path}`, { method, headers: { 'x-api-key': apiKey } });
      return { status: response.status, body: await response.json() };
    },
    async [Symbol.asyncDispose]() {
      await session[Symbol.asyncDispose]();
      await endpoint[Symbol.asyncDispose]();
    },
  };
}

function resultsIn(session: Session, label: string): unknown[] {
  const { frames = [] } = session.phone.calls.findLast((call) => call.label === label) ?? {};
  return frames.map(({ value }) => value as Record<string, unknown>).filter(({ type }) => type === 'skill.result');
}

describe('a call of a run', () => {
  it('has its transcript at API v1, in the conversation that it names', async () => {
    await using world = await openCalls();
    const started = world.session.sample.sessionStarted();
    await world.session.phone.hold({ label: 'a call', startedAs: started }, async (call) => {
      await call.ask('Are you open?');
    });
    const { status, body } = await world.api('GET', `/projects/${started.projectId}/messages`);
    expect(status).toBe(200);
    expect(body).toMatchObject([
      { role: 'customer', text: 'Are you open?' },
      { role: 'agent', text: 'Of course.' },
    ]);
  });

  it('executes skills, which count towards the limit per hour', async () => {
    await using world = await openCalls();
    const { session } = world;
    const started = session.sample.sessionStarted();
    await session.phone.hold({ label: 'alerts', startedAs: started }, async (call) => {
      for (let asked = 0; asked <= skillLimit; asked++) await call.ask('Alert');
    });
    const results = resultsIn(session, 'alerts');
    expect(results).toHaveLength(skillLimit + 1);
    expect(results.slice(0, -1)).toEqual(
      results.slice(0, -1).map(() => ({ type: 'skill.result', key: 'urgent', ok: true })),
    );
    expect(results.at(-1)).toEqual({ type: 'skill.result', key: 'urgent', ok: false, reason: 'limit-reached' });
    const run = await world.api('POST', `/projects/${started.projectId}/skills/urgent`);
    expect(run.body).toMatchObject({ ok: false, reason: 'limit-reached' });
  });

  it('refuses a skill that it does not offer', async () => {
    await using world = await openCalls();
    await world.session.phone.hold({ label: 'none', started: { skills: [] } }, async (call) => {
      await call.ask('Sales');
    });
    expect(resultsIn(world.session, 'none')).toMatchObject([{ key: 'sales', ok: false, reason: 'unknown-skill' }]);
  });

  it('hands the conversation over, and a resumed one continues it', async () => {
    await using world = await openCalls();
    const { session, api } = world;
    const started = session.sample.sessionStarted();
    const resumedAfter = { key: 'takeover', ok: false, reason: 'no-answer' } as const;
    const resumed = { ...started, resumed: 'handover_failed', resumedAfter } as SessionStarted;
    await session.phone.hold({ label: 'first', startedAs: started }, async (call) => call.ask('Are you open?'));
    await session.phone.hold({ label: 'again', startedAs: resumed }, async (call) => call.ask('Person'));
    const { body } = await api('GET', `/projects/${started.projectId}/messages`);
    expect(body).toMatchObject([
      { text: 'Are you open?' },
      {},
      { text: 'Person' },
      { role: 'agent', text: 'A moment.' },
    ]);
    expect((await api('POST', `/projects/${started.projectId}/skills/urgent`)).status).toBe(409);
    const { notes } = session.inbox.service.inbox.conversations.get(started.projectId);
    expect(notes).toMatchObject([{ text: 'Asked for one.' }]);
  });
});
