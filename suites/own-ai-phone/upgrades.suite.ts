import { describe } from 'vitest';
import { check, entrance, type CheckKit } from '../../harness/checks/check.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import { header, type CallObservation } from '../../harness/wire/observation.ts';
import type { SignedDelivery } from '../../harness/wire/signed-delivery.ts';
import { isConnected } from '../../harness/wire/upgrade-answer.ts';
import { toBeRejected } from '../matchers/call-matchers.ts';
import { expect } from '../matchers/expect.ts';
import { once } from '../once.ts';
import { commonRefusal } from '../common-refusal.ts';
import {
  badCallSignatures,
  forbiddenCallSignatures,
  insideTolerance,
  type BadCallSignature,
} from '../signature-cases.ts';
import { notDerivedReason } from '../wrong-secrets.ts';
import { correctCall, firstCorrectCall, requireCorrectCall } from './correct-call.ts';

describe.concurrent('own-ai-phone upgrades', () => {
  entrance('own-ai-phone', async (kit) => {
    const { session, phone } = kit;
    const forged = () => phone.upgrade().with({ secret: 'whsec_another-secret' });
    return await commonRefusal(session, [
      () => firstCorrectCall(kit),
      () => phone.ring('another correctly signed call'),
      () => phone.attemptCall(forged(), 'a call signed with another secret'),
    ]);
  });

  check('own-ai-phone/accepts-valid-signature', 'a correctly signed call is accepted', async (kit) => {
    expect(await correctCall(kit)).toBeConnected();
  });

  for (const offsetSeconds of insideTolerance) {
    const when = `${Math.abs(offsetSeconds)} s ${offsetSeconds < 0 ? 'ago' : 'ahead'}`;
    check('own-ai-phone/accepts-timestamp-inside-tolerance', `a call signed ${when} is accepted`, async ({ phone }) => {
      const upgrade = phone.upgrade().with({ offsetSeconds });
      const call = await phone.ring(`a call signed ${when}`, { upgrade });
      // An AI that accepts no call at the moment, whatever its signature, is not judged here.
      if (!isConnected(call.answer)) await phone.hold({ label: 'a call signed now' }, () => Promise.resolve());
      expect(call).toBeConnected();
    });
  }

  for (const bad of badCallSignatures) {
    check(`own-ai-phone/${bad.slug}`, `${bad.what} is refused`, async (kit) => {
      const call = await badCall(kit, bad);
      if (!call) return kit.notExercised(notDerivedReason);
      expect(call).toBeRejected(bad.what);
    });
  }

  check(
    'own-ai-phone/refuses-other-secret',
    'a connection with the id of an earlier call, signed with another secret, is refused',
    async (kit) => {
      const { callId } = await requireCorrectCall(kit);
      const what = 'the id of an earlier call, signed with another secret,';
      const call = await kit.phone.attemptCall(forgedSignatures.otherSecret(kit.phone.upgrade(callId)), what);
      expect(call).toBeRejected(what);
    },
  );

  check('own-ai-phone/refuses-with-4xx', 'every call with a bad signature is refused with a 4xx', async (kit) => {
    const judged = forbiddenCallSignatures.filter((bad) => bad.refusedByServers !== true);
    const seen = await Promise.all(
      judged.map(async ({ what, ...bad }) => ({ what, call: await badCall(kit, { what, ...bad }) })),
    );
    // An accepted call fails the requirement of its case.
    const refused = seen.filter(
      ({ what, call }) => call && (call.answer.outcome === 'closed' || toBeRejected(call, what) === undefined),
    );
    if (refused.length === 0) kit.notExercised('No call with a bad signature was refused.');
    for (const { what, call } of refused) expect(call).toBeRefusedWith4xx(what);
  });
});

/** Dials with an invalid signature; `undefined` if not applicable to the configured secret. */
async function badCall(kit: CheckKit, bad: BadCallSignature): Promise<CallObservation | undefined> {
  const correct = await requireCorrectCall(kit);
  const { session, phone } = kit;
  return await once(session, `phone ${bad.what}`, async () => {
    const spoilt: SignedDelivery | undefined = bad.spoil(phone.upgrade(), {
      url: phone.url,
      earlierCallId: correct.callId,
      earlierSignature: header(correct.request, 'X-Svc-Signature'),
    });
    return spoilt && (await phone.attemptCall(spoilt, bad.what));
  });
}
