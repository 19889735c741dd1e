import type { WebSocket } from 'ws';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { IncomingCall } from '../../service/own-ai-phone.ts';
import type { PhoneCall } from '../../service/phone-call.ts';
import type { AgentRecord, SkillRecord } from '../../service/workspace.ts';
import { limits } from '../../specs/limits.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import { ai, until } from '../harness/call-server.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { rawServer } from '../harness/raw-server.ts';
import { credentials } from '../harness/settings-for-tests.ts';
import { caller, openInbox, type OpenInbox } from './open-inbox.ts';
import { begin } from './open-service.ts';
import { headerOf } from './recording-endpoint.ts';
import { recordingPhone, type Answers, type RecordingPhone } from './recording-phone.ts';

let phone: RecordingPhone;
let open: OpenInbox;
let agent: AgentRecord;

const skills: SkillRecord[] = [
  { id: 1, key: 'sales', name: 'Sales', kind: 'forward', announcement: null, hoursLimited: false },
  { id: 2, key: 'urgent', name: 'Urgent', kind: 'alert', announcement: null, hoursLimited: false },
  { id: 3, key: 'service', name: 'Service', kind: 'forward', announcement: 'To the workshop.', hoursLimited: true },
];
const schemaOf: Record<string, SchemaName> = {
  'session.started': 'sessionStarted',
  prompt: 'prompt',
  dtmf: 'dtmf',
  interrupt: 'interrupt',
  'skill.result': 'skillResult',
  'session.ended': 'sessionEnded',
};

beforeEach(async () => {
  phone = await recordingPhone();
  open = await openInbox({ agents: [{ voiceUrl: phone.url, secret: credentials.agentSecret, skills }] });
  agent = [...open.inbox.workspace.agents.values()][0] as AgentRecord;
  phone.answerWith(saying());
});
afterEach(async () => {
  // In every test, each sent frame matches its schema, and no log entry contains a secret.
  for (const frame of framesOf()) {
    expect(validate(schemaOf[frame.type] ?? 'prompt', frame), JSON.stringify(frame)).toEqual([]);
  }
  expect(JSON.stringify([open.inbox.events.kept, agent.lastError])).not.toContain(credentials.agentSecret);
  await open[Symbol.asyncDispose]();
  await phone[Symbol.asyncDispose]();
});

/** A frame of the service. */
type Frame = { type: string; skills?: { key: string }[] } & Record<string, unknown>;

/** An AI that answers each sentence with these frames. */
const saying =
  (...frames: (object | string)[]): Answers =>
  ({ type }, say) => {
    if (type === 'prompt') (frames.length === 0 ? [piece('Yes.', true)] : frames).forEach((frame) => say(frame));
  };
const piece = (text: string, last = false) => ({ type: 'text', text, last });
const framesOf = () => phone.calls.flatMap(({ frames }) => frames.map((text) => JSON.parse(text) as Frame));
const ofType = (type: string) => framesOf().filter((frame) => frame.type === type);
const typesOf = () => framesOf().map(({ type }) => type);
const calls = (over: Partial<IncomingCall> = {}) => open.inbox.phone.call({ from: caller, ...over });
const spoken = ({ project }: PhoneCall) => project.turns.map(({ role, text }) => `${role}: ${text}`);
const notesOf = ({ project }: PhoneCall) => project.notes.map(({ text }) => text);
const team = (kind: string) =>
  open
    .reported('to-team')
    .filter(({ data }) => data.kind === kind)
    .map(({ data }) => String(data.text));
const autoReply = ({ project }: PhoneCall) => open.inbox.conversations.autoReply(project).state;
/** Numbers of unknown callers, a new one each time. */
let callers = 0;
const someoneNew = () => `+4915228${String(++callers).padStart(6, '0')}`;
const heard = (kind: string) =>
  open
    .reported('to-customer')
    .filter(({ data }) => data.kind === kind)
    .map(({ data }) => data.text);

describe('a call', () => {
  it('begins with caller, called number, language and allowed skills', async () => {
    const call = await calls({ language: 'en-US', to: '+49302312599' });
    await call.say('Hello?');
    await call.hangUp();
    expect(phone.refused).toBe(0);
    expect(framesOf()[0]).toEqual({
      type: 'session.started',
      protocol: '2026-10-11',
      callId: headerOf(phone.calls[0] ?? { headers: [] }, 'X-Svc-Call-Id'),
      callSid: expect.stringMatching(/^CA[0-9a-f]{32}$/),
      projectId: call.project.id,
      workspaceId: open.inbox.workspace.id,
      agentId: agent.agentId,
      from: caller,
      to: '+49302312599',
      language: 'en-US',
      contact: { id: open.erika.id, name: 'Erika Mustermann' },
      skills: skills.map(({ hoursLimited: _, ...skill }) => skill),
    });
    expect(typesOf()).toEqual(['session.started', 'prompt', 'session.ended']);
    expect(heard('greeting')).toEqual(['Hello, Erika Mustermann. What can I do for you?']);
    expect([call.state, agent.lastSuccessAt]).toEqual(['over', begin]);
  });

  it('of an unknown caller has the number as its name', async () => {
    const call = await calls({ from: '+49 152 2889 9999' });
    await call.hangUp();
    expect(framesOf()[0]).toMatchObject({
      from: '+4915228899999',
      to: '+4930231255000',
      language: 'de-DE',
      contact: { name: '+4915228899999' },
    });
  });

  it.each(['+49.30.901820', '+49 (30) 90/18-20'])('reports numbers without separators: %s', async (number) => {
    const call = await calls({ from: number, to: number });
    await call.hangUp();
    expect(framesOf()[0]).toMatchObject({ from: '+4930901820', to: '+4930901820' });
    expect(call.contact.phone).toBe('+4930901820');
  });

  it('service/phone-stores-the-transcript: sentences and answers, pieces put together, tokens and actions too', async () => {
    phone.answerWith(saying(piece('We are '), { type: 'text', token: 'open ' }, piece(''), piece('today.', true)));
    const call = await calls();
    expect(await call.say('Are you open?')).toEqual({ outcome: 'closed', text: 'We are open today.' });
    phone.answerWith(saying({ type: 'action', action: 'end', text: 'Goodbye.' }));
    expect((await call.say('Thank you.')).outcome).toBe('action');
    expect(spoken(call)).toEqual([
      'customer: Are you open?',
      'agent: We are open today.',
      'customer: Thank you.',
      'agent: Goodbye.',
    ]);
    expect(open.inbox.conversations.transcript(call.project).length).toBe(4);
  });

  it('keeps the spoken part of an interrupted answer, and reports it to the AI', async () => {
    phone.answerWith(({ type }, say) => {
      if (type === 'prompt') say(piece('We are open from nine'));
      if (type === 'interrupt') say(piece('Sorry?', true));
    });
    const call = await calls();
    expect((await call.interrupt('When are you open?')).outcome).toBe('begun');
    await until(() => spoken(call).length === 3);
    phone.answerWith(saying(piece('We are.', true)));
    await call.say('On Sunday, I mean.');
    call.press('5');
    await call.hangUp();
    expect(ofType('interrupt')).toEqual([{ type: 'interrupt', spokenUntilInterrupt: 'We are open from nine' }]);
    expect(ofType('dtmf')).toEqual([{ type: 'dtmf', digit: '5' }]);
    expect(spoken(call)).toEqual([
      'customer: When are you open?',
      'agent: We are open from nine',
      'agent: Sorry?',
      'customer: On Sunday, I mean.',
      'agent: We are.',
    ]);
  });

  it('service/phone-is-charged-by-the-minute: by each that has begun', async () => {
    for (const [seconds, startedMinutes] of [
      [0, 1],
      [60, 1],
      [61, 2],
    ] as const) {
      const call = await calls();
      await open.clock.move(seconds * 1000);
      await call.hangUp();
      expect(call.charge).toEqual({ as: 'own-ai-call', startedMinutes });
    }
    expect(open.reported('call').at(-1)).toMatchObject({ data: { charge: { startedMinutes: 2 } } });
  });

  it('reports each frame as it is sent or received', async () => {
    const call = await calls();
    await call.say('Hello?');
    await call.hangUp();
    const logged = open
      .reported('call')
      .flatMap(({ data }) => (data.frame === undefined ? [] : [[data.from, data.frame]]));
    expect(logged.map(([from, frame]) => [from, JSON.parse(String(frame)).type])).toEqual([
      ['service', 'session.started'],
      ['service', 'prompt'],
      ['ai', 'text'],
      ['service', 'session.ended'],
    ]);
  });
});

describe('a connection that is not established', () => {
  it('service/phone-failed-connection-leaves-a-message: whatever the reason, which the team sees', async () => {
    const broken: [change: Partial<AgentRecord>, reason: RegExp][] = [
      [{ voiceUrl: '' }, /no phone address/],
      [{ secret: undefined }, /no secret/],
      [{ secret: 'whsec_other' }, /status 401/],
      [{ voiceUrl: `ws://127.0.0.1:${await freePort()}/` }, /ECONNREFUSED/],
      [{ voiceUrl: 'nonsense' }, /URL/],
    ];
    const { voiceUrl, secret } = agent;
    for (const [change, reason] of broken) {
      Object.assign(agent, { voiceUrl, secret }, change);
      const call = await calls({ from: someoneNew() });
      expect([call.state, autoReply(call)]).toEqual(['leaving-message', 'off']);
      expect(agent.lastError).toMatch(reason);
      expect(notesOf(call)).toEqual([expect.stringMatching(reason)]);
      expect(await call.say('Please call me back.')).toEqual({ outcome: 'call-ended', text: '' });
      expect(spoken(call)).toEqual(['customer: Please call me back.']);
      expect(team('push').at(-1)).toContain('Please call me back.');
      await call.hangUp();
    }
    expect(heard('speech').length).toBe(broken.length);
    expect(phone.calls).toEqual([]);
  });

  it('is given up after five seconds', async () => {
    await using never = await rawServer(() => undefined);
    agent.voiceUrl = `ws://127.0.0.1:${never.port}/`;
    const from = performance.now();
    const call = await calls();
    expect(performance.now() - from).toBeGreaterThanOrEqual(limits.phoneSetupMs - 1);
    expect(notesOf(call)).toEqual([expect.stringContaining('no answer to the upgrade within 5 s')]);
  });

  it('service/phone-failed-connection-counts-as-answered', async () => {
    agent.voiceUrl = '';
    const call = await calls();
    await open.clock.move(5 * 60_000);
    await call.hangUp();
    expect(call.charge).toEqual({ as: 'answered-call' });
  });

  it('service/phone-failure-shows-in-the-status: and a success ends the count', async () => {
    const { secret } = agent;
    agent.secret = 'whsec_other';
    await (await calls()).hangUp();
    await (await calls()).hangUp();
    expect(agent).toMatchObject({ consecutiveFailures: 2, lastFailureAt: begin, lastSuccessAt: null });
    agent.secret = secret;
    await open.clock.move(60_000);
    await (await calls()).hangUp();
    expect(agent).toMatchObject({ consecutiveFailures: 0, lastSuccessAt: begin + 60_000, lastFailureAt: begin });
  });
});

describe('the end of the AI’s part', () => {
  it('service/phone-handover-takes-a-message: the team is notified, and then has the message', async () => {
    phone.answerWith(saying({ type: 'action', action: 'handover', text: 'A colleague calls you back.' }));
    const call = await calls();
    await call.say('I want a person.');
    expect(call.state).toBe('leaving-message');
    expect(autoReply(call)).toBe('off');
    expect(team('push').length).toBe(1);
    await call.say('It is about my boiler.');
    expect(team('push').at(-1)).toContain('It is about my boiler.');
    await call.hangUp();
    expect(spoken(call)).toEqual([
      'customer: I want a person.',
      'agent: A colleague calls you back.',
      'customer: It is about my boiler.',
    ]);
    expect(agent.consecutiveFailures).toBe(0);
  });

  it('notifies the team of a handover even if it already handles the conversation', async () => {
    phone.answerWith(saying({ type: 'action', action: 'handover' }));
    const call = await calls();
    open.inbox.conversations.takeOver(call.project);
    await call.say('I want a person.');
    expect(team('push')).toEqual(['The AI has handed a call over.']);
    await call.hangUp();
  });

  it('service/phone-note-shows-in-the-conversation: of either action, cut at 500', async () => {
    for (const action of ['end', 'handover']) {
      phone.answerWith(saying({ type: 'action', action, note: 'n'.repeat(limits.ownAiNoteCharacters + 1) }));
      const call = await calls({ from: someoneNew() });
      await call.say('Goodbye.');
      expect(notesOf(call)).toEqual(['n'.repeat(limits.ownAiNoteCharacters)]);
      expect(spoken(call)).toEqual(['customer: Goodbye.']);
    }
  });

  it('of the action end is the end of the call, of which the CRM hears a minute later', async () => {
    phone.answerWith(saying({ type: 'action', action: 'end', text: 'Goodbye.' }));
    const call = await calls();
    await call.say('Goodbye.');
    expect([call.state, call.charge]).toEqual(['over', { as: 'own-ai-call', startedMinutes: 1 }]);
    expect(await call.say('Hello?')).toEqual({ outcome: 'call-ended', text: '' });
    await call.hangUp();
    expect(open.reported('call').filter(({ data }) => data.charge !== undefined).length).toBe(1);
  });

  it('service/phone-closed-by-the-ai-leaves-a-message: however it is gone, a frame that is too large included', async () => {
    const { frames, ...ways } = {
      frames: (socket: WebSocket) => socket.send(JSON.stringify(piece('x'.repeat(limits.phoneFrameBytes)))),
      'code 1011': (socket: WebSocket) => socket.close(1011),
      'code 1006': (socket: WebSocket) => socket.terminate(),
    };
    const tooLarge = `more than ${limits.phoneFrameBytes} bytes`;
    for (const [reason, goes] of Object.entries({ ...ways, [tooLarge]: frames })) {
      await using other = await ai(({ type }, _, socket) => {
        if (type === 'prompt') goes(socket);
      });
      Object.assign(agent, { voiceUrl: other.url, consecutiveFailures: 0 });
      const call = await calls({ from: someoneNew() });
      expect((await call.say('Hello?')).outcome).toBe('call-ended');
      expect([call.state, call.charge]).toEqual(['leaving-message', undefined]);
      expect(notesOf(call)).toEqual([expect.stringContaining(reason)]);
      expect(agent).toMatchObject({ consecutiveFailures: 1, lastError: expect.stringContaining(reason) });
      await call.hangUp();
      expect(call.charge).toEqual({ as: 'own-ai-call', startedMinutes: 1 });
    }
  });

  it('by a takeover: the team has the conversation when a colleague picks up', async () => {
    const call = await calls();
    await call.takeOver({ pickedUp: true });
    expect([call.state, autoReply(call)]).toEqual(['with-team', 'off']);
    expect(typesOf()).toEqual(['session.started', 'session.ended']);
    await call.hangUp();
  });

  it('by an unanswered takeover: the caller is with the AI again, on a new connection', async () => {
    const call = await calls();
    await call.say('Hello?');
    await call.takeOver({ pickedUp: false });
    expect(await call.say('Anybody?')).toMatchObject({ outcome: 'closed' });
    await call.hangUp();
    expect(phone.calls.map(({ frames }) => frames.map((text) => JSON.parse(text).type))).toEqual([
      ['session.started', 'prompt', 'session.ended'],
      ['session.started', 'prompt', 'session.ended'],
    ]);
    const [first, again] = ofType('session.started');
    const resumedAfter = { key: 'takeover', ok: false, reason: 'no-answer' };
    expect(again).toEqual({ ...first, resumed: 'handover_failed', resumedAfter });
    expect(heard('greeting').length).toBe(1);
  });
});

describe('a team member who picks up while the AI is dialled again', () => {
  it.each([true, false])('has the call, and the AI does not come back (it is established: %s)', async (comesAbout) => {
    const call = await calls();
    const { outbound } = open.inbox;
    const dial = outbound.call.bind(outbound);
    outbound.call = async (request) => {
      await call.takeOver({ pickedUp: true });
      return comesAbout ? await dial(request) : { failed: 'no one there' };
    };
    await call.takeOver({ pickedUp: false });
    expect(call.state).toBe('with-team');
    expect([notesOf(call), heard('speech')]).toEqual([[], []]);
    await until(() => phone.calls.every(({ closed }) => closed !== undefined));
    expect(ofType('session.started').length).toBe(1);
    await call.hangUp();
  });

  it('has the call, also if several try, in any order', async () => {
    for (const order of [
      [true, false],
      [false, true],
    ]) {
      const call = await calls({ from: someoneNew() });
      await Promise.all(order.map((pickedUp) => call.takeOver({ pickedUp })));
      expect(call.state).toBe('with-team');
      await until(() => phone.calls.every(({ closed }) => closed !== undefined));
      await call.hangUp();
    }
  });

  it('is missing: two attempts open one connection', async () => {
    const call = await calls();
    await Promise.all([call.takeOver({ pickedUp: false }), call.takeOver({ pickedUp: false })]);
    expect(await call.say('Hello?')).toMatchObject({ outcome: 'closed' });
    expect(ofType('session.started').length).toBe(2);
    await call.hangUp();
    await until(() => phone.calls.every(({ closed }) => closed !== undefined));
  });
});

describe('a caller who hangs up while the AI is dialled again', () => {
  it('is not called back, in any order of events', async () => {
    const call = await calls();
    await Promise.all([call.hangUp(), call.takeOver({ pickedUp: false })]);
    expect([call.state, phone.calls.length]).toEqual(['over', 1]);
    const other = await calls();
    await Promise.all([other.takeOver({ pickedUp: false }), other.hangUp()]);
    expect(other.state).toBe('over');
  });

  it.each([true, false])('leaves no call behind (it is established: %s)', async (comesAbout) => {
    phone.answerWith(saying({ type: 'skill', key: 'sales' }));
    const call = await calls();
    await call.say('Sales, please.');
    const { outbound } = open.inbox;
    const dial = outbound.call.bind(outbound);
    outbound.call = async (request) => {
      await call.hangUp();
      return comesAbout ? await dial(request) : { failed: 'no one there' };
    };
    await call.nobodyAtTarget();
    expect([call.state, call.charge]).toEqual(['over', { as: 'own-ai-call', startedMinutes: 1 }]);
    expect(team('push')).toEqual([]);
    await until(() => phone.calls.every(({ closed }) => closed !== undefined));
  });
});

describe('a skill in a call', () => {
  /** The frames that the AI receives after this request. */
  async function asks(frame: object): Promise<{ call: PhoneCall; results: object[] }> {
    phone.answerWith(saying({ type: 'skill', ...frame }));
    const before = ofType('skill.result').length;
    const call = await calls({ from: someoneNew() });
    await call.say('Please.');
    const results = ofType('skill.result').slice(before);
    return { call, results: results.map(({ type: _, ...result }) => result) };
  }

  it('service/phone-forward-puts-the-call-through: the AI has no further part, the call continues', async () => {
    const { call, results } = await asks({ key: 'sales' });
    expect(results).toEqual([{ key: 'sales', ok: true }]);
    expect(typesOf()).toEqual(['session.started', 'prompt', 'skill.result', 'session.ended']);
    expect([call.state, call.charge]).toEqual(['put-through', undefined]);
    expect(open.reported('call').at(-1)).toMatchObject({ data: { key: 'sales', state: 'put-through' } });
    await open.clock.move(3 * 60_000);
    await call.hangUp();
    expect(call.charge).toEqual({ as: 'own-ai-call', startedMinutes: 3 });
  });

  it('that is not answered brings the caller back, and reports why', async () => {
    const { call } = await asks({ executeSkills: [1] });
    await call.nobodyAtTarget();
    expect(call.state).toBe('with-ai');
    await call.hangUp();
    expect(ofType('session.started')[1]).toMatchObject({
      callId: call.callId,
      resumed: 'handover_failed',
      resumedAfter: { key: 'sales', ok: false, reason: 'no-answer' },
    });
  });

  it('service/phone-speaks-before-transferring: what the AI said, else what the skill has, else a standard line', async () => {
    const cases: [frame: object, lines: string[]][] = [
      [{ key: 'service', announcement: 'Hold on.' }, ['Hold on.']],
      [{ key: 'service', announcement: '' }, []],
      [{ key: 'service' }, ['To the workshop.']],
      [{ key: 'sales' }, ['Einen Augenblick bitte, ich verbinde Sie.']],
    ];
    for (const [frame, lines] of cases) {
      const { call } = await asks(frame);
      expect(spoken(call).slice(1)).toEqual(lines.map((line) => `system: ${line}`));
      await call.hangUp();
    }
    expect(heard('announcement')).toEqual(cases.flatMap(([, lines]) => lines));
  });

  it('service/phone-refuses-skills-by-hours-and-limits: each with its reason, and the call continues', async () => {
    const cases: [skill: Partial<SkillRecord>, over: Partial<AgentRecord>, reason: string][] = [
      [{ refuse: 'outside-hours' }, {}, 'outside-hours'],
      [{ refuse: 'no-target' }, {}, 'no-target'],
      [{ refuse: 'no-recipient' }, {}, 'no-recipient'],
      [{ refuse: 'no-answer' }, {}, 'no-answer'],
      [{}, { skillsPerHourLimit: 0 }, 'limit-reached'],
      [{}, { forwardsPerCallLimit: 0 }, 'limit-reached'],
    ];
    const { skillsPerHourLimit, forwardsPerCallLimit, skills: all } = agent;
    for (const [skill, over, reason] of cases) {
      const changed = all.map((one) => (one.key === 'sales' ? { ...one, ...skill } : one));
      Object.assign(agent, { skillsPerHourLimit, forwardsPerCallLimit, ...over, skills: changed });
      const { call, results } = await asks({ key: 'sales' });
      expect(results).toEqual([{ key: 'sales', ok: false, reason }]);
      expect(call.state).toBe('with-ai');
      await call.hangUp();
    }
  });

  it('is limited by the forwards of the whole call, resumed sessions and all', async () => {
    agent.forwardsPerCallLimit = 1;
    const { call } = await asks({ key: 'sales' });
    await call.nobodyAtTarget();
    await call.say('Again, please.');
    expect(ofType('session.started')[1]?.skills?.map(({ key }) => key)).toEqual(['urgent']);
    expect(ofType('skill.result').at(-1)).toMatchObject({ ok: false, reason: 'limit-reached' });
    await call.hangUp();
  });

  it('service/phone-pending-approval-is-ok: and the caller stays with the AI', async () => {
    Object.assign(agent.skills[0] ?? {}, { needsApproval: true });
    const { call, results } = await asks({ key: 'sales' });
    expect(results).toEqual([{ key: 'sales', ok: true, reason: 'pending-approval' }]);
    expect([call.state, heard('announcement')]).toEqual(['with-ai', []]);
    await call.hangUp();
  });

  it('service/phone-alert-takes-its-text-from-the-note: else it names conversation and contact', async () => {
    const { call } = await asks({ key: 'urgent', note: 'Water in the cellar.' });
    await call.hangUp();
    await (await asks({ key: 'urgent' })).call.hangUp();
    expect(team('alert')).toEqual([
      'Water in the cellar.',
      expect.stringMatching(/^Conversation \d+ with \+49\d+ needs attention\.$/),
    ]);
  });

  it('service/phone-runs-alerts-before-the-forward', async () => {
    const { call, results } = await asks({ executeSkills: ['sales', 'urgent'] });
    expect(results).toEqual([
      { key: 'urgent', ok: true },
      { key: 'sales', ok: true },
    ]);
    const order = open.inbox.events.kept.filter(
      ({ type, data }) => data.kind === 'alert' || (type === 'call' && data.key === 'sales'),
    );
    expect(order.map(({ type }) => type)).toEqual(['to-team', 'call']);
    expect(call.state).toBe('put-through');
    await call.hangUp();
  });

  it('service/phone-refused-skills-cost-nothing', async () => {
    Object.assign(agent.skills[0] ?? {}, { refuse: 'no-target' });
    const { call } = await asks({ executeSkills: ['sales', 'urgent', 'unknown'] });
    expect(open.reported('skill').map(({ data }) => [data.key, data.charged])).toEqual([
      ['sales', false],
      ['urgent', true],
      ['unknown', false],
    ]);
    await call.hangUp();
  });
});

describe('the connection test', () => {
  it('opens and closes once, says nothing, and changes no status', async () => {
    expect(await open.inbox.phone.probe(agent)).toEqual({ ok: true, durationMs: expect.any(Number), error: null });
    await until(() => phone.calls[0]?.closed !== undefined);
    expect(phone.calls).toMatchObject([{ frames: [], closed: { code: 1000 } }]);
    agent.secret = 'whsec_other';
    expect(await open.inbox.phone.probe(agent)).toMatchObject({ ok: false, error: expect.stringContaining('401') });
    agent.secret = undefined;
    expect(await open.inbox.phone.probe(agent)).toMatchObject({ ok: false, error: 'the own AI has no secret' });
    expect(agent).toMatchObject({ lastSuccessAt: null, lastFailureAt: null });
    agent.secret = credentials.agentSecret;
  });
});
