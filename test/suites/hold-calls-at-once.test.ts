import { describe, expect, it } from 'vitest';
import type { CheckKit } from '../../harness/checks/check.ts';
import { NotExercised } from '../../harness/checks/faults.ts';
import { Session } from '../../harness/checks/session.ts';
import { holdSilentCalls, holdSpeakingCalls } from '../../suites/own-ai-phone/hold-calls-at-once.ts';
import { ai, type Ai, type OnFrame } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

const said = (text: string) => ({ type: 'text', text, last: true });

/** An AI that repeats each sentence, where `speak` does not decide otherwise. */
function repeating(speak: (...heard: Parameters<OnFrame>) => void = ({ text }, say) => say(said(String(text)))) {
  return ai((frame, say, call) => {
    if (frame.type === 'prompt') speak(frame, say, call);
  });
}

/** What ended the check, and whether calls may still overlap. */
async function judge(hold: (kit: CheckKit) => Promise<void>, endpoint: Ai, answerTimeoutMs = 2_000) {
  await using session = await Session.open(
    settingsOf(configOf({ phone: endpoint.url }), { answerTimeoutMs, quietMs: 50 }),
  );
  const { phone, sample, settings, ids } = session;
  const notExercised = (why: string) => {
    throw new NotExercised(why);
  };
  const error: unknown = await hold({ session, phone, sample, settings, ids, notExercised } as CheckKit).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return { message: error instanceof Error ? error.message : undefined, overlap: phone.acceptsConcurrentCalls };
}

describe.concurrent('calls at the same time', () => {
  it.each([
    ['one speaks', holdSilentCalls],
    ['all speak', holdSpeakingCalls],
  ])('pass with an AI that keeps them apart, and may still overlap: %s', async (_, hold) => {
    await using endpoint = await repeating();
    expect(await judge(hold, endpoint)).toEqual({ message: undefined, overlap: true });
  });

  it('fail if every answer goes to all calls, and no longer overlap', async () => {
    await using endpoint: Ai = await repeating(({ text }) => {
      for (const call of endpoint.calls) call.send(JSON.stringify(said(String(text))));
    });
    expect(await judge(holdSilentCalls, endpoint)).toEqual({
      message: expect.stringMatching(/^expected nothing, since this caller has said nothing, received “/) as string,
      overlap: false,
    });
    expect(await judge(holdSpeakingCalls, endpoint)).toEqual({
      message: 'Another check shows that the AI sends answers to the wrong call.',
      overlap: false,
    });
  });

  it('fail if an answer repeats the words of another call, and no longer overlap', async () => {
    let earlier = '';
    await using endpoint = await repeating(({ text }, say) => {
      say(said(`${earlier} ${String(text)}`));
      earlier = String(text);
    });
    expect(await judge(holdSpeakingCalls, endpoint)).toEqual({
      message: expect.stringMatching(/^expected only what belongs to this call, received the word /) as string,
      overlap: false,
    });
  });

  it('end soon if the answer goes to the latest call', async () => {
    await using endpoint: Ai = await repeating(({ text }) => {
      endpoint.calls.at(-1)?.send(JSON.stringify(said(String(text))));
    });
    const answerTimeoutMs = 60_000;
    const from = performance.now();
    await judge(holdSilentCalls, endpoint, answerTimeoutMs);
    expect(performance.now() - from).toBeLessThan(answerTimeoutMs);
  });

  it('fail if the AI no longer answers while several are open', async () => {
    const open = (endpoint: Ai) => endpoint.calls.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    await using endpoint: Ai = await repeating(({ text }, say) => {
      if (open(endpoint) < 3) say(said(String(text)));
    });
    expect(await judge(holdSilentCalls, endpoint)).toEqual({
      message: expect.stringMatching(/^expected speech.* received nothing within /) as string,
      overlap: false,
    });
  });

  it('have nothing to judge if the AI repeats no word of a caller', async () => {
    await using endpoint = await repeating((_, say) => say(said('Certainly.')));
    expect(await judge(holdSpeakingCalls, endpoint)).toEqual({
      message: expect.stringMatching(/^The AI repeated the name of no caller/) as string,
      overlap: true,
    });
  });
});
