import { describe, expect, it } from 'vitest';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallFrame, CallObservation } from '../../harness/wire/observation.ts';
import type { CheckKit } from '../../harness/checks/check.ts';
import { holdUntilCertain, lateSpeech, type StoppedSpeech } from '../../suites/own-ai-phone/late-speech.ts';

const endedAtMs = 3_000;

/** A call with one piece of speech `afterMs` after `session.ended`, of which `delayMs` are our own delay. */
function ended({ afterMs, delayMs, text = 'and then' }: { afterMs: number; delayMs: number; text?: string }) {
  const frame = (from: CallFrame['from'], atMs: number, value: object): CallFrame => {
    const sent = JSON.stringify(value);
    return { from, atMs, text: sent, bytes: sent.length, value };
  };
  const frames = [
    frame('service', endedAtMs, { type: 'session.ended', reason: 'hangup' }),
    frame('ai', endedAtMs + afterMs, { type: 'text', text }),
  ];
  return { observation: { frames } as CallObservation, at: 0, delaysMs: [delayMs] } satisfies StoppedSpeech;
}

describe('speech after the end of a call', () => {
  it('is late if it comes after the grace even without our own delay', () => {
    const finding = lateSpeech(ended({ afterMs: 900, delayMs: 399 }));
    expect(finding).toMatchObject({ received: '“and then” after 900 ms', frame: 1 });
  });

  it('is in time within the grace, and an empty piece is not speech', () => {
    expect(lateSpeech(ended({ afterMs: 500, delayMs: 0 }))).toBeUndefined();
    expect(lateSpeech(ended({ afterMs: 900, delayMs: 0, text: '' }))).toBeUndefined();
  });

  it('is not judged if our own delay decides', () => {
    const judge = () => lateSpeech(ended({ afterMs: 900, delayMs: 400 }));
    expect(judge).toThrow(HarnessFault);
    expect(judge).toThrow(/900 ms.*400 ms.*500 ms/s);
  });

  it('is heard again, in a quiet moment, until our own delay no longer decides', async () => {
    const calls = [ended({ afterMs: 900, delayMs: 400 }), ended({ afterMs: 900, delayMs: 20 })];
    let quietMoments = 0;
    const kit = { session: { quietMoment: () => Promise.resolve(void quietMoments++) } };
    const heard = await holdUntilCertain(kit as unknown as CheckKit, () => {
      const [next] = calls.splice(0, 1);
      return next ? Promise.resolve(next) : Promise.reject(new Error('held too often'));
    });
    expect(quietMoments).toBe(1);
    expect(heard.delaysMs).toEqual([20]);
  });
});
