import type { CheckKit } from '../../harness/checks/check.ts';
import { forgedSignatures } from '../../harness/wire/forged-signatures.ts';
import type { Answer } from '../../harness/wire/observation.ts';
import { isRefusal } from '../../harness/wire/answer-status.ts';
import { describeAnswer } from '../matchers/describe-answer.ts';
import { conclude } from '../matchers/expect.ts';
import { hasEffect, isAccepted, noEffectReason, noteWatched, observeEffects } from '../observed-effects.ts';
import { effectiveEvent } from './effective-event.ts';

/** Deliveries that must be without effect after their refusal. */
const attempts = 3;
/** The status by which a receiver asks for a pause, whatever the delivery is. */
const pauseStatus = 429;

/**
 * Judges whether a delivery that was refused for its signature has its effect when it comes with the valid one. Others
 * between the two show that the refusal does not pause all deliveries, and the same event under another id shows that its
 * content has an effect.
 */
export async function judgeDeliveryAfterRefusal(kit: CheckKit): Promise<void> {
  const { hooks, notExercised } = kit;
  const effective = await effectiveEvent(kit);
  if (effective === undefined) return notExercised(noEffectReason(kit));
  const { create } = effective;
  const observe = (send: () => ReturnType<typeof hooks.post>) => observeEffects(kit, send, { isPatient: true });
  for (let attempt = 1; ; attempt++) {
    const event = create();
    const delivery = hooks.sign(event);
    const refused = await hooks.post(forgedSignatures.otherSecret(delivery), {
      label: 'a delivery signed with another secret, before the valid one',
      fresh: true,
      toBeRefused: true,
    });
    if (!isRefusal(refused.answer)) return notExercised('The delivery was not refused; other checks judge that.');
    // With one more each time, a load balancer does not take the same turns.
    for (let nth = 1; nth <= attempt; nth++) {
      const another = () => hooks.post(hooks.sign(create()), { label: 'another delivery, after the refused one' });
      const { effects } = await observe(another);
      if (!hasEffect(effects)) return notExercised('After the refusal, another delivery has no visible effect either.');
      noteWatched(kit, effects);
    }
    const valid = await observe(() => hooks.post(delivery, { label: 'the refused delivery, correctly signed' }));
    if (!isAccepted(valid.answer) && !isRefusedForGood(valid.answer.answer)) {
      return notExercised(
        'The valid delivery was answered with a server error or a request for a pause, or not at all.',
      );
    }
    if (hasEffect(valid.effects)) return conclude(valid.answer, undefined);
    const { id } = create();
    const same = await observe(() =>
      hooks.post(hooks.sign({ ...event, id }), { label: 'the same event under another id' }),
    );
    if (!hasEffect(same.effects)) return notExercised('The same event under another id has no effect either.');
    if (attempt < attempts) continue;
    return conclude(valid.answer, {
      expected: 'an effect of a delivery with a valid signature, although its id came with an invalid one before',
      received: `none (${describeAnswer(valid.answer.answer)}), ${attempts} times out of ${attempts}, but one of the same event under another id`,
      hint: 'Verify the signature before X-Svc-Delivery-Id is remembered.',
    });
  }
}

function isRefusedForGood(answer: Answer): boolean {
  return isRefusal(answer) && answer.outcome === 'answered' && answer.status !== pauseStatus;
}
