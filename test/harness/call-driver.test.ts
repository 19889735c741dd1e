import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import { Session } from '../../harness/checks/session.ts';
import type { RunSettings } from '../../harness/config/settings.ts';
import { limits } from '../../specs/limits.ts';
import { ai, callUrl, switchingProtocolsHead, until, type Ai } from './call-server.ts';
import { freePort } from '../../harness/wire/free-port.ts';
import { answerText, rawServer } from './raw-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });

const open = (phone: string, over: Partial<RunSettings> = {}) => Session.open(settingsOf(configOf({ phone }), over));

/** An AI that repeats each sentence. */
const echo = (): Promise<Ai> =>
  ai(({ type, text }, say) => {
    if (type === 'prompt') say(piece(String(text), true));
  });

async function faultOf(run: Promise<unknown>): Promise<HarnessFault> {
  const error = await run.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(HarnessFault);
  return error as HarnessFault;
}

/** Milliseconds between the beginning of a call and its first sentence. */
function greetingOf(session: Session, label: string): number {
  const frames = session.phone.calls.findLast((call) => call.label === label)?.frames ?? [];
  const [from, to] = ['session.started', 'prompt'].map(
    (type) => frames.find(({ value }) => (value as { type?: string } | undefined)?.type === type)?.atMs,
  );
  return (to ?? NaN) - (from ?? NaN);
}

describe.concurrent('holding a call', () => {
  it('dials, starts the session, waits for the greeting, speaks, ends, and keeps the call', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const record = new CheckRecord();
    const answer = await withRecord(record, () =>
      session.phone.hold({ label: 'held', started: { language: 'de-DE' } }, (call) => call.ask('Guten Tag?')),
    );
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Guten Tag?' });
    const call = session.phone.calls.find(({ label }) => label === 'held');
    expect(call?.frames.map(({ value }) => (value as { type: string }).type)).toEqual([
      'session.started',
      'prompt',
      'text',
      'session.ended',
    ]);
    expect(call?.frames[0]?.value).toMatchObject({ language: 'de-DE', callId: call?.callId });
    expect(call?.end).toMatchObject({ by: 'service', clean: true });
    expect(record.evidence).toContain(call);
  });

  it('ends the call, also if its function throws', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const failing = session.phone.hold({ label: 'throws' }, async () => Promise.reject(new Error('of the check')));
    await expect(failing).rejects.toThrow('of the check');
    expect(session.phone.calls.find(({ label }) => label === 'throws')?.end).toMatchObject({ by: 'service' });
    await until(() => endpoint.calls.every(({ readyState }) => readyState === 3));
  });

  it('is not possible with an AI that refuses calls: nothing can be judged then', async () => {
    for (const status of ['401 Unauthorized', '302 Found', '500 Broken']) {
      await using server = await rawServer((socket) => socket.write(answerText(status)));
      await using session = await open(callUrl(server));
      const fault = await faultOf(session.phone.hold({ label: 'refused' }, async () => undefined));
      expect(fault.code).toBe('control-failed');
      expect(fault.message).toContain(`received status ${status.slice(0, 3)}`);
    }
    await using broken = await rawServer((socket) => socket.write('SSH-2.0-OpenSSH_9.6\r\n'));
    await using session = await open(callUrl(broken));
    expect((await faultOf(session.phone.hold({ label: 'no HTTP' }, async () => undefined))).message).toContain(
      'received malformed',
    );
  });

  it('is given up after some attempts if nothing listens', async () => {
    const url = `ws://127.0.0.1:${await freePort()}/voice`;
    await using session = await open(url);
    for (let at = 0; at < 5; at++) {
      const fault = await faultOf(session.phone.hold({ label: 'nobody' }, async () => undefined));
      expect(fault).toMatchObject({ code: 'target-unreachable' });
      expect(fault.message).toContain('ECONNREFUSED');
    }
  });

  it('is given up after some attempts with a silent AI', async () => {
    await using endpoint = await ai(() => undefined);
    const phone = { url: endpoint.url, secret: 's', timeoutSeconds: 0.1 };
    await using session = await Session.open(settingsOf(configOf({}, { phone }), { answerTimeoutMs: 100 }));
    const ask = () => session.phone.hold({ label: 'silent' }, (call) => call.ask('Hello?'));
    // The call with which the driver measures the AI is silent, too.
    expect(await ask()).toMatchObject({ outcome: 'nothing' });
    expect(await faultOf(ask())).toMatchObject({ code: 'target-silent' });
    expect(endpoint.calls).toHaveLength(2);
  });

  it('waits as long as the AI requests with 429, and does not count it as a failure', async () => {
    let refusals = 0;
    const asked: number[] = [];
    await using server = await rawServer((socket, request) => {
      asked.push(performance.now());
      if (refusals++ < 2) socket.write(answerText('429 Too Many Requests', { 'Retry-After': '0.3' }));
      else socket.write(switchingProtocolsHead(request));
    });
    await using session = await open(callUrl(server));
    const { answer } = await session.phone.ring('rings');
    expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
    expect(asked).toHaveLength(3);
    const [first = NaN, , third = NaN] = asked;
    expect(third - first).toBeGreaterThan(2 * 295);
  });

  it('gives up an AI that keeps asking for a pause', async () => {
    await using server = await rawServer((socket) =>
      socket.write(answerText('503 Service Unavailable', { 'Retry-After': '0' })),
    );
    await using session = await open(callUrl(server));
    expect(await faultOf(session.phone.ring('rings'))).toMatchObject({ code: 'target-throttles' });
  });
});

describe.concurrent('the beginning of calls', () => {
  it('is measured once, in separate calls, and then costs no time', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const labels = ['one', 'two', 'three'];
    await Promise.all(labels.map((label) => session.phone.hold({ label }, (call) => call.ask('Hello?'))));
    expect(session.phone.calls).toHaveLength(2 + labels.length);
    const learnt = session.phone.calls.map(({ label }) => label).filter((label) => !labels.includes(label));
    expect(greetingOf(session, learnt[0] ?? '')).toBeGreaterThan(500);
    for (const label of labels) expect(greetingOf(session, label)).toBeLessThan(greetingOf(session, learnt[0] ?? ''));
  });

  it('has a long greeting for an AI that is not ready at once', async () => {
    const readyAfterMs = 300;
    const begun = new WeakMap<object, number>();
    await using endpoint = await ai(({ type }, say, socket) => {
      if (type === 'session.started') begun.set(socket, performance.now());
      if (type === 'prompt' && performance.now() - (begun.get(socket) ?? 0) > readyAfterMs) say(piece('Yes.', true));
    });
    await using session = await open(endpoint.url);
    const answer = await session.phone.hold({ label: 'held' }, (call) => call.ask('Hello?'));
    expect(answer).toMatchObject({ outcome: 'closed', text: 'Yes.' });
    expect(greetingOf(session, 'held')).toBeGreaterThan(500);
  });

  it('lets an AI that greets by itself finish, so that its greeting is not an answer', async () => {
    const words = Array.from({ length: 15 }, (_, at) => `word ${at} `);
    await using endpoint = await ai(({ type }, say) => {
      // Longer than the driver waits for a greeting.
      if (type === 'session.started') {
        words.forEach((word, at) => setTimeout(() => say(piece(word, at === words.length - 1)), 100 * at));
      }
      if (type === 'prompt') say(piece('Yes.', true));
    });
    await using session = await open(endpoint.url);
    for (const label of ['one', 'two']) {
      const [heard, answer] = await session.phone.hold({ label }, async (call) => [
        call.heardSince(0),
        await call.ask('Hello?'),
      ]);
      expect(heard).toBe(words.join(''));
      expect(answer).toMatchObject({ outcome: 'closed', text: 'Yes.' });
    }
  });

  it('can be given: the duration of the greeting and the fields of session.started', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const startedAs = { type: 'session.started', callId: 'c-1', odd: true };
    await session.phone.hold({ label: 'stated start', greetingMs: 200, startedAs }, (call) => call.ask('Hello?'));
    expect(greetingOf(session, 'stated start')).toBeGreaterThan(190);
    expect(endpoint.heard).toContainEqual(startedAs);
    expect(session.phone.calls.find(({ label }) => label === 'stated start')?.callId).toBe('c-1');
  });
});

describe.concurrent('ringing', () => {
  it('begins a call and ends it, or opens and closes the connection once', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const call = await session.phone.ring('a call');
    expect(call.end).toMatchObject({ by: 'service', code: 1000, clean: true });
    expect(endpoint.heard.map(({ type }) => type)).toEqual(['session.started', 'session.ended']);
    const test = await session.phone.ring('a test', { begin: false, limitMs: limits.phoneSetupMs });
    expect(test).toMatchObject({ limitMs: limits.phoneSetupMs, frames: [], end: { by: 'service', code: 1000 } });
    expect(endpoint.heard).toHaveLength(2);
    expect(endpoint.calls).toHaveLength(2);
  });

  it('reports a connection that is established too late as established, with its time', async () => {
    const lateMs = limits.phoneSetupMs + 150;
    await using server = await rawServer((socket, request) => {
      setTimeout(() => socket.write(switchingProtocolsHead(request), () => socket.end()), lateMs);
    });
    await using session = await open(callUrl(server));
    const { answer, times } = await session.phone.ring('late', { limitMs: limits.phoneSetupMs });
    expect(answer).toMatchObject({ outcome: 'answered', status: 101 });
    expect(times.totalMs).toBeGreaterThan(limits.phoneSetupMs);
  });
});

describe.concurrent('attempting a call', () => {
  it('says a sentence when it is accepted, and reports a refusal as such', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const taken = await session.phone.attemptCall(session.phone.upgrade(), 'accepted');
    expect(taken.frames.map(({ from }) => from)).toContain('ai');
    expect(taken.end).toMatchObject({ by: 'service' });
    // A call without a valid signature shows nothing about the frames of the AI.
    expect(session.phone.calls).toEqual([]);
    await using refusing = await rawServer((socket) => socket.write(answerText('403 Forbidden')));
    await using other = await open(callUrl(refusing));
    const refused = await other.phone.attemptCall(other.phone.upgrade(), 'kept out');
    expect(refused).toMatchObject({ answer: { status: 403 }, frames: [] });
  });

  it('waits for a silent one as long as a set-up may take', async () => {
    await using endpoint = await ai(() => undefined);
    await using session = await open(endpoint.url);
    const { frames, end } = await session.phone.attemptCall(session.phone.upgrade(), 'silent');
    const prompt = frames.find(({ value }) => (value as { type: string }).type === 'prompt');
    expect((end?.atMs ?? 0) - (prompt?.atMs ?? 0)).toBeGreaterThan(limits.phoneSetupMs - 10);
    expect(end).toMatchObject({ by: 'service' });
  });
});

describe.concurrent('an AI that never closes its answers', () => {
  it('is waited for in full twice, then for a shorter time, until it closes one', async () => {
    let closes = false;
    await using endpoint = await ai(({ type }, say) => {
      if (type === 'prompt') say(piece('and so on', closes));
    });
    const phone = { url: endpoint.url, secret: 's', timeoutSeconds: 1 };
    await using session = await Session.open(settingsOf(configOf({}, { phone }), { answerTimeoutMs: 1_000 }));
    const ask = () => session.phone.hold({ label: 'held' }, (call) => call.ask('Hello?'));
    expect(session.phone.timeouts.nextPieceMs).toBe(1_000);
    // One of the calls with which the driver measures the AI also timed out.
    expect((await ask()).outcome).toBe('not-closed');
    expect(session.phone.timeouts.nextPieceMs).toBeLessThan(1_000);
    expect(session.phone.timeouts.firstPieceMs).toBe(1_000);
    closes = true;
    expect((await ask()).outcome).toBe('closed');
    expect(session.phone.timeouts.nextPieceMs).toBe(1_000);
  });
});
