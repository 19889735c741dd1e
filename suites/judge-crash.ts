import type { CheckKit } from '../harness/checks/check.ts';
import { CrashAfterEffect } from '../harness/checks/crash-after-effect.ts';
import type { Observation } from '../harness/wire/observation.ts';
import { toBeAccepted } from './matchers/answer-matchers.ts';
import { conclude } from './matchers/expect.ts';
import { settledState } from './observed-effects.ts';

/** Ends the check unless the run may kill the endpoint and starts it again. */
export function requireChaos({ settings, session, notApplicable, notExercised }: CheckKit): void {
  if (settings.chaos !== true) notApplicable('The endpoint is killed only with --chaos.');
  if (!session.restarting)
    notExercised('The endpoint is killed only if --start, or --image on this machine, starts it.');
}

/**
 * Kills the endpoint after its first request to API v1 that creates something, and before it can answer the delivery. A
 * closed connection makes the run send the delivery once more as soon as the endpoint listens again: the request must
 * not take effect a second time. Not exercised when the endpoint answers before it has an effect.
 *
 * @param send sends one delivery with an effect; the run repeats it unchanged
 */
export async function judgeCrash(kit: CheckKit, send: () => Promise<Observation>): Promise<void> {
  const { notExercised, inbox } = kit;
  using crash = new CrashAfterEffect(inbox);
  const answer = await send();
  crash.disarm();
  const { killedAt } = crash;
  if (killedAt === undefined || answer.at < killedAt) {
    return notExercised('No effect at API v1 came before the answer to the delivery, so no crash could separate them.');
  }
  const refused = toBeAccepted(answer);
  if (refused) return notExercised(`The repeated delivery was not accepted: ${refused.received}.`);
  await settledState(kit, 'the state after the crash', { isPatient: true });
  if (!crash.interrupted) return notExercised('The interrupted request to API v1 had no effect.');
  const { second } = crash;
  conclude(
    second?.arrival ?? answer,
    second && {
      expected: 'one effect of a delivery that was repeated after a crash',
      received: `the same request twice: ${second.signature}`,
      hint: 'Derive the Idempotency-Key from the delivery id (callbackUrl for CRM events), or store the id in one transaction with the work.',
    },
  );
}
