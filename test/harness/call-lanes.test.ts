import { describe, expect, it } from 'vitest';
import { CheckRecord, withRecord } from '../../harness/checks/check-record.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { sharedLanes } from '../../harness/wire/traffic-gate.ts';
import { Session } from '../../harness/checks/session.ts';
import { ai, type Ai } from './call-server.ts';
import { configOf, settingsOf } from './settings-for-tests.ts';

const piece = (text: string, last = false) => ({ type: 'text', text, last });

/** Milliseconds of an answer that is long. */
const longSpeechMs = 1_050;

const open = (phone: string) => Session.open(settingsOf(configOf({ phone })));

/** An AI that repeats each sentence. */
const echo = (): Promise<Ai> =>
  ai(({ type, text }, say) => {
    if (type === 'prompt') say(piece(String(text), true));
  });

describe.concurrent('several calls at once', () => {
  it('are kept apart, each with its own sentences', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const answers = await session.phone.holdSeveral(5, async (dial) => {
      const calls = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((label) => dial({ label })));
      return await Promise.all(calls.map((call) => call.ask(`I am ${call.observation.label}`)));
    });
    expect(answers.map(({ text }) => text)).toEqual(['a', 'b', 'c', 'd', 'e'].map((label) => `I am ${label}`));
    expect(new Set(session.phone.calls.map(({ callId }) => callId)).size).toBe(session.phone.calls.length);
  });

  it('use lanes, never deadlock, and never exceed the number of lanes', async () => {
    let [now, most] = [0, 0];
    await using endpoint = await ai(
      ({ type }, say) => {
        if (type === 'prompt') say(piece('Yes.', true));
      },
      (socket) => {
        most = Math.max(most, ++now);
        socket.on('close', () => now--);
      },
    );
    await using session = await open(endpoint.url);
    const many = Array.from({ length: 12 }, (_, at) =>
      session.phone.holdSeveral((at % 5) + 1, async (dial) => {
        const calls = await Promise.all(Array.from({ length: (at % 5) + 1 }, () => dial({ label: `of ${at}` })));
        return await Promise.all(calls.map((call) => call.ask('Hello?')));
      }),
    );
    const answers = (await Promise.all(many)).flat();
    expect(answers).toHaveLength(33);
    expect(new Set(answers.map(({ outcome }) => outcome))).toEqual(new Set(['closed']));
    // Calls mostly wait, so two share a lane.
    expect(most).toBeLessThanOrEqual(2 * sharedLanes);
    expect(most).toBeGreaterThan(1);
  });

  it('share a lane by four with an AI that begins at once and speaks long', async () => {
    let [now, most] = [0, 0];
    await using endpoint = await ai(
      ({ type }, say) => {
        if (type !== 'prompt') return;
        say(piece('Well, '));
        setTimeout(() => say(piece('yes.', true)), longSpeechMs);
      },
      (socket) => {
        most = Math.max(most, ++now);
        socket.on('close', () => now--);
      },
    );
    await using session = await open(endpoint.url);
    const ask = () => session.phone.hold({ label: 'long' }, (call) => call.ask('Hello?'));
    await ask();
    await Promise.all(Array.from({ length: 4 * sharedLanes + 1 }, ask));
    expect(most).toBeGreaterThan(2 * sharedLanes);
    expect(most).toBeLessThanOrEqual(4 * sharedLanes);
  });

  it('end the check when the endpoint accepts fewer, which is permitted', async () => {
    await using endpoint = await ai(
      ({ type }, say) => {
        if (type === 'prompt') say(piece('Yes.', true));
      },
      undefined,
      1,
    );
    await using session = await open(endpoint.url);
    const two = session.phone.holdSeveral(2, async (dial) => {
      await dial({ label: 'one' });
      await dial({ label: 'two' });
    });
    await expect(two).rejects.toThrow('With 1 open calls the endpoint answered the next one with 503.');
    await expect(two).rejects.toBeInstanceOf(NotExercised);
  });

  it('do not stop a check that has the endpoint to itself, even before anything is learnt', async () => {
    await using endpoint = await echo();
    await using session = await open(endpoint.url);
    const record = new CheckRecord();
    record.alone = true;
    const others: Promise<unknown>[] = [];
    const answer = await session.alone(() => {
      for (const label of ['a', 'b']) others.push(session.phone.hold({ label }, (call) => call.ask('Hello?')));
      return withRecord(record, () => session.phone.hold({ label: 'alone' }, (call) => call.ask('Hello?')));
    });
    expect(answer).toMatchObject({ outcome: 'closed' });
    await Promise.all(others);
  });
});
