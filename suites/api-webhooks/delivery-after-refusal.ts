import type { CheckKit } from '../../harness/checks/check.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { Observation } from '../../harness/wire/observation.ts';
import { isRefusal } from '../matchers/answer-status.ts';
import { conclude } from '../matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noEffectReason,
  noteWatched,
  observeEffects,
  settledState,
  showsEffect,
  stateAfterEffect,
} from '../observed-effects.ts';
import { effectiveEvent } from './effective-event.ts';

/** Deliveries that must be without effect after their refusal. */
const attempts = 2;

/**
 * Judges whether a delivery that was refused for its signature has its effect when it comes with the valid one. Another
 * delivery between the two shows that the refusal does not pause all of them, and the same event under another id that its
 * content has an effect.
 */
export async function judgeDeliveryAfterRefusal(kit: CheckKit): Promise<void> {
  const { hooks, notExercised } = kit;
  const effective = await effectiveEvent(kit);
  if (effective === undefined) return notExercised(noEffectReason(kit));
  const { create } = effective;
  const sendAnother = () => hooks.post(hooks.sign(create()), { label: 'another delivery, after the refused one' });
  for (let attempt = 1; ; attempt++) {
    const event = create();
    const delivery = hooks.sign(event);
    const refused = await hooks.post(forgedSignatures.otherSecret(delivery), {
      label: 'a delivery signed with another secret, before the valid one',
      fresh: true,
      toBeRefused: true,
    });
    if (!isRefusal(refused.answer)) return notExercised('The delivery was not refused; other checks judge that.');
    // With another number of them each time, a load balancer does not take the same turns.
    for (let nth = 1; nth <= attempt; nth++) {
      const { effects } = await observeEffects(kit, sendAnother, { isPatient: true });
      if (!hasEffect(effects)) return notExercised('After the refusal, another delivery has no visible effect either.');
      noteWatched(kit, effects);
    }
    const valid = await sendValid(kit, () => hooks.post(delivery, { label: 'the refused delivery, correctly signed' }));
    if (!isAccepted(valid.answer)) {
      return notExercised('The correctly signed delivery was not accepted after its refusal; other checks judge that.');
    }
    if (valid.hasEffect) return conclude(valid.answer, undefined);
    const { id } = create();
    const underAnotherId = () => hooks.post(hooks.sign({ ...event, id }), { label: 'the same event under another id' });
    if (!(await showsEffect(kit, underAnotherId, { isPatient: true }))) {
      return notExercised('The same event under another id has no effect either.');
    }
    if (attempt < attempts) continue;
    return conclude(valid.answer, {
      expected: 'an effect of a delivery with a valid signature, although its id came with an invalid one before',
      received: `none, ${attempts} times out of ${attempts}, but one of the same event under another id`,
      hint: 'Verify the signature before X-Svc-Delivery-Id is remembered.',
    });
  }
}

/** Sends the delivery. Any change counts as its effect, also a late one. */
async function sendValid(
  kit: CheckKit,
  send: () => Promise<Observation>,
): Promise<{ answer: Observation; hasEffect: boolean }> {
  const before = await settledState(kit, 'the state before the valid delivery', { isPatient: true });
  const answer = await send();
  const after = await stateAfterEffect(kit, before, 'the state after the valid delivery', { isPatient: true });
  const isChanged = after.text !== before.text || hasEffect(effectsBetween(kit, before, after));
  return { answer, hasEffect: isChanged };
}
