import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { CheckKit } from '../../harness/checks/check.ts';
import { Session } from '../../harness/checks/session.ts';
import { longCalls, sentences } from '../../suites/own-ai-phone/long-calls.ts';
import { plainCall } from '../../suites/own-ai-phone/talk.ts';
import { ai } from '../harness/call-server.ts';
import { configOf, settingsOf } from '../harness/settings-for-tests.ts';

/** Milliseconds of the speech of an AI that speaks long, and of one that can just be interrupted. */
const longMs = 1_050;
const shortMs = 300;

/** The outcomes of all answers in each of the calls with an AI whose plain call has answers of `plainMs`. */
async function outcomes(plainMs: number, onInterrupt: (ai: WebSocket) => void = () => undefined) {
  let speechMs = plainMs;
  const closing = new Map<WebSocket, NodeJS.Timeout>();
  await using endpoint = await ai(({ type }, say, call) => {
    if (type === 'interrupt') {
      clearTimeout(closing.get(call));
      onInterrupt(call);
    }
    if (type !== 'prompt') return;
    say({ type: 'text', text: 'Well, ', last: false });
    closing.set(
      call,
      setTimeout(() => say({ type: 'text', text: 'yes.', last: true }), speechMs),
    );
  });
  await using session = await Session.open(settingsOf(configOf({ phone: endpoint.url })));
  const { phone, sample, settings } = session;
  const kit = { session, phone, sample, settings } as unknown as CheckKit;
  await plainCall(kit);
  speechMs = shortMs;
  const calls = await longCalls(kit);
  return calls.map(({ answers }) => answers.map(({ outcome }) => outcome));
}

const heard = (count: number) => Array.from({ length: count }, () => 'closed');

describe.concurrent('the calls of many sentences', () => {
  it('are one call without interrupts if answers are short', async () => {
    expect(await outcomes(0)).toEqual([heard(sentences)]);
  });

  it('are two if answers are long: one with half of the sentences, and one in which most are interrupted', async () => {
    const begun = Array.from({ length: sentences - 2 }, () => 'begun');
    expect(await outcomes(longMs)).toEqual([heard(sentences / 2), ['closed', ...begun, 'closed']]);
  });

  it('are one call without interrupts if the AI fails at an interrupt', async () => {
    expect(await outcomes(longMs, (call) => call.close())).toEqual([heard(sentences)]);
  });
});
