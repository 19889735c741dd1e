import { describe } from 'vitest';
import { check, type CheckKit } from '../../harness/checks/check.ts';
import { HarnessFault } from '../../harness/checks/faults.ts';
import type { CallObservation } from '../../harness/wire/observation.ts';
import { toBeAnswered, toBeRejected } from '../matchers/call-matchers.ts';
import { conclude } from '../matchers/expect.ts';
import { badCallSignatures, type BadCallSignature } from '../signature-cases.ts';
import { expectToContinue, expectToStay, isSilent, requirePlainCall } from './talk.ts';

/** One case of each kind of refusal whose upgrade carries the id of a call. */
const refusals = [
  'refuses-missing-signature',
  'refuses-garbage-signature',
  'refuses-other-secret',
  'refuses-stale-timestamp',
]
  .map((slug) => badCallSignatures.find((bad) => bad.slug === slug))
  .filter((bad) => bad !== undefined);

const expected = 'no effect of the refused upgrade on the call with the same id';
const hint = 'Verify the signature before anything else, also before call ids are remembered or calls are replaced.';

describe.concurrent('own-ai-phone refused calls', () => {
  for (const bad of refusals) {
    check('own-ai-phone/refused-call-has-no-effect', `after ${bad.what}, the call itself is accepted`, async (kit) => {
      const callId = kit.ids.text();
      const refused = await attempt(kit, bad, callId);
      const label = `the call after ${bad.what} with the same id`;
      // Outside the try: an endpoint that accepts no call at all shows no effect of a refused one.
      const neverAnswers = await isSilent(kit);
      if (!neverAnswers) await requirePlainCall(kit);
      try {
        if (neverAnswers) {
          await kit.phone.hold({ label, started: { callId }, needsNoAnswer: true }, () => Promise.resolve());
          return conclude(refused, undefined);
        }
        await kit.phone.hold({ label, started: { callId } }, (call) => expectToContinue(kit, call));
      } catch (error) {
        if (!(error instanceof HarnessFault) || error.code !== 'control-failed') throw error;
        conclude(refused, { expected, received: error.message, hint });
      }
    });
  }

  check(
    'own-ai-phone/refused-call-has-no-effect',
    'a call continues while an upgrade with its id is refused',
    async (kit) => {
      const { phone, sample, ids, notExercised } = kit;
      const [bad] = refusals.filter(({ slug }) => slug === 'refuses-other-secret');
      if (!bad) throw new TypeError('There is no such case.');
      const callId = ids.text();
      const label = 'a call whose id a refused upgrade carries';
      const options = { label, started: { callId } };
      const attemptMeanwhile = async () => void (await attempt(kit, bad, callId));
      if (await phone.silentCall()) return await expectToStay(kit, options, attemptMeanwhile);
      await phone.hold(options, async (call) => {
        // Some endpoints keep nothing of a call before its first sentence.
        await call.ask(sample.callerSentence);
        if (!call.isUp || toBeAnswered(call.observation)) notExercised('The call was over, or not answered, before.');
        await attemptMeanwhile();
        await expectToContinue(kit, call);
      });
    },
    // Two connections, and no other suspect if the endpoint stops.
    { alone: true },
  );
});

/** Dials with an invalid signature and this call id; not exercised unless the upgrade is refused. */
async function attempt(kit: CheckKit, { spoil, what }: BadCallSignature, callId: string): Promise<CallObservation> {
  const { phone, notExercised } = kit;
  const upgrade = spoil(phone.upgrade(callId), { url: phone.url, earlierCallId: callId, earlierSignature: undefined });
  if (!upgrade) return notExercised('This signature cannot be made from the configured secret.');
  const refused = await phone.attemptCall(upgrade, what);
  if (toBeRejected(refused, what)) notExercised('The upgrade was not refused; another check reports that.');
  return refused;
}
