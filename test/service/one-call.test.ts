import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Call } from '../../harness/wire/call.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import { resolveConfig } from '../../harness/config/resolve-config.ts';
import { Session } from '../../harness/checks/session.ts';
import { limits, protocolRevision } from '../../specs/limits.ts';
import type { SchemaName } from '../../specs/schemas.ts';
import { validate } from '../../specs/validators.ts';
import { toBeConnectedInTime } from '../../suites/matchers/call-matchers.ts';
import { switchingProtocolsHead } from '../harness/call-server.ts';
import { rawServer } from '../harness/raw-server.ts';
import { configOf, credentials, settingsOf } from '../harness/settings-for-tests.ts';
import { headerOf } from './recording-endpoint.ts';
import { recordingPhone, type Answers, type RecordedCall, type RecordingPhone } from './recording-phone.ts';

let phone: RecordingPhone;
let session: Session;

const schemaOf: Record<string, SchemaName> = {
  'session.started': 'sessionStarted',
  prompt: 'prompt',
  dtmf: 'dtmf',
  interrupt: 'interrupt',
  'skill.result': 'skillResult',
  'session.ended': 'sessionEnded',
};

const answersAll: Answers = ({ type }, say) => {
  if (type === 'prompt') say(piece('Yes.', true));
};

beforeAll(async () => {
  phone = await recordingPhone();
  phone.answerWith(answersAll);
  session = await Session.open(settingsOf(configOf({ phone: phone.url })));
  // The driver measures an unknown endpoint in separate calls.
  await session.phone.hold({ label: 'the first one' }, (call) => call.ask('Hello?'));
});
beforeEach(() => {
  phone.calls.length = 0;
  phone.answerWith(answersAll);
});
afterEach(() => {
  expect(phone.refused).toBe(0);
  // In every test, each sent frame has one of six types and matches its schema.
  for (const frame of phone.calls.flatMap(framesOf)) {
    const name = schemaOf[String(frame.type)];
    expect(name, JSON.stringify(frame)).toBeDefined();
    if (name) expect(validate(name, frame), JSON.stringify(frame)).toEqual([]);
  }
});
afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await phone[Symbol.asyncDispose]();
});

const piece = (text: string, last = false) => ({ type: 'text', text, last });
const framesOf = ({ frames }: RecordedCall) => frames.map((text) => JSON.parse(text) as Record<string, unknown>);
const typesOf = (call: RecordedCall) => framesOf(call).map(({ type }) => type);
const ofType = (call: RecordedCall, type: string) => framesOf(call).filter((frame) => frame.type === type);

/** The call as the AI received it, after this conversation. */
async function held(body: (call: Call) => Promise<unknown>, options: Partial<HoldOptions> = {}): Promise<RecordedCall> {
  await session.phone.hold({ label: 'held', ...options }, body);
  const call = phone.calls.at(-1);
  if (!call) throw new Error('expected a call, received none');
  return call;
}

describe('the connection of a call', () => {
  it('service/phone-upgrade-is-signed-over-the-call-id: with the secret as text, whsec_ and all', async () => {
    const { method, path, headers } = await held((call) => call.ask('Hello?'));
    expect([method, path]).toEqual(['GET', '/voice?tenant=7']);
    expect(
      headers
        .map(([name]) => name)
        .filter((name) => /^x-svc/i.test(name))
        .sort(),
    ).toEqual(['X-Svc-Agent-Protocol', 'X-Svc-Call-Id', 'X-Svc-Signature']);
    const [, t = '', v1] = /^t=(\d{10}),v1=([0-9a-f]{64})$/.exec(headerOf({ headers }, 'X-Svc-Signature') ?? '') ?? [];
    const callId = headerOf({ headers }, 'X-Svc-Call-Id') ?? '';
    expect(callId).not.toBe('');
    expect(v1).toBe(createHmac('sha256', credentials.agentSecret).update(`${t}.${callId}`).digest('hex'));
  });

  it('service/phone-has-one-connection-per-call: with its own call id, the one of session.started', async () => {
    await held((call) => call.ask('Hello?'));
    await session.phone.holdSeveral(3, async (dial) => {
      const calls = await Promise.all(['a', 'b', 'c'].map((label) => dial({ label })));
      await Promise.all(calls.map((call) => call.ask('Hello?')));
    });
    const ids = phone.calls.map(({ headers }) => headerOf({ headers }, 'X-Svc-Call-Id'));
    expect(new Set(ids).size).toBe(phone.calls.length);
    for (const [at, call] of phone.calls.entries()) {
      expect(ofType(call, 'session.started').map(({ callId }) => callId)).toEqual([ids[at]]);
      expect(call.headers.some(([, value]) => value === '/voice?tenant=7')).toBe(false);
    }
  });

  it('service/phone-protocol-in-header-and-session-started', async () => {
    const call = await held((one) => one.ask('Hello?'));
    expect(headerOf(call, 'X-Svc-Agent-Protocol')).toBe(protocolRevision);
    expect(ofType(call, 'session.started')).toMatchObject([{ protocol: protocolRevision }]);
  });

  it('service/phone-waits-five-seconds-for-the-connection: a later one is refused', async () => {
    await using late = await rawServer((socket, request) => {
      setTimeout(() => socket.end(switchingProtocolsHead(request)), limits.phoneSetupMs + 300);
    });
    await using never = await rawServer(() => undefined);
    const ring = async (port: number) => {
      await using other = await Session.open(settingsOf(configOf({ phone: `ws://127.0.0.1:${port}/` })));
      return await other.phone.ring('rings', { limitMs: limits.phoneSetupMs });
    };
    const [tooLate, none, inTime] = await Promise.all([
      ring(late.port),
      ring(never.port),
      session.phone.ring('rings', { limitMs: limits.phoneSetupMs }),
    ]);
    // The service subtracts stalls of this process, which here are those of the test.
    expect(toBeConnectedInTime({ ...tooLate, times: { ...tooLate.times, lagMs: 0 } })?.received).toMatch(
      /after \d+ ms/,
    );
    expect(toBeConnectedInTime(none)).toBeDefined();
    expect(toBeConnectedInTime(inTime)).toBeUndefined();
    expect(limits.phoneSetupMs).toBe(5_000);
  });

  it('service/phone-sends-nothing-without-a-secret', async () => {
    const of = (over: object, env: Record<string, string> = {}) =>
      resolveConfig({ phone: { url: phone.url, ...over } }, env, 'the config');
    expect(() => of({})).toThrow(/secret/);
    expect(() => of({ secret: 'env:S' }, { S: '' })).toThrow(/S is empty/);
    const { phone: _, ...without } = session.settings.config;
    await using bare = await Session.open(settingsOf(without));
    await expect(bare.phone.ring('rings')).rejects.toThrow('phone is not configured');
    expect(phone.calls).toEqual([]);
  });

  it('service/phone-test-opens-and-closes-once: and says nothing in between', async () => {
    await session.phone.ring('the connection test', { begin: false });
    expect(phone.calls).toMatchObject([{ frames: [], closed: { code: 1000 } }]);
  });
});

describe('the beginning of a call', () => {
  it('service/phone-session-started-members: first of all frames, with every field', async () => {
    const call = await held((one) => one.ask('Hello?'));
    expect(typesOf(call)).toEqual(['session.started', 'prompt', 'session.ended']);
    const [started = {}] = framesOf(call);
    expect(Object.keys(started)).toEqual([
      'type',
      'protocol',
      'callId',
      'callSid',
      'projectId',
      'workspaceId',
      'agentId',
      'from',
      'to',
      'language',
      'contact',
      'skills',
    ]);
    expect(Object.keys(started.contact as object)).toEqual(['id', 'name']);
    expect((started.skills as { key: string }[]).map(({ key }) => key)).toEqual(['sales', 'urgent']);
  });

  it('service/phone-language-is-one-of-two', async () => {
    for (const language of ['de-DE', 'en-US'] as const) {
      const call = await held((one) => one.ask('Hello?'), { started: { language } });
      expect(ofType(call, 'session.started')).toMatchObject([{ language }]);
    }
    expect(validate('sessionStarted', { ...session.sample.sessionStarted(), language: 'fr-FR' })).not.toEqual([]);
    for (const call of phone.calls) expect(['de-DE', 'en-US']).toContain(framesOf(call)[0]?.language);
  });

  it('service/phone-greets-before-the-first-prompt: the first sentence comes once a greeting has passed', async () => {
    const greetingMs = 400;
    await session.phone.hold({ label: 'greeted', greetingMs }, (call) => call.ask('Hello?'));
    const { frames = [] } = session.phone.calls.find(({ label }) => label === 'greeted') ?? {};
    expect((frames[1]?.atMs ?? 0) - (frames[0]?.atMs ?? 0)).toBeGreaterThan(greetingMs - 10);
    // An unknown endpoint gets the timeouts of a real one.
    const [first] = session.phone.calls;
    expect((first?.frames[1]?.atMs ?? 0) - (first?.frames[0]?.atMs ?? 0)).toBeGreaterThan(500);
  });

  it('service/phone-failed-takeover-resumes: on a new connection, with what went before', async () => {
    phone.answerWith(({ type, text }, say) => {
      if (type !== 'prompt') return;
      if (text === 'Sales, please.') say({ type: 'skill', key: 'sales' });
      else say(piece('I am back.', true));
    });
    const first = await held((call) => call.ask('Sales, please.'));
    const started = framesOf(first)[0] ?? {};
    expect(typesOf(first)).toEqual(['session.started', 'prompt', 'skill.result', 'session.ended']);
    const resumed = { resumed: 'handover_failed', resumedAfter: { key: 'sales', ok: false, reason: 'no-answer' } };
    const again = await held((call) => call.ask('And now?'), { startedAs: { ...started, ...resumed } });
    expect(again).not.toBe(first);
    expect(headerOf(again, 'X-Svc-Call-Id')).toBe(headerOf(first, 'X-Svc-Call-Id'));
    expect(framesOf(again)[0]).toEqual({ ...started, ...resumed });
  });
});

describe('events of the caller', () => {
  it('service/phone-prompt-per-sentence: with exactly the words', async () => {
    const sentences = ['Are you open on Thursday?', 'Größe 42 – „rot“ 😀', ' '];
    const call = await held(async (one) => {
      for (const sentence of sentences) await one.ask(sentence);
    });
    expect(ofType(call, 'prompt')).toEqual(sentences.map((text) => ({ type: 'prompt', text })));
  });

  it('service/phone-dtmf-per-key', async () => {
    const keys = [...'0123456789*#'];
    const call = await held(async (one) => keys.forEach((key) => one.press(key)));
    expect(ofType(call, 'dtmf')).toEqual(keys.map((digit) => ({ type: 'dtmf', digit })));
  });

  it('service/phone-interrupt-tells-what-was-spoken: the pieces so far, empty before any', async () => {
    phone.answerWith(({ type }, say) => {
      if (type === 'prompt') ['We are open ', '', 'from nine '].forEach((text) => say(piece(text)));
      if (type === 'dtmf') say(piece('to five.', true));
    });
    const call = await held(
      async (one) => {
        one.interrupt();
        const index = one.speak('When are you open?');
        while (one.heardSince(index) !== 'We are open from nine ') await one.firstPiece(one.length - 1, 20);
        one.interrupt();
        // The rest arrives after the next sentence.
        await one.answer(one.press('1'));
      },
      { greetingMs: 0 },
    );
    expect(ofType(call, 'interrupt')).toEqual([
      { type: 'interrupt', spokenUntilInterrupt: '' },
      { type: 'interrupt', spokenUntilInterrupt: 'We are open from nine ' },
    ]);
  });

  it('service/phone-session-ended-then-closed: session.ended is the last frame, then comes a normal closing', async () => {
    const call = await held((one) => one.ask('Hello?'));
    expect(typesOf(call).at(-1)).toBe('session.ended');
    expect(ofType(call, 'session.ended')).toEqual([{ type: 'session.ended' }]);
    expect(call.closed).toEqual({ code: 1000 });
  });

  it('service/phone-takeover-ends-the-session: in mid-answer as well', async () => {
    phone.answerWith(({ type }, say) => {
      if (type === 'prompt') say(piece('Let me '));
    });
    const call = await held(async (one) => {
      await one.firstPiece(one.speak('Hello?'));
      await one.end();
    });
    expect(typesOf(call)).toEqual(['session.started', 'prompt', 'session.ended']);
    expect(call.closed).toEqual({ code: 1000 });
  });
});
