import { once } from 'node:events';
import { request } from 'node:http';
import { Duplex } from 'node:stream';
import { setTimeout as quietFor } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';

import { think } from '../../examples/integrator/assistant-rules.ts';
import { chooseSkills } from '../../examples/integrator/offered-skills.ts';
import { refuseUpgrade } from '../../examples/integrator/own-ai-phone.ts';
import { startIntegrator } from '../../examples/integrator/server.ts';
import type { IntegratorOptions } from '../../examples/integrator/integrator-options.ts';
import {
  AGENT_SECRET,
  call,
  dial,
  NOW_MS,
  SALES,
  sessionStarted,
  sign,
  statusOfUpgrade,
  T,
  URGENT,
} from './phone-caller.ts';
import type { Frame } from './phone-caller.ts';

/** Several times the pause between two pieces of a long answer: an AI that is silent for so long has stopped. */
const QUIET_MS = 250;
const LONG = 'Tell me everything';

const cleanUps: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function start(options: Partial<IntegratorOptions> = {}) {
  const log: string[] = [];
  const integrator = await startIntegrator({
    crmToken: 'token-for-the-crm',
    hookSecret: 'whsec_hooks',
    agentSecret: AGENT_SECRET,
    apiKey: 'svc_sk_test',
    now: () => NOW_MS,
    // Tests leave calls open; no test should wait for their closing handshake.
    closeGraceMs: 50,
    log: (line) => log.push(line),
    ...options,
  });
  cleanUps.push(() => integrator.close());
  return { ...integrator, log };
}

const textOf = (frames: Frame[]) => frames.map(({ text }) => text).join('');
const closedOnce = (frames: Frame[]) => frames.map(({ last }) => last === true).indexOf(true) === frames.length - 1;
const stateOf = async (url: string) => (await (await fetch(url)).json()) as { calls: { open: number; taken: number } };

/** Polls until `ready`; the time limit is that of the test. */
async function calls(url: string, ready: (calls: { open: number; taken: number }) => boolean) {
  for (;;) {
    const state = await stateOf(url);
    if (ready(state.calls)) return state.calls;
  }
}

async function expectPlainAnswer(caller: Awaited<ReturnType<typeof call>>, words: string) {
  caller.prompt(words);
  const answer = await caller.answer();
  expect(answer.map(({ type }) => type)).toEqual(answer.map(() => 'text'));
  expect(textOf(answer)).toBe((await think(words, [])).answer.text);
}

describe('the upgrade', () => {
  test.each([-300, -299, 0, 299, 300])('is accepted with a signature that is %i s off', async (off) => {
    const { voiceUrl, stateUrl } = await start();
    const headers = { 'x-svc-call-id': 'call_1', 'x-svc-signature': sign('call_1', AGENT_SECRET, T + off) };
    expect(await statusOfUpgrade(voiceUrl, headers)).toBe(101);
    expect((await stateOf(stateUrl)).calls.taken).toBe(1);
  });

  test('is accepted at an address with a query, with a call id in UTF-8, and twice with the same call id', async () => {
    const { voiceUrl } = await start();
    await dial(`${voiceUrl}?line=1`);
    const raw = Buffer.from('Anruf-ä').toString('latin1');
    await dial(voiceUrl, { headers: { 'x-svc-call-id': raw, 'x-svc-signature': sign('Anruf-ä') } });
    await dial(voiceUrl, { callId: 'call_1' });
    await dial(voiceUrl, { callId: 'call_1' });
  });

  const good = sign('call_1');
  const hex = good.slice(-64);
  const id = { 'x-svc-call-id': 'call_1' };
  test.each<[string, Record<string, string | string[]>]>([
    ['no signature', id],
    ['an empty signature', { ...id, 'x-svc-signature': '' }],
    ['garbage', { ...id, 'x-svc-signature': 'garbage' }],
    ['the signature twice', { ...id, 'x-svc-signature': [good, good] }],
    ['only t', { ...id, 'x-svc-signature': `t=${T}` }],
    ['only v1', { ...id, 'x-svc-signature': `v1=${hex}` }],
    ['an altered t', { ...id, 'x-svc-signature': `t=${T + 1},v1=${hex}` }],
    ['a stale t', { ...id, 'x-svc-signature': sign('call_1', AGENT_SECRET, T - 301) }],
    ['a t in the future', { ...id, 'x-svc-signature': sign('call_1', AGENT_SECRET, T + 301) }],
    ['a short v1', { ...id, 'x-svc-signature': good.slice(0, -2) }],
    ['a long v1', { ...id, 'x-svc-signature': `${good}00` }],
    ['a v1 that is not hex', { ...id, 'x-svc-signature': `${good.slice(0, -1)}g` }],
    ['a v1 that is not ASCII', { ...id, 'x-svc-signature': `${good.slice(0, -1)}\u00e4` }],
    ['another secret', { ...id, 'x-svc-signature': sign('call_1', 'whsec_other') }],
    ['the secret without its prefix', { ...id, 'x-svc-signature': sign('call_1', AGENT_SECRET.slice(6)) }],
    ['the secret decoded', { ...id, 'x-svc-signature': sign('call_1', 'agent') }],
    ['another call’s id', { ...id, 'x-svc-signature': sign('call_2') }],
    ['a signature over an empty body', { ...id, 'x-svc-signature': sign('') }],
    ['a signature over the path', { ...id, 'x-svc-signature': sign('/voice') }],
    ['a signature without t in it', { ...id, 'x-svc-signature': sign('call_1', AGENT_SECRET, T, 'call_1') }],
    ['no call id', { 'x-svc-signature': good }],
    ['no call id, and nothing signed', { 'x-svc-signature': sign('') }],
    ['an empty call id', { 'x-svc-call-id': '', 'x-svc-signature': sign('') }],
    ['two call ids', { 'x-svc-call-id': ['call_1', 'call_2'], 'x-svc-signature': good }],
  ])('with %s is refused with 401, before it is a call', async (_, headers) => {
    const { voiceUrl, stateUrl } = await start();
    expect(await statusOfUpgrade(voiceUrl, headers)).toBe(401);
    expect((await stateOf(stateUrl)).calls).toEqual({ open: 0, taken: 0 });
  });

  test('of another path is answered 404, and a plain request 426', async () => {
    const { url, voiceUrl } = await start();
    const headers = { ...id, 'x-svc-signature': good };
    expect(await statusOfUpgrade(`${url.replace('http', 'ws')}/chat`, headers)).toBe(404);
    expect(await statusOfUpgrade(`${voiceUrl}/x`, headers)).toBe(404);
    const plain = await fetch(`${url}/voice`, { headers });
    expect([plain.status, plain.headers.get('upgrade')]).toEqual([426, 'websocket']);
  });

  test('that is not a WebSocket upgrade is answered as an ordinary request', async () => {
    const { hooksUrl } = await start();
    const outgoing = request(hooksUrl, { method: 'POST', headers: { connection: 'upgrade', upgrade: 'h2c' } });
    outgoing.end('{}');
    const [response] = (await once(outgoing, 'response')) as [{ statusCode: number; resume: () => void }];
    response.resume();
    expect(response.statusCode).toBe(401);
  });

  test('that is refused after the client has disconnected has no effect on others', async () => {
    const gone = new Duplex({ read: () => undefined, write: (_, __, done) => done(new Error('ECONNRESET')) });
    const closed = new Promise((resolve) => gone.on('close', resolve));
    refuseUpgrade(gone, 401);
    // An error without a listener would end the process, and this run with it.
    await closed;
    expect(gone.errored).toMatchObject({ message: 'ECONNRESET' });
  });
});

describe('an answer', () => {
  test('comes in pieces, the last of which closes it, and nothing is spoken before the first prompt', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    await caller.settled();
    caller.prompt('What can you do?');
    const answer = await caller.answer();
    expect(answer.length).toBeGreaterThan(1);
    expect(closedOnce(answer)).toBe(true);
    expect(textOf(answer)).toBe((await think('What can you do?', [])).answer.text);
    await caller.settled();
    expect(caller.untaken()).toEqual([]);
  });

  test('comes to ten sentences in a row, also to empty and very long ones', async () => {
    const { voiceUrl, log } = await start();
    const caller = await call(voiceUrl, { skills: undefined, contact: { id: 7 }, language: 'de-DE' });
    for (const words of ['', '   ', '😀'.repeat(10_000), '\u0000\ud800', '</speak>']) {
      caller.prompt(words);
      expect(closedOnce(await caller.answer())).toBe(true);
    }
    for (const words of ['one', 'two', 'three', 'four', 'five']) await expectPlainAnswer(caller, words);
    expect(log).toEqual([]);
  });

  test('that is long has about 40 pieces', async () => {
    const { voiceUrl } = await start({ think: async (...asked) => ({ ...(await think(...asked)), pieceEveryMs: 0 }) });
    const caller = await call(voiceUrl);
    caller.prompt(LONG);
    expect(await caller.answer()).toHaveLength(40);
    expect((await think(LONG, [])).pieceEveryMs).toBe(50);
  });

  test('stops at an interrupt, and the next sentence gets a separate answer', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt(LONG);
    await caller.take(3);
    caller.send({ type: 'interrupt', spokenUntilInterrupt: 'Topic 1' });
    await caller.settled();
    caller.untaken();
    await quietFor(QUIET_MS);
    expect(caller.untaken()).toEqual([]);
    await expectPlainAnswer(caller, 'And now?');
  });

  test('stops when the caller says something else', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt(LONG);
    await caller.take(3);
    caller.prompt('Wait, something else');
    const rest = await caller.answer();
    const begin = rest.findIndex(({ text }) => String(text).startsWith('I understood'));
    expect(rest.slice(0, begin).every(({ text }) => String(text).startsWith('Topic'))).toBe(true);
    expect(textOf(rest.slice(begin))).toBe((await think('Wait, something else', [])).answer.text);
    await quietFor(QUIET_MS);
    expect(caller.untaken()).toEqual([]);
  });

  test('that a newer sentence overtakes is not spoken', async () => {
    const { voiceUrl } = await start({
      think: async (message, skills, signal) => {
        if (message === 'slow' && signal !== undefined) await once(signal, 'abort');
        return think(message, skills);
      },
    });
    const caller = await call(voiceUrl);
    caller.prompt('slow');
    await expectPlainAnswer(caller, 'quick');
    await caller.settled();
    expect(caller.untaken()).toEqual([]);
  });

  test('that fails hands over to the team, without a reason', async () => {
    const { voiceUrl, log } = await start({ think: () => Promise.reject(new TypeError('secret detail')) });
    const caller = await call(voiceUrl);
    caller.prompt('Hello');
    expect(await caller.answer()).toEqual([
      { type: 'action', action: 'handover', text: expect.stringMatching(/./), note: expect.stringMatching(/./) },
    ]);
    expect(log).toEqual(['answering a caller failed: TypeError']);
  });
});

describe('frames that require no answer', () => {
  test('digits and unknown, broken and incomplete frames are ignored', async () => {
    const { voiceUrl, log } = await start();
    const caller = await call(voiceUrl, {
      protocol: '2030-01-01',
      language: 'fr-FR',
      resumed: 'something-new',
      more: 1,
    });
    caller.send({ type: 'dtmf', digit: '5' }, { type: 'later', text: 'x' }, { type: null }, { type: ['prompt'] }, {});
    caller.send({ type: 'interrupt' }, { type: 'prompt' }, { type: 'prompt', text: 5 });
    caller.send({ type: 'skill.result' }, { type: '__proto__' }, { type: 'constructor' });
    for (const raw of ['', 'no json', '[]', 'null', '"prompt"', '{', Buffer.from([0xff, 0xfe])])
      caller.socket.send(raw);
    await caller.settled();
    expect(caller.untaken()).toEqual([]);
    caller.send({ type: 'prompt', text: 'Still there?', confidence: 0.9, words: [] });
    expect(textOf(await caller.answer())).toContain('Still there?');
    expect(log).toEqual([]);
  });

  test('digits do not stop an answer', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt('What can you do?');
    caller.send({ type: 'dtmf', digit: '#' });
    expect(textOf(await caller.answer())).toBe((await think('What can you do?', [])).answer.text);
  });

  test('a prompt before the session has started is answered', async () => {
    const { voiceUrl } = await start();
    await expectPlainAnswer(await dial(voiceUrl), 'Hello');
  });
});

describe('actions and skills', () => {
  const spoken = expect.stringMatching(/./) as string;
  test.each<[string, Frame[], Frame[]]>([
    ['I want to speak to a person', [], [{ type: 'action', action: 'handover', text: spoken, note: spoken }]],
    ['That is all, thank you', [], [{ type: 'action', action: 'end', text: spoken }]],
    ['This is urgent', [SALES], [{ type: 'action', action: 'handover', text: spoken, note: spoken }]],
    [
      'This is urgent',
      [SALES, URGENT],
      [
        { type: 'text', text: spoken, last: true },
        { type: 'skill', executeSkills: ['urgent'], note: spoken, announcement: '' },
      ],
    ],
    [
      'Please put me through to sales',
      [SALES, URGENT],
      [{ type: 'skill', executeSkills: ['sales'], announcement: spoken }],
    ],
  ])('"%s" with %j brings %j', async (words, skills, expected) => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl, { skills });
    caller.prompt(words);
    expect(await caller.take(expected.length)).toEqual(expected);
    await caller.settled();
    expect(caller.untaken()).toEqual([]);
  });

  test('a forward that is not offered is not requested', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl, { skills: [URGENT] });
    caller.prompt('Please put me through to sales');
    expect(await caller.answer()).toMatchObject([
      { type: 'text', last: false },
      { type: 'text', last: true },
    ]);
  });

  test('a model may request anything; only offered skills are sent, once each, at most five, one forward', () => {
    const alerts = ['a', 'b', 'c', 'd', 'e'].map((key) => ({ ...URGENT, key }));
    const offered = [SALES, { ...SALES, key: 'service' }, ...alerts];
    const keys = (wanted: string[]) => chooseSkills(wanted, offered).map(({ key }) => key);
    expect(keys(['sales', 'a', 'a', 'nobody', 'service'])).toEqual(['a', 'sales']);
    expect(keys(['a', 'b', 'sales', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'sales']);
    expect(keys(['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(keys([])).toEqual([]);
  });

  test.each([
    ['no reason', {}],
    ['pending-approval', { reason: 'pending-approval' }],
  ])('a skill that succeeds (%s) needs no announcement', async (_, fields) => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt('Please put me through to sales');
    await caller.answer();
    caller.send({ type: 'skill.result', key: 'sales', ok: true, ...fields });
    await expectPlainAnswer(caller, 'Hello?');
  });

  const reasons = [
    ...['unknown-skill', 'outside-hours', 'limit-reached', 'not-allowed', 'no-target', 'no-recipient', 'no-answer'],
    ...['one-forward-per-turn', 'failed', 'something-new', undefined],
  ];
  test.each(reasons)('a refusal (%s) is announced in one closed answer, and the call continues', async (reason) => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    for (const [words, key, pattern] of [
      ['Please put me through to sales', 'sales', /Sales/],
      ['This is urgent', 'urgent', /team/],
    ] as const) {
      caller.prompt(words);
      while ((await caller.answer()).at(-1)?.['type'] !== 'skill');
      caller.send({ type: 'skill.result', key, ok: false, reason });
      const answer = await caller.answer();
      expect(textOf(answer)).toMatch(pattern);
      expect(closedOnce(answer)).toBe(true);
      await expectPlainAnswer(caller, 'Then tell me');
    }
  });

  test('unrequested and repeated results are ignored', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.send({ type: 'skill.result', key: 'sales', ok: false, reason: 'no-answer' });
    await expectPlainAnswer(caller, 'one');
    caller.prompt('Please put me through to sales');
    await caller.answer();
    caller.send({ type: 'skill.result', key: 'sales', ok: false }, { type: 'skill.result', key: 'sales', ok: false });
    await caller.answer();
    await expectPlainAnswer(caller, 'two');
    await caller.settled();
    expect(caller.untaken()).toEqual([]);
  });

  test('a refusal that comes during another answer is announced after it', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt('Please put me through to sales');
    await caller.answer();
    caller.prompt('Are you there?');
    const [first] = await caller.take(1);
    caller.send({ type: 'skill.result', key: 'sales', ok: false, reason: 'no-answer' });
    const answer = [first as Frame, ...(await caller.answer())];
    expect(textOf(answer)).toBe((await think('Are you there?', [])).answer.text);
    expect(textOf(await caller.answer())).toMatch(/^No one answered at Sales\./);
  });
});

describe('a call that comes back', () => {
  test.each([
    [{}, /^No one could be reached/],
    [{ resumedAfter: null }, /^No one could be reached/],
    [{ resumedAfter: { key: 'sales', ok: false, reason: 'no-answer' } }, /^No one answered at Sales/],
    [{ resumedAfter: { key: 'sales', ok: false, reason: 'outside-hours' } }, /^Sales cannot be reached/],
    [{ resumedAfter: { key: 'gone', ok: false, reason: 'no-answer' } }, /^No one could be reached/],
  ])('from a failed takeover with %j is greeted at once', async (fields, expected) => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl, { resumed: 'handover_failed', ...fields });
    const answer = await caller.answer();
    expect(textOf(answer)).toMatch(expected);
    expect(closedOnce(answer)).toBe(true);
    await expectPlainAnswer(caller, 'Then you');
  });

  test('on the existing connection: earlier requests no longer count', async () => {
    const { voiceUrl } = await start();
    const caller = await call(voiceUrl);
    caller.prompt('Please put me through to sales');
    await caller.answer();
    caller.send(sessionStarted('call_1', { resumed: 'handover_failed' }));
    expect(textOf(await caller.answer())).toMatch(/^No one could be reached/);
    caller.send({ type: 'skill.result', key: 'sales', ok: false, reason: 'no-answer' });
    await expectPlainAnswer(caller, 'Hello');
  });
});

describe('the end of a call', () => {
  test('session.ended stops the answer; the service closes', async () => {
    const thoughtAbout: string[] = [];
    const { voiceUrl, stateUrl, log } = await start({
      think: (message, skills) => {
        thoughtAbout.push(message);
        return think(message, skills);
      },
    });
    const caller = await call(voiceUrl);
    caller.prompt(LONG);
    await caller.take(3);
    caller.send({ type: 'session.ended' }, { type: 'prompt', text: 'Hello?' });
    await caller.settled();
    caller.untaken();
    await quietFor(QUIET_MS);
    expect(caller.untaken()).toEqual([]);
    expect(thoughtAbout).toEqual([LONG]);
    expect(caller.socket.readyState).toBe(caller.socket.OPEN);
    caller.socket.close(1000);
    expect(await caller.closed).toEqual({ code: 1000 });
    expect(await calls(stateUrl, ({ open }) => open === 0)).toEqual({ open: 0, taken: 1 });
    expect(log).toEqual([]);
  });

  test('after session.ended it closes by itself if the service does not, and cuts if its close frame is not answered', async () => {
    const { voiceUrl, stateUrl } = await start({ hangUpMs: 20 });
    const caller = await call(voiceUrl);
    caller.send({ type: 'session.ended' });
    expect(await caller.closed).toEqual({ code: 1000 });

    const deaf = await call(voiceUrl);
    deaf.send({ type: 'session.ended' });
    await deaf.settled();
    deaf.socket.pause();
    await calls(stateUrl, ({ open }) => open === 0);
  });

  test('a connection that is opened and closed again is accepted', async () => {
    const { voiceUrl, stateUrl, log } = await start();
    const caller = await dial(voiceUrl);
    caller.socket.close();
    expect(await caller.closed).toEqual({ code: 1005 });
    expect(await calls(stateUrl, ({ open }) => open === 0)).toEqual({ open: 0, taken: 1 });
    expect(log).toEqual([]);
  });

  test.each([
    ['reset', (socket: RawSocket) => socket.resetAndDestroy()],
    ['gone', (socket: RawSocket) => socket.destroy()],
    ['half-closed', (socket: RawSocket) => socket.end()],
  ])(
    'a caller who is %s in mid-answer has no effect on others: the next call is accepted and answered',
    async (_, leave) => {
      const { voiceUrl, stateUrl } = await start();
      const caller = await call(voiceUrl);
      caller.prompt(LONG);
      await caller.take(3);
      leave((caller.socket as unknown as { _socket: RawSocket })._socket);
      await calls(stateUrl, ({ open }) => open === 0);
      await expectPlainAnswer(await call(voiceUrl), 'Hello');
    },
  );

  test('a frame that is too long ends its own call and no other', async () => {
    const { voiceUrl, log } = await start();
    const other = await call(voiceUrl, {}, 'call_2');
    const caller = await call(voiceUrl);
    caller.prompt('x'.repeat(60_000));
    expect(closedOnce(await caller.answer())).toBe(true);
    caller.prompt('x'.repeat(65_536));
    expect(await caller.closed).toEqual({ code: 1009 });
    await expectPlainAnswer(other, 'Hello');
    expect(log).toEqual(['phone call broken off: WS_ERR_UNSUPPORTED_MESSAGE_LENGTH']);
  });

  test('a caller that reads nothing is cut before much data is buffered', async () => {
    // Far more than the buffers of the system hold: 24 MB as JSON.
    const text = `${'\u0001'.repeat(10_000)} `.repeat(400);
    const { voiceUrl, stateUrl } = await start({
      think: async () => ({ answer: { text, action: 'none' }, takesTime: false, pieceEveryMs: 0 }),
    });
    const caller = await call(voiceUrl);
    await caller.settled();
    caller.socket.pause();
    caller.prompt('Hello');
    expect(await calls(stateUrl, ({ open }) => open === 0)).toEqual({ open: 0, taken: 1 });
  });
});

interface RawSocket {
  destroy(): void;
  end(): void;
  resetAndDestroy(): void;
}

describe('several calls at once', () => {
  test('do not affect each other', async () => {
    const { voiceUrl, stateUrl } = await start();
    const names = ['one', 'two', 'three'];
    const callers = await Promise.all(names.map((name) => call(voiceUrl, {}, name)));
    expect((await stateOf(stateUrl)).calls).toEqual({ open: 3, taken: 3 });
    for (const turn of ['first', 'second']) {
      for (const [index, caller] of callers.entries()) caller.prompt(`This is ${names[index] ?? ''}, ${turn}`);
      const answers = await Promise.all(callers.map((caller) => caller.answer()));
      for (const [index, name] of names.entries()) {
        expect(textOf(answers[index] ?? [])).toContain(`This is ${name}, ${turn}`);
      }
    }
  });

  test('an interruption, skills and their results belong to one call', async () => {
    const { voiceUrl } = await start();
    const [busy, plain] = [await call(voiceUrl, {}, 'busy'), await call(voiceUrl, { skills: [] }, 'plain')];
    await plain.settled();
    busy.prompt('This is urgent');
    expect([...(await busy.answer()), ...(await busy.answer())].map(({ type }) => type)).toEqual(['text', 'skill']);
    plain.send({ type: 'skill.result', key: 'urgent', ok: false });
    await expectPlainAnswer(plain, 'Hello');
    plain.prompt('This is urgent');
    expect(await plain.answer()).toMatchObject([{ type: 'action', action: 'handover' }]);
    busy.prompt('What can you do?');
    plain.send({ type: 'interrupt', spokenUntilInterrupt: '' }, { type: 'session.ended' });
    expect(closedOnce(await busy.answer())).toBe(true);
  });

  test('leave nothing in the state that grows with frames', async () => {
    const { voiceUrl, stateUrl } = await start();
    const before = await stateOf(stateUrl);
    const caller = await call(voiceUrl);
    await expectPlainAnswer(caller, 'one');
    caller.prompt('This is urgent');
    await caller.answer();
    expect(await stateOf(stateUrl)).toEqual({ ...before, calls: { open: 1, taken: 1 } });
  });
});

describe('shutting down', () => {
  test('hands calls over to the team and closes them; one that has not started is only closed', async () => {
    const integrator = await start({ closeGraceMs: 5_000 });
    const [talking, idle, test] = [
      await call(integrator.voiceUrl),
      await call(integrator.voiceUrl),
      await dial(integrator.voiceUrl),
    ];
    talking.prompt(LONG);
    await talking.take(2);
    await idle.settled();
    const closed = integrator.close();
    expect(await talking.closed).toEqual({ code: 1001 });
    expect(talking.heard.at(-1)).toMatchObject({
      type: 'action',
      action: 'handover',
      text: expect.stringMatching(/./),
    });
    expect(await idle.closed).toEqual({ code: 1001 });
    expect(idle.heard).toMatchObject([{ type: 'action', action: 'handover', note: expect.stringMatching(/./) }]);
    expect(await test.closed).toEqual({ code: 1001 });
    expect(test.heard).toEqual([]);
    await closed;
    expect(integrator.log).toEqual([]);
    await expect(dial(integrator.voiceUrl)).rejects.toThrow('ECONNREFUSED');
  });

  test('cuts those who do not answer the closing', async () => {
    const integrator = await start({ closeGraceMs: 50 });
    const deaf = await call(integrator.voiceUrl);
    await deaf.settled();
    deaf.socket.pause();
    await integrator.close();
  });
});
