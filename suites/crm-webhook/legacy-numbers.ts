import type { CheckKit } from '../../harness/checks/check.ts';
import type { CrmDeliveryOptions, CrmObservation } from '../../harness/wire/crm-webhook-driver.ts';
import { deviating } from '../../harness/wire/documented-traffic.ts';
import type { legacyEventTypes } from '../../specs/crm-event-types.ts';
import { conclude } from '../matchers/expect.ts';
import {
  effectsBetween,
  hasEffect,
  isAccepted,
  noEffectReason,
  settledState,
  showsEffect,
  stateAfterEffect,
} from '../observed-effects.ts';
import { comparedCallbackMs } from './await-callback.ts';
import { effectiveEvent, eventOfNewContact } from './effective-event.ts';
import { outcomeOf } from './event-outcome.ts';
import { dataPart, typicalAnswer } from './typical-answers.ts';

/** Times that a number without an effect is sent. */
const attempts = 2;
const hint = 'Until October 2026 eventType was a number; both forms are in use.';

type LegacyName = (typeof legacyEventTypes)[number];

/** Sends an event under its legacy number, by default a typical one. */
export function sendLegacyNumber(
  { crm, sample }: CheckKit,
  number: number,
  name: LegacyName,
  {
    event = sample.crmEvent(name),
    ...options
  }: { event?: object } & Pick<CrmDeliveryOptions, 'callbackDue' | 'redelivered' | 'callback'> = {},
): Promise<CrmObservation> {
  const numbered = deviating({ ...event, eventType: number }, '/eventType');
  const again = options.callback === undefined ? '' : ' again, same callbackUrl';
  return crm.deliver(numbered, { label: `eventType ${number} (${name})${again}`, ...options });
}

/**
 * Compares the data that the service receives for an event under its name, under its number, and under its name again. If
 * the two events under the name differ, nothing can be concluded.
 */
export async function judgeLegacyNumber(kit: CheckKit, number: number, name: LegacyName): Promise<void> {
  const { crm, sample } = kit;
  const withinMs = comparedCallbackMs(kit.settings);
  const sendName = async () => await outcomeOf(await crm.deliver(sample.crmEvent(name)), withinMs);
  // One after another: some receivers combine events of one contact that arrive during their work.
  const byName = await sendName();
  if (byName?.data === undefined) {
    return kit.notExercised(
      `No data was received for ${name}, at once or in a callback within ${withinMs / 1000} s, so there is nothing to compare eventType ${number} with.`,
    );
  }
  const callbackDue = byName.exchange.kind === 'callback';
  const numbered = await sendLegacyNumber(kit, number, name, { callbackDue });
  const byNumber = await outcomeOf(numbered, withinMs);
  if (!byNumber) {
    return kit.notExercised(`eventType ${number} got no answer or callback that can be compared with that of ${name}.`);
  }
  if ((await sendName())?.data !== byName.data) {
    return kit.notExercised(`${name} is not answered alike from one time to the next.`);
  }
  const isAtOnce = byNumber.exchange === numbered;
  conclude(
    byNumber.exchange,
    byNumber.data === byName.data
      ? undefined
      : {
          expected: `eventType ${number} to be answered like ${name} (${byName.data})`,
          received: byNumber.data ?? (isAtOnce ? 'an answer without data' : 'a callback without data'),
          hint,
          part: isAtOnce ? dataPart(numbered) : { body: [] },
        },
  );
}

/**
 * Requires an effect of an event under its number, where the event under its name brings no data but has an effect. Each
 * is about a new contact and project, with the endpoint to itself.
 */
export async function judgeLegacyEffect(kit: CheckKit, number: number, name: LegacyName): Promise<void> {
  if ((await effectiveEvent(kit)) === undefined) return kit.notExercised(noEffectReason(kit));
  const typical = await outcomeOf(await typicalAnswer(kit, name), 0);
  if (typical?.data !== undefined) return kit.notExercised(`${name} brings data; another check compares it.`);
  const sendName = () => kit.crm.deliver(eventOfNewContact(kit, name), { label: `${name}, observed` });
  // How late effects are is known by now.
  if (!(await showsEffect(kit, sendName, { isLate: false }))) {
    return kit.notExercised(`${name} has no effect that can be seen.`);
  }
  for (let attempt = 1; ; attempt++) {
    const before = await settledState(kit, 'the state before');
    const numbered = await sendLegacyNumber(kit, number, name, { event: eventOfNewContact(kit, name) });
    const after = await stateAfterEffect(kit, before, 'the state after one delivery');
    if (!isAccepted(numbered))
      return kit.notExercised(`eventType ${number} was not accepted; other checks judge that.`);
    if (hasEffect(effectsBetween(kit, before, after))) return conclude(numbered, undefined);
    if (attempt < attempts) continue;
    if (!(await showsEffect(kit, sendName))) return kit.notExercised(`Effects of ${name} can no longer be seen.`);
    return conclude(numbered, {
      expected: `an effect of eventType ${number}, as of ${name}`,
      received: `none, ${attempts} times out of ${attempts}`,
      hint,
    });
  }
}
