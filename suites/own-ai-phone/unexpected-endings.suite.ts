import { describe } from 'vitest';
import type { Call } from '../../harness/wire/call.ts';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import type { HoldOptions } from '../../harness/wire/phone-driver.ts';
import { conclude, expect } from '../matchers/expect.ts';
import { requireAnswer, expectToContinue, nextCall, requirePlainCall } from './talk.ts';
import { longSentence } from './slow-calls.ts';

/** Milliseconds without reading. */
const stalledMs = 500;
/** Milliseconds for a sentence to arrive before a reset, which discards what has not been read. */
const arrivalMs = 50;

/** Ways in which a call breaks off, or ends while the AI thinks. */
const ways: readonly [what: string, vanish: (kit: CheckKit, call: Call) => Promise<void>][] = [
  ['resets the connection in the midst of an answer', duringAnswer((call) => call.vanish('reset'))],
  ['drops the connection in the midst of an answer', duringAnswer((call) => call.vanish('end'))],
  ['closes the connection in the midst of an answer', duringAnswer((call) => call.vanish('close'))],
  [
    'reads nothing any more and is then gone',
    duringAnswer(async (call) => {
      call.stall();
      await call.pass(stalledMs);
      await call.vanish('reset');
    }),
  ],
  ['is gone before the first sentence', (_, call) => call.vanish('reset')],
  [
    'resets the connection before the answer begins',
    afterSentence(async (call) => {
      await call.pass(arrivalMs);
      await call.vanish('reset');
    }),
  ],
  ['closes the connection before the answer begins', afterSentence((call) => call.vanish('close'))],
  ['hangs up before the answer begins', afterSentence((call) => call.end())],
];

describe.concurrent('own-ai-phone unexpected endings', () => {
  for (const [what, vanish] of ways) {
    check(
      'own-ai-phone/survives-a-broken-call',
      `after a caller who ${what}, the next call is answered`,
      async (kit) => {
        await requirePlainCall(kit);
        await kit.phone.holdSeveral(2, async (dial) => {
          const broken = await dial({ label: `a caller who ${what}` });
          await vanish(kit, broken);
          await expectNextCall(kit, dial, broken.observation);
        });
      },
    );
  }

  check('own-ai-phone/survives-a-broken-call', 'a call continues while another one breaks', async (kit) => {
    if (!kit.phone.acceptsConcurrentCalls)
      kit.notExercised('Calls at once are refused or mixed up, which is reported elsewhere.');
    await requirePlainCall(kit);
    await kit.phone.holdSeveral(2, async (dial) => {
      const steady = await dial({ label: 'a call next to one that breaks' });
      await requireAnswer(kit, steady);
      const broken = await dial({ label: 'a call that breaks next to another' });
      await duringAnswer((call) => call.vanish('reset'))(kit, broken);
      await expectToContinue(kit, steady);
    });
  });

  check(
    'own-ai-phone/takes-a-connection-test',
    'a connection that is opened and closed at once is accepted',
    async (kit) => {
      const { phone } = kit;
      await requirePlainCall(kit);
      const test = await phone.ring('a connection test', { begin: false });
      expect(test).toBeConnected();
      await phone.holdSeveral(1, (dial) => expectNextCall(kit, dial, test));
    },
  );
});

/** Runs this while the AI speaks, for as long as the sentence of the config makes it speak. */
function duringAnswer(happen: (call: Call) => Promise<void>): (kit: CheckKit, call: Call) => Promise<void> {
  return async (kit, call) => {
    const asked = call.speak(longSentence(kit));
    await call.firstPiece(asked);
    await happen(call);
  };
}

/** Runs this right after a sentence, while the AI thinks. */
function afterSentence(happen: (call: Call) => Promise<unknown>): (kit: CheckKit, call: Call) => Promise<void> {
  return async (kit, call) => {
    call.speak(kit.sample.callerSentence);
    await happen(call);
  };
}

/** Expects the endpoint to accept and answer the next call. */
async function expectNextCall(
  kit: CheckKit,
  dial: (options: HoldOptions) => Promise<Call>,
  broken: CallObservation,
): Promise<void> {
  const next = await nextCall(dial, broken);
  if (!('isUp' in next)) return conclude(broken, next);
  await expectToContinue(kit, next);
}
